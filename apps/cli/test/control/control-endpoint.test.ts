import { chmod, mkdir, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { controlEndpoint } from '../../src/control/control-endpoint.js';

const OWNER = 'o'.repeat(43);
const owner = (over: object = {}): string => JSON.stringify({ url: 'http://127.0.0.1:8787', token: OWNER, pid: process.pid, ...over });

describe('controlEndpoint', () => {
  it.each([
    ['a token alone', ' secret-token-1\n', 'secret-token-1'],
    ['the file of an owner', `${owner()}\n`, OWNER],
    ['the first line that may command', '# mine\nweb observe first-token-12\nold all sha256:00\nme emit,control second-token-1\n', 'second-token-1'],
    ['the scope all', 'me all the-token-0001', 'the-token-0001'],
  ])('reads a token file: %s', async (_name, text, token) => {
    await using home = await tempDir();
    await writeFile(home.file('t'), text, { mode: 0o600 });
    expect(await controlEndpoint({ tokenFile: home.file('t') }, { AEP_TOKEN: 'other' })).toEqual({ url: 'http://127.0.0.1:8787/', token });
  });

  it.each([
    ['holds no token', 'web observe first-token-12\n', 0o600],
    ['can be read by others', 'secret', 0o644],
    ['is no token file', undefined, 0],
    ['cannot read', null, 0],
  ])('refuses a token file that %s, without its content', async (reason, text, mode) => {
    await using home = await tempDir();
    if (text === undefined) await mkdir(home.file('t'));
    if (typeof text === 'string') {
      await writeFile(home.file('t'), text);
      await chmod(home.file('t'), mode);
    }
    await expect(controlEndpoint({ tokenFile: home.file('t') }, {})).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(reason) as string });
  });

  it('prefers AEP_TOKEN to the token of the owner, and takes that for its own address only', async () => {
    await using home = await tempDir();
    await writeFile(home.file('owner-token'), owner(), { mode: 0o600 });
    const env = { AEP_DATA: home.path };
    expect(await controlEndpoint({}, env)).toEqual({ url: 'http://127.0.0.1:8787/', token: OWNER });
    expect(await controlEndpoint({ url: 'http://localhost:8787' }, env)).toEqual({ url: 'http://127.0.0.1:8787/', token: OWNER });
    expect(await controlEndpoint({}, { ...env, AEP_TOKEN: 'mine' })).toMatchObject({ token: 'mine' });
    expect(await controlEndpoint({ url: 'http://127.0.0.1:9000' }, env)).toMatchObject({ token: undefined });
    expect(await controlEndpoint({ url: 'https://elsewhere.example' }, env)).toMatchObject({ token: undefined });
    await writeFile(home.file('owner-token'), owner({ pid: 2 ** 22 + 1 }), { mode: 0o600 });
    expect(await controlEndpoint({}, env)).toMatchObject({ token: undefined });
  });
});
