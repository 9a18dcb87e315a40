import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { openSpool } from '../src/index.js';
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
