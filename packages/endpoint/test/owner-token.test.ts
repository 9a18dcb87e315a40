import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { createOwnerToken, type OwnerToken, readOwnerToken, removeOwnerToken, writeOwnerToken } from '../src/owner-token.js';

const URL_OF = 'http://127.0.0.1:8787';
const owner = (members: Partial<OwnerToken> = {}): OwnerToken => ({ url: URL_OF, token: createOwnerToken(), pid: process.pid, ...members });

describe('the file of an owner token', () => {
  it('is there for its owner alone, whole, and gone at the end', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner-token');
    const written = owner();
    const mask = process.umask(0);
    try {
      await writeOwnerToken(file, written);
    } finally {
      process.umask(mask);
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readOwnerToken(file)).toEqual(written);
    expect(await readdir(dir.path)).toEqual(['owner-token']);
    await removeOwnerToken(file, written.token);
    expect(await readdir(dir.path)).toEqual([]);
    await removeOwnerToken(file, written.token);
  });

  it('replaces one that was left behind, and is not removed by the endpoint that left it', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner-token');
    const [first, second] = [owner(), owner({ url: 'http://127.0.0.1:9999' })];
    await writeOwnerToken(file, first);
    await writeOwnerToken(file, second);
    await removeOwnerToken(file, first.token);
    expect(await readOwnerToken(file)).toEqual(second);
  });

  it.each([
    ['a key', '-----BEGIN PRIVATE KEY-----\n'],
    ['an empty file', ''],
    ['another JSON file', '{"url":"http://127.0.0.1:1","token":"short","pid":1}'],
  ])('is not written over %s', async (_, text) => {
    await using dir = await tempDir();
    await writeFile(dir.file('file'), text);
    await expect(writeOwnerToken(dir.file('file'), owner())).rejects.toThrow(/something else/);
    expect(await readFile(dir.file('file'), 'utf8')).toBe(text);
    await expect(writeOwnerToken(dir.file('no', 'folder'), owner())).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(dir.file('folder'));
    await expect(writeOwnerToken(dir.file('folder'), owner())).rejects.toThrow();
  });

  it('leaves nothing behind when it cannot be written', async () => {
    await using dir = await tempDir();
    const full = Object.defineProperty(owner(), 'token', {
      enumerable: true,
      get: () => {
        throw new Error('no space left');
      },
    });
    await expect(writeOwnerToken(dir.file('owner-token'), full)).rejects.toThrow('no space left');
    expect(await readdir(dir.path)).toEqual([]);
  });

  it('is not written through a link', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('target'), 'x');
    await symlink(dir.file('target'), dir.file('link'));
    await expect(writeOwnerToken(dir.file('link'), owner())).rejects.toThrow();
    expect(await readFile(dir.file('target'), 'utf8')).toBe('x');
  });
});

describe('a client of the owner', () => {
  it('gets the token of the endpoint that it means, with the address to send it to', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner-token');
    const written = owner();
    await writeOwnerToken(file, written);
    for (const url of [URL_OF, `${URL_OF}/`, 'http://localhost:8787', new URL('http://localhost:8787/prefix/')]) expect(await readOwnerToken(file, { url })).toEqual(written);
  });

  it.each(['http://127.0.0.1:8788', 'https://127.0.0.1:8787', 'http://127.0.0.2:8787', 'http://[::1]:8787', 'http://localhost.example:8787', 'http://localhost:80', 'http://example.com:8787', 'nonsense'])(
    'gets none for %s',
    async (url) => {
      await using dir = await tempDir();
      await writeOwnerToken(dir.file('owner-token'), owner());
      expect(await readOwnerToken(dir.file('owner-token'), { url })).toBeUndefined();
    },
  );

  it('gets none where the endpoint is gone, its pid is another user’s, or nothing is there', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner-token');
    await writeOwnerToken(file, owner({ pid: 4_190_000 }));
    expect(await readOwnerToken(file)).toBeUndefined();
    expect(await readOwnerToken(file, { isAlive: () => true })).toBeDefined();
    expect(await readOwnerToken(file, { isAlive: () => false })).toBeUndefined();
    expect(await readOwnerToken(dir.file('none'))).toBeUndefined();
    expect(await readOwnerToken(dir.file('none', 'at all'))).toBeUndefined();
    expect(await readOwnerToken(dir.path)).toBeUndefined();
  });

  it.runIf(process.platform !== 'win32')('gets none that others can read, or that lies behind a link', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner-token');
    await writeOwnerToken(file, owner());
    await symlink(file, dir.file('link'));
    expect(await readOwnerToken(dir.file('link'))).toBeUndefined();
    await chmod(file, 0o640);
    expect(await readOwnerToken(file)).toBeUndefined();
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    'x'.repeat(10_000),
    JSON.stringify({ ...owner(), url: 'file:///etc/passwd' }),
    JSON.stringify({ ...owner(), token: 'with a\nnewline' }),
    JSON.stringify({ ...owner(), pid: -1 }),
    JSON.stringify({ ...owner(), pid: '1' }),
  ])('gets none out of what is no such file (%#)', async (text) => {
    await using dir = await tempDir();
    await writeFile(dir.file('owner-token'), text, { mode: 0o600 });
    expect(await readOwnerToken(dir.file('owner-token'), { isAlive: () => true })).toBeUndefined();
  });

  it('is given one that nobody guesses', () => {
    const tokens = new Set(Array.from({ length: 100 }, createOwnerToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });
});
