import { chmod, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { loadUpstreams } from '../src/upstream.js';

const ONE = 'http://127.0.0.1:8787';
const TWO = 'https://aep.example/team';

const load = (upstream: readonly string[], token?: string, file?: string) => loadUpstreams({ upstream, 'upstream-token': token, 'upstream-token-file': file });

/** With the token file of a text. */
async function withFile(upstream: readonly string[], text: string, token?: string) {
  await using dir = await tempDir();
  await writeFile(dir.file('tokens'), text, { mode: 0o600 });
  return await load(upstream, token, dir.file('tokens'));
}

describe('upstreams', () => {
  it('are base URLs, with a token each', async () => {
    expect(await load([ONE, `${TWO}/?x=1#y`, 'http://[::1]:1', 'http://localhost'])).toEqual([
      { url: `${ONE}/`, token: undefined },
      { url: `${TWO}/`, token: undefined },
      { url: 'http://[::1]:1/', token: undefined },
      { url: 'http://localhost/', token: undefined },
    ]);
    expect(await load([ONE], 'secret')).toEqual([{ url: `${ONE}/`, token: 'secret' }]);
    expect(await withFile([ONE], '# mine\n\n  secret \r\n')).toEqual([{ url: `${ONE}/`, token: 'secret' }]);
    expect(await withFile([TWO, ONE], `${ONE} first\n${TWO}\tsecond==\n`)).toEqual([
      { url: `${TWO}/`, token: 'second==' },
      { url: `${ONE}/`, token: 'first' },
    ]);
  });

  it.each([
    ['no URL', ['here']],
    ['another scheme', ['ws://127.0.0.1']],
    ['credentials', ['http://user:secret@127.0.0.1']],
    ['another machine over plain HTTP', ['http://aep.example']],
    ['a name that only looks like this machine', ['http://localhost.aep.example']],
    ['the same one twice', [ONE, `${ONE}/#x`]],
  ])('cannot be %s', async (_, upstream) => {
    await expect(load(upstream)).rejects.toMatchObject({ name: 'EndpointError', code: 'upstream-unusable' });
  });

  it.each([
    ['a token for none', [], 'secret-token'],
    ['one token for several', [ONE, TWO], 'secret-token'],
    ['a token for another one', [ONE], `${TWO} secret-token`],
    ['a token and a comment', [ONE], 'secret-token # mine'],
    ['a token that no header carries', [ONE], 'sécret-token'],
    ['what is no URL', [ONE], 'what secret-token'],
  ])('refuse a file with %s, and do not repeat it', async (_, upstream, text) => {
    await expect(withFile(upstream, text)).rejects.toMatchObject({ code: 'upstream-unusable', message: expect.not.stringMatching(/s.cret/) as string });
  });

  it('refuse a token of the environment that belongs to none, to several, or in no header', async () => {
    for (const [upstream, token] of [[[], 'secret'], [[ONE, TWO], 'secret'], [[ONE], 'se cret']] as const) {
      await expect(load(upstream, token)).rejects.toMatchObject({ code: 'upstream-unusable', message: expect.not.stringContaining('cret') as string });
    }
  });

  it('refuse a file that others can read', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('tokens'), 'secret');
    await chmod(dir.file('tokens'), 0o644);
    await expect(load([ONE], undefined, dir.file('tokens'))).rejects.toMatchObject({ code: 'token-file-unusable' });
  });
});
