import { readdir, rename, unlink } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { nodeFileSystem, openSpool, type SpoolOptions } from '../src/index.js';
import { lines } from './support.js';

/** Whether a drain gets in while the lock has this holder. */
async function drainsWith(holder: string, options: Partial<SpoolOptions> = {}): Promise<boolean> {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path, ...options });
  await spool.append(lines('1'));
  await rename(`${path}/lock-0-free`, `${path}/lock-1-${holder}`);
  return !(await spool.drain(() => Promise.resolve())).busy;
}

async function ownHolder(): Promise<string> {
  await using dir = await tempDir();
  const spool = await openSpool({ path: dir.file('s') });
  await spool.append(lines('1'));
  let holder = '';
  await spool.drain(async () => {
    holder = (await readdir(dir.file('s'))).find((name) => name.startsWith('lock-'))?.replace(/^lock-\d+-/, '') ?? '';
  });
  return holder;
}

it('is not taken from a process that lives', async () => {
  expect(await drainsWith(await ownHolder(), { now: () => Date.now() + 1e9 })).toBe(false);
});

it('is taken from a process that is gone, also where another one has its number', async () => {
  const [machine, pid, start, nonce] = (await ownHolder()).split('.');
  expect(await drainsWith([machine, '2147483646', start, nonce].join('.'))).toBe(true);
  expect(await drainsWith([machine, pid, '1', nonce].join('.'))).toBe(true);
});

it('is taken from a machine that cannot be asked when it has given no sign of life for a while', async () => {
  const other = 'another-machine.1.unknown.aaaaaaaaaaaa';
  expect(await drainsWith(other)).toBe(false);
  expect(await drainsWith(other, { now: () => Date.now() + 61_000 })).toBe(true);
  expect(await drainsWith(other, { now: () => Date.now() + 61_000, lockTimeoutMs: Infinity })).toBe(false);
});

it('is taken where the sign of life is from a time that the clock has left again', async () => {
  const other = 'another-machine.1.unknown.aaaaaaaaaaaa';
  expect(await drainsWith(other, { now: () => Date.now() - 61_000 })).toBe(true);
});

it('is made again where somebody has removed it', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await spool.append(lines('1'));
  await unlink(`${path}/lock-0-free`);
  expect(await spool.drain(() => Promise.resolve())).toEqual({ delivered: 1, left: false, busy: false });
});

it('ends a drain that has lost it', async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const spool = await openSpool({ path });
  await spool.append(lines('1', '2'));
  const outcome = await spool.drain(
    async () => {
      const held = (await readdir(path)).find((name) => name.startsWith('lock-')) ?? '';
      await rename(`${path}/${held}`, `${path}/lock-9-another-machine.1.unknown.aaaaaaaaaaaa`);
    },
    { maxLines: 1 },
  );
  expect(outcome).toEqual({ delivered: 1, left: true, busy: false });
  expect((await spool.drain(() => Promise.resolve())).busy).toBe(true);
});

it('comes back when it could not be released, or when taking it failed halfway', async () => {
  await using dir = await tempDir();
  let failing: 'rename' | 'utimes' | undefined;
  const fileSystem = {
    ...nodeFileSystem,
    rename: (from: string, to: string) => (failing === 'rename' && to.endsWith('-free') ? Promise.reject(new Error('EIO')) : nodeFileSystem.rename(from, to)),
    utimes: (path: string, atime: number, mtime: number) => (failing === 'utimes' ? Promise.reject(new Error('EIO')) : nodeFileSystem.utimes(path, atime, mtime)),
  };
  const spool = await openSpool({ path: dir.file('s'), fileSystem });
  await spool.append(lines('1'));
  failing = 'utimes';
  await expect(spool.drain(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
  failing = 'rename';
  expect(await spool.drain(() => Promise.resolve())).toEqual({ delivered: 1, left: false, busy: false });
  failing = undefined;
  await spool.append(lines('2'));
  expect(await spool.drain(() => Promise.resolve())).toEqual({ delivered: 1, left: false, busy: false });
});
