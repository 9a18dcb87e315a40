import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { launchNode, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { drawEpoch } from '../src/epoch-counter.js';
import { EpochStoreError, fileEpochs } from '../src/epoch-file.js';
import type { SessionMemory } from '../src/index.js';

const SOURCE = 'aep://h/agent/a/session/s';

describe('a store of epochs in a folder', () => {
  it('gives a higher epoch at every opening, also to another store of the folder [E-074, E-075]', async () => {
    await using dir = await tempDir();
    const path = dir.file('deep', 'store');
    const epochs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const store = fileEpochs({ path, now: () => 0 });
      epochs.push((await store.open('s', SOURCE)).epoch, (await store.open('s', SOURCE)).epoch);
      await store.close!();
    }
    expect(epochs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('is not behind the clock, so that epochs grow also when the folder was lost; a clock set back changes nothing [E-075]', async () => {
    await using dir = await tempDir();
    let now = 1_800_000_000_000;
    const at = (): Promise<SessionMemory> => fileEpochs({ path: dir.file('s'), now: () => now }).open('s', SOURCE);
    expect((await at()).epoch).toBe(now);
    now -= 1_000_000;
    expect((await at()).epoch).toBe(now + 1_000_001);
    for (const nonsense of [Number.NaN, Infinity, -5, 2 ** 60]) {
      now = nonsense;
      expect(Number.isSafeInteger((await at()).epoch)).toBe(true);
    }
    expect((await fileEpochs({ path: dir.file('s'), now: () => 0 }).open('s', SOURCE, 1_900_000_000_000)).epoch).toBe(1_900_000_000_001);
  });

  it('never gives one epoch to two processes, on a folder that all of them make [E-075]', { timeout: 60_000 }, async () => {
    await using dir = await tempDir();
    const program = fileURLToPath(new URL('./epoch-program.mjs', import.meta.url));
    const processes = Array.from({ length: 4 }, () => launchNode(program, { args: [dir.file('store'), '100'] }));
    const drawn = (await Promise.all(processes.map(({ exit }) => exit))).map(({ stdout, stderr, code }) => {
      expect([code, stderr]).toEqual([0, '']);
      return stdout.trim().split('\n').map(Number);
    });
    expect(drawn.map(({ length }) => length)).toEqual([100, 100, 100, 100]);
    expect(new Set(drawn.flat()).size).toBe(400);
    for (const own of drawn) expect(own).toEqual(own.toSorted((a, b) => a - b));
  });

  it('remembers source, ends and open requests of a session [E-132, T-234]', async () => {
    await using dir = await tempDir();
    const open = async (name: string, source = SOURCE) => {
      const store = fileEpochs({ path: dir.path, now: () => 0 });
      return { store, memory: await store.open(name, source) };
    };
    const { store, memory } = await open('s');
    expect(memory).toEqual({ epoch: 1, source: SOURCE });
    store.note!('s', { type: 'run-closed', run: 'r1' });
    store.note!('s', { type: 'requested', request: { id: 'a', kind: 'form', subject: 'x', fields: [{ id: 'f', type: 'string', label: 'f' }] } });
    store.note!('s', { type: 'requested', request: { id: 'b', kind: 'input' } });
    store.note!('s', { type: 'settled', id: 'b' });
    const second = await open('s', 'aep://elsewhere');
    expect(second.memory).toEqual({ epoch: 2, source: SOURCE, ended: false, closedRuns: ['r1'], requests: [{ id: 'a', kind: 'form', subject: 'x', fields: [{ id: 'f', type: 'string', label: 'f' }] }] });
    second.store.note!('s', { type: 'ended' });
    expect((await open('s')).memory).toMatchObject({ epoch: 3, ended: true });
    expect((await open('other')).memory).toEqual({ epoch: 4, source: SOURCE });
    store.note!('unknown', { type: 'ended' });
  });

  it('passes over what a crash left half, and makes whole what it found', async () => {
    await using dir = await tempDir();
    const first = fileEpochs({ path: dir.path });
    await first.open('s', SOURCE);
    first.note!('s', { type: 'run-closed', run: 'r1' });
    const [name] = await readdir(dir.file('sessions'));
    const file = dir.file('sessions', name!);
    const whole = await readFile(file, 'utf8');
    for (const rest of ['', '{"type":"run-clo', '{"type":"run-closed"}\n{"type":"requested","request":5}\nnull\n"x"\n\0\0\0', '{"type":"ended"']) {
      await writeFile(file, whole + rest);
      expect(await fileEpochs({ path: dir.path }).open('s', SOURCE)).toMatchObject({ ended: false, closedRuns: ['r1'], requests: [] });
      expect(await readFile(file, 'utf8')).toBe(whole);
    }
    await writeFile(file, 'nothing of this kind');
    expect(await fileEpochs({ path: dir.path }).open('s', SOURCE)).toEqual({ epoch: expect.any(Number), source: SOURCE });
  });

  it('keeps a note that comes behind one that a full disk cut', async (context) => {
    await using dir = await tempDir();
    const mount = dir.file('mount');
    await mkdir(mount);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount], { stdio: 'ignore' });
    } catch {
      context.skip('needs the right to mount a small tmpfs');
    }
    try {
      const store = fileEpochs({ path: `${mount}/e` });
      await store.open('s', SOURCE);
      const request = (id: string, subject: string): void => store.note!('s', { type: 'requested', request: { id, kind: 'input', subject } });
      request('r1', 'fits');
      expect(() => {
        request('r2', 'x'.repeat(100_000));
      }).toThrow('ENOSPC');
      // Makes room: what is cut off stays cut off.
      const [name] = await readdir(`${mount}/e/sessions`);
      await truncate(`${mount}/e/sessions/${name!}`, 500);
      store.note!('s', { type: 'ended' });
      expect(await fileEpochs({ path: `${mount}/e` }).open('s', SOURCE)).toMatchObject({ ended: true, requests: [{ id: 'r1' }] });
    } finally {
      execFileSync('umount', ['-l', mount]);
    }
  });

  it('passes over a file in the counter that is spelt in another way', { timeout: 5000 }, async () => {
    await using dir = await tempDir();
    const store = fileEpochs({ path: dir.path, now: () => 0 });
    const { epoch } = await store.open('s', SOURCE);
    await writeFile(dir.file('counter', `epoch.00${epoch + 5}`), '');
    expect((await store.open('s', SOURCE)).epoch).toBe(epoch + 1);
  });

  it.runIf(process.platform === 'linux')('fails at once where no folder can be made', async () => {
    await expect(fileEpochs({ path: '/proc/aepkit/deep' }).open('s', SOURCE)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('takes any name, and keeps files and folders to their owner [E-122]', async () => {
    await using dir = await tempDir();
    const store = fileEpochs({ path: dir.file('store') });
    for (const name of ['../../escape', 'a/b', '..', 'CON', 'ä', 'a\u0308', 'A', 'a', 'x'.repeat(512)]) await store.open(name, SOURCE);
    const names = await readdir(dir.file('store', 'sessions'));
    expect(names).toHaveLength(9);
    expect(await readdir(dir.path)).toEqual(['store']);
    for (const file of ['sessions', 'counter']) expect((await stat(dir.file('store', file))).mode & 0o077).toBe(0);
    for (const name of names) expect((await stat(dir.file('store', 'sessions', name))).mode & 0o077).toBe(0);
  });

  it('remembers so many sessions, those touched last', async () => {
    await using dir = await tempDir();
    const open = (name: string) => fileEpochs({ path: dir.path, maxSessions: 10, now: () => 0 }).open(name, SOURCE);
    for (let count = 0; count < 10; count += 1) {
      await open(`s${count}`);
      for (const name of await readdir(dir.file('sessions'))) await utimes(dir.file('sessions', name), 1000 + count, 1000 + count).catch(() => undefined);
    }
    expect(await readdir(dir.file('sessions'))).toHaveLength(10);
    await open('new');
    expect(await readdir(dir.file('sessions'))).toHaveLength(9);
    // Forgotten or not: no epoch comes again.
    expect((await open('s0')).epoch).toBe(12);
  });

  it('says why it cannot be used, and refuses options that are none', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('file'), '');
    await expect(fileEpochs({ path: dir.file('file') }).open('s', SOURCE)).rejects.toMatchObject({ name: 'EpochStoreError', code: 'not-a-store' });
    await mkdir(dir.file('odd', 'counter'), { recursive: true });
    await writeFile(dir.file('odd', 'counter', 'epoch.x'), '');
    await expect(fileEpochs({ path: dir.file('odd') }).open('s', SOURCE)).rejects.toBeInstanceOf(EpochStoreError);
    const store = fileEpochs({ path: dir.file('fine') });
    await store.close!();
    await expect(store.open('s', SOURCE)).rejects.toMatchObject({ code: 'closed' });
    for (const options of [{ path: '' }, { path: 5 }, {}]) expect(() => fileEpochs(options as never)).toThrow(TypeError);
    for (const maxSessions of [0, -1, 1.5, Number.NaN]) expect(() => fileEpochs({ path: 'x', maxSessions })).toThrow(RangeError);
  });

  it('refuses a counter at its end rather than to count on', async () => {
    await using dir = await tempDir();
    await mkdir(dir.file('counter'));
    await writeFile(dir.file('counter', `epoch.${2 ** 53 - 1}`), '');
    await expect(drawEpoch(dir.file('counter'), 0)).rejects.toMatchObject({ code: 'not-a-store' });
  });
});
