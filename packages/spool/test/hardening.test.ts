import { execFileSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { openSpool } from '../src/index.js';
import { hasLines } from '../src/peek.js';
import { drainAll, lines } from './support.js';

it.each([['a\nb'], ['a\rb'], ['']])('refuses %j, which is no line', async (text) => {
  await using dir = await tempDir();
  const spool = await openSpool({ path: dir.file('s') });
  await expect(spool.append(lines('fine', text))).rejects.toMatchObject({ code: 'invalid-line' });
  expect(await spool.isEmpty()).toBe(true);
});

it('refuses a line that is too long, in bytes', async () => {
  await using dir = await tempDir();
  const spool = await openSpool({ path: dir.file('s'), maxLineBytes: 4 });
  await expect(spool.append(lines('ok', 'äöü'))).rejects.toMatchObject({ code: 'line-too-long' });
  expect(await spool.append(lines('äö'))).toEqual({ kept: 1, dropped: 0 });
});

it.each([{ maxBytes: 0 }, { maxLineBytes: 0 }, { lockTimeoutMs: NaN }, { path: '' }])('refuses the options %j', async (options) => {
  await using dir = await tempDir();
  await expect(openSpool({ path: dir.file('s'), ...options })).rejects.toThrow(RangeError);
});

it('splits an append, so that memory and what is given up stay bounded', async () => {
  await using dir = await tempDir();
  const spool = await openSpool({ path: dir.file('s') });
  const texts = Array.from({ length: 2500 }, (_, n) => `${n}:${'x'.repeat(200)}`);
  await spool.append(lines(...texts));
  expect((await readdir(dir.file('s'))).filter((name) => name.endsWith('.lines')).length).toBeGreaterThanOrEqual(3);
  expect(await drainAll(spool)).toEqual(texts);
});

it('reports a disk that is really full, keeps what was acknowledged, and goes on when there is room', async (context) => {
  await using dir = await tempDir();
  const mount = dir.file('mount');
  await mkdir(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', mount], { stdio: 'ignore' });
  } catch {
    context.skip('needs the right to mount a small tmpfs; the simulated full disk runs everywhere');
  }
  try {
    const spool = await openSpool({ path: `${mount}/s` });
    const kept: string[] = [];
    let refusal: unknown;
    for (let n = 0; refusal === undefined && n < 100; n += 1) {
      const text = `${n}:${'x'.repeat(5000)}`;
      await spool.append(lines(text)).then(() => kept.push(text), (error: unknown) => (refusal = error));
    }
    expect(refusal).toMatchObject({ code: 'no-space' });
    expect(kept.length).toBeGreaterThan(5);
    expect((await spool.stats()).lines).toBe(kept.length);
    expect(await drainAll(spool)).toEqual(kept);
    expect(await spool.append(lines('again'))).toEqual({ kept: 1, dropped: 0 });
    expect(await drainAll(spool)).toEqual(['again']);
  } finally {
    execFileSync('umount', [mount]);
  }
});

/** The name of an entry ahead of all that are appended. */
const FIRST = '0000000000000-aaaaaaaaaaaa-k-1-2.lines';

it.each<[string, (path: string, elsewhere: string) => unknown]>([
  ['a folder', (path) => mkdir(path)],
  ['a link to a file elsewhere', (path, elsewhere) => symlink(elsewhere, path)],
  ['a link that leads nowhere', (path) => symlink('nowhere', path)],
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
])('puts %s out of the way that stands where an entry would, and reads nothing of it', async (_, plant) => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await spool.append(lines('mine'));
  await writeFile(dir.file('elsewhere'), 'x\n');
  await plant(`${path}/${FIRST}`, dir.file('elsewhere'));
  expect(await drainAll(spool)).toEqual(['mine']);
  expect(await spool.isEmpty()).toBe(true);
  expect((await readdir(path)).filter((name) => name.startsWith('odd-'))).toHaveLength(1);
  expect(await readFile(dir.file('elsewhere'), 'utf8')).toBe('x\n');
});

it.runIf(process.getuid?.() === 0)('takes no line from a file of another user', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await spool.append(lines('mine'));
  await writeFile(`${path}/${FIRST}`, 'x\n');
  await chown(`${path}/${FIRST}`, 65_534, 65_534);
  expect(await drainAll(spool)).toEqual(['mine']);
});

it('reads no more of a file than its name promises', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await spool.append(lines('mine'));
  await writeFile(`${path}/${FIRST}`, 'x\n');
  // Longer than any text can be.
  await truncate(`${path}/${FIRST}`, 2 ** 32);
  expect(await drainAll(spool)).toEqual(['x', 'mine']);
});

it('refuses to append behind the last place, where the line would be lost, and goes on when that is delivered', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await writeFile(`${path}/9999999999999-aaaaaaaaaaaa-k-1-2.lines`, 'x\n');
  await expect(spool.append(lines('mine'))).rejects.toMatchObject({ code: 'unavailable' });
  expect(await drainAll(spool)).toEqual(['x']);
  expect(await spool.append(lines('mine'))).toEqual({ kept: 1, dropped: 0 });
  expect(await drainAll(spool)).toEqual(['mine']);
});

it('sees no lines where a name only ends like that of an entry', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await writeFile(`${path}/copy of 0000000000001-aaaaaaaaaaaa-k-1-2.lines`, 'x\n');
  expect(hasLines(path)).toBe(false);
  await spool.append(lines('mine'));
  expect(hasLines(path)).toBe(true);
});

it.runIf(process.platform === 'linux')('fails at once where no folder can be made', async () => {
  await expect(openSpool({ path: '/proc/aepkit/deep' })).rejects.toMatchObject({ code: 'unavailable' });
});
