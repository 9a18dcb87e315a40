import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tempDir } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nodeFileSystem, openSpool, type Spool, type SpoolFileSystem } from '../src/index.js';
import { hasLines } from '../src/peek.js';
import { drainAll, dyingFileSystem, expendable, lines } from './support.js';

describe('append and drain', () => {
  it('gives lines in the order they came, over several openings', async () => {
    await using dir = await tempDir();
    const path = dir.file('a/b/spool');
    const first = await openSpool({ path });
    expect(await first.append(lines('1', '2'))).toEqual({ kept: 2, dropped: 0 });
    const second = await openSpool({ path });
    await second.append(lines('3'));
    await first.append([...expendable('4'), ...lines('5')]);
    expect(await second.stats()).toEqual({ lines: 5, bytes: 4 * 4096, dropped: 0 });
    expect(hasLines(path)).toBe(true);
    expect(await drainAll(second)).toEqual(['1', '2', '3', '4', '5']);
    expect([await first.isEmpty(), hasLines(path), await drainAll(first)]).toEqual([true, false, []]);
  });

  it('keeps the order of calls that nobody waited for', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    const texts = Array.from({ length: 30 }, (_, n) => String(n));
    await Promise.all(texts.map((text) => spool.append(lines(text))));
    expect(await drainAll(spool)).toEqual(texts);
  });

  it('delivers bounded batches, and parts of an append', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    await spool.append(lines('1', '2', '3', '4', '5'));
    await spool.append(lines('6', '77777777'));
    const batches: string[][] = [];
    await spool.drain((batch) => (batches.push([...batch]), Promise.resolve()), { maxLines: 2 });
    expect(batches).toEqual([['1', '2'], ['3', '4'], ['5', '6'], ['77777777']]);
    await spool.append(lines('1', '22', '333333333', '4'));
    batches.length = 0;
    await spool.drain((batch) => (batches.push([...batch]), Promise.resolve()), { maxBytes: 5 });
    expect(batches).toEqual([['1', '22'], ['333333333'], ['4']]);
  });

  it('keeps what was given out first when its delivery fails, and says so with the error of the receiver', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    await spool.append(lines('1', '2', '3'));
    const gone = new Error('gone');
    const got: string[] = [];
    const failing = spool.drain(
      (batch) => {
        got.push(...batch);
        return got.length > 1 ? Promise.reject(gone) : Promise.resolve();
      },
      { maxLines: 1 },
    );
    await expect(failing).rejects.toBe(gone);
    expect([got, await spool.stats()]).toEqual([['1', '2'], expect.objectContaining({ lines: 2 })]);
    expect(await drainAll(spool)).toEqual(['2', '3']);
  });

  it('delivers what is appended during the drain', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    await spool.append(lines('1'));
    const got: string[] = [];
    const outcome = await spool.drain(async (batch) => {
      got.push(...batch);
      if (got.length < 4) await spool.append(lines(String(got.length + 1)));
    });
    expect([got, outcome]).toEqual([['1', '2', '3', '4'], { delivered: 4, left: false, busy: false }]);
  });

  it('ends a drain behind the delivery that runs, by signal and by close', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    await spool.append(lines('1', '2', '3'));
    const abort = new AbortController();
    const outcome = await spool.drain(() => (abort.abort(), Promise.resolve()), { maxLines: 1, signal: abort.signal });
    expect(outcome).toEqual({ delivered: 1, left: true, busy: false });
    const begun = Promise.withResolvers<undefined>();
    const go = Promise.withResolvers<undefined>();
    const running = spool.drain(() => (begun.resolve(undefined), go.promise), { maxLines: 1 });
    await begun.promise;
    const closed = spool.close();
    go.resolve(undefined);
    await closed;
    expect(await running).toEqual({ delivered: 1, left: true, busy: false });
    await expect(spool.append(lines('x'))).rejects.toMatchObject({ code: 'closed' });
    await expect(spool.drain(() => Promise.resolve())).rejects.toMatchObject({ code: 'closed' });
    expect(await drainAll(await openSpool({ path: dir.file('s') }))).toEqual(['3']);
  });

  it('lets one drainer in at a time', async () => {
    await using dir = await tempDir();
    const [a, b] = [await openSpool({ path: dir.file('s') }), await openSpool({ path: dir.file('s') })];
    await a.append(lines('1'));
    const outcomes: unknown[] = [];
    await a.drain(async () => {
      for (const spool of [a, b]) outcomes.push(await spool.drain(() => Promise.reject(new Error('never'))));
    });
    expect(outcomes).toEqual([{ delivered: 0, left: true, busy: true }, { delivered: 0, left: true, busy: true }]);
    expect((await b.drain(() => Promise.resolve())).busy).toBe(false);
  });

  it('goes on when somebody removes the folder', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    const spool = await openSpool({ path });
    await rm(path, { recursive: true });
    expect(await spool.append(lines('1'))).toEqual({ kept: 1, dropped: 0 });
    expect(await drainAll(spool)).toEqual(['1']);
  });
});

describe('a spool that is full', () => {
  it('gives up expendable lines first, the oldest first, and counts them', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s'), maxBytes: 4 * 4096 });
    await spool.append(lines('1'));
    await spool.append(expendable('2', '3'));
    await spool.append(expendable('4'));
    await spool.append(lines('5'));
    expect(await spool.append(expendable('6'))).toEqual({ kept: 0, dropped: 1 });
    expect(await spool.append(lines('7'))).toEqual({ kept: 1, dropped: 2 });
    expect(await spool.append(lines('8'))).toEqual({ kept: 1, dropped: 1 });
    expect(await spool.append(lines('9'))).toEqual({ kept: 0, dropped: 1 });
    expect(await spool.stats()).toEqual({ lines: 4, bytes: 4 * 4096, dropped: 5 });
    expect(await drainAll(spool)).toEqual(['1', '5', '7', '8']);
    expect([await spool.takeDropped(), await spool.takeDropped()]).toEqual([5, 0]);
  });

  it('gives nothing up for a line that finds no room anyway', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s'), maxBytes: 2 * 4096 });
    await spool.append(expendable('1'));
    expect(await spool.append(lines('x'.repeat(9000)))).toEqual({ kept: 0, dropped: 1 });
    expect(await drainAll(spool)).toEqual(['1']);
  });

  it('keeps the lines of an append that find room', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s'), maxBytes: 4096 });
    expect(await spool.append(lines('a'.repeat(2000), 'b'.repeat(2000), 'c'.repeat(2000)))).toEqual({ kept: 2, dropped: 1 });
    expect((await drainAll(spool)).map((text) => text[0])).toEqual(['a', 'b']);
  });

  it('does not count what was given up while it was in delivery', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s'), maxBytes: 4096 });
    await spool.append(expendable('1', '2'));
    const got: string[] = [];
    await spool.drain(async (batch) => {
      got.push(...batch);
      if (got.length === 2) expect(await spool.append(lines('3'))).toEqual({ kept: 1, dropped: 2 });
    });
    expect([got, await spool.stats()]).toEqual([['1', '2', '3'], { lines: 0, bytes: 0, dropped: 0 }]);
  });
});

describe('the folder', () => {
  it('is for its owner only, and so are its files', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    await mkdir(path);
    await chmod(path, 0o755);
    const spool = await openSpool({ path });
    await spool.append(lines('1'));
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a file', (path: string) => writeFile(path, '')],
    ['a folder of something else', async (path: string) => {
      await mkdir(path);
      await writeFile(join(path, 'notes.txt'), '');
    }],
  ])('is refused when it is %s', async (_, make) => {
    await using dir = await tempDir();
    await make(dir.file('s'));
    await expect(openSpool({ path: dir.file('s') })).rejects.toMatchObject({ name: 'SpoolError', code: 'not-a-spool' });
  });
});

describe('faults', () => {
  const failing = (write: () => Promise<never>): SpoolFileSystem => ({
    ...nodeFileSystem,
    open: async (path, flags, mode) => {
      const file = await nodeFileSystem.open(path, flags, mode);
      return path.includes('tmp-') ? { write, sync: () => file.sync(), close: () => file.close() } : file;
    },
  });

  it('reports a full disk, and nothing of the line is left', async () => {
    await using dir = await tempDir();
    const fileSystem = failing(() => Promise.reject(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })));
    const spool = await openSpool({ path: dir.file('s'), fileSystem });
    await expect(spool.append(lines('1'))).rejects.toMatchObject({ code: 'no-space' });
    expect((await readdir(dir.file('s'))).filter((name) => /^tmp-|lines$/.test(name))).toEqual([]);
  });

  it('goes on after a short write', async () => {
    await using dir = await tempDir();
    const fileSystem: SpoolFileSystem = {
      ...nodeFileSystem,
      open: async (path, flags, mode) => {
        const file = await nodeFileSystem.open(path, flags, mode);
        return { write: ((bytes: Uint8Array, at: number) => file.write(bytes, at, 1)) as typeof file.write, sync: () => file.sync(), close: () => file.close() };
      },
    };
    const spool = await openSpool({ path: dir.file('s'), fileSystem, fsync: true });
    await spool.append(lines('häß', '2'));
    expect(await drainAll(spool)).toEqual(['häß', '2']);
  });

  it('gives the whole lines of a file that the disk has lost a part of, and counts the rest', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('s') });
    await spool.append(lines('one', 'two', 'three'));
    const name = (await readdir(dir.file('s'))).find((file) => file.endsWith('.lines')) ?? '';
    await writeFile(dir.file(`s/${name}`), 'one\ntw');
    expect([await drainAll(spool), (await spool.stats()).dropped]).toEqual([['one'], 2]);
    await spool.append(lines('one', 'two'));
    const next = (await readdir(dir.file('s'))).find((file) => file.endsWith('.lines')) ?? '';
    await writeFile(dir.file(`s/${next}`), 'one\n\0\0\0\0');
    expect([await drainAll(spool), (await spool.stats()).dropped]).toEqual([['one'], 3]);
  });

  it.each([false, true])('loses nothing acknowledged and repeats one delivery at most, wherever a process dies (done: %s)', async (done) => {
    for (let at = 1; ; at += 1) {
      await using dir = await tempDir();
      const path = dir.file('s');
      const { fileSystem, died } = dyingFileSystem(at, done);
      const acknowledged: string[] = [];
      const delivered: string[] = [];
      let inDelivery: readonly string[] = [];
      const mortal = async (): Promise<void> => {
        const spool = await openSpool({ path, fileSystem });
        for (const texts of [['1', '2', '3'], ['4'], ['5', '6']]) {
          await spool.append(lines(...texts));
          acknowledged.push(...texts);
        }
        const deliver = (batch: readonly string[]): Promise<void> => {
          // The delivery before is over.
          delivered.push(...inDelivery);
          inDelivery = batch;
          return Promise.resolve();
        };
        await spool.drain(deliver, { maxLines: 2 });
        delivered.push(...inDelivery);
        inDelivery = [];
      };
      await mortal().catch(() => undefined);
      const spool = await openSpool({ path });
      // The holder of the lock is this process, and lives: what tells that it is gone is tested with real processes.
      for (const name of await readdir(path)) if (name.startsWith('lock-')) await rm(join(path, name));
      const rest = await drainAll(spool);
      const all = ['1', '2', '3', '4', '5', '6'];
      const from = rest.length === 0 ? all.length : all.indexOf(rest[0] ?? '');
      // What is left is an end of what was appended, and begins with the delivery that was on its way at the latest.
      expect(rest).toEqual(all.slice(from, from + rest.length));
      expect([...acknowledged].every((text) => rest.includes(text) || delivered.includes(text) || inDelivery.includes(text))).toBe(true);
      expect(rest.filter((text) => delivered.includes(text))).toEqual([]);
      if (!died()) return;
    }
  });
});

it('does what a list does (model)', async () => {
  type Step = { append: { text: string; expendable: boolean }[] } | { drain: number; fail: number };
  const line = fc.record({ text: fc.string({ minLength: 1, unit: 'binary-ascii' }).filter((text) => !/[\r\n]/.test(text)), expendable: fc.boolean() });
  const step: fc.Arbitrary<Step> = fc.oneof(fc.record({ append: fc.array(line, { maxLength: 6 }) }), fc.record({ drain: fc.integer({ min: 1, max: 5 }), fail: fc.integer({ min: 0, max: 4 }) }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await using dir = await tempDir();
      const spools: Spool[] = [await openSpool({ path: dir.file('s') }), await openSpool({ path: dir.file('s') })];
      let model: string[] = [];
      for (const [index, current] of steps.entries()) {
        const spool = spools[index % 2]!;
        if ('append' in current) {
          expect(await spool.append(current.append)).toEqual({ kept: current.append.length, dropped: 0 });
          model.push(...current.append.map(({ text }) => text));
        } else {
          let calls = 0;
          const outcome = await spool
            .drain(
              (batch) => {
                calls += 1;
                expect(batch).toEqual(model.slice(0, current.drain));
                if (calls === current.fail) return Promise.reject(new Error('refused'));
                model = model.slice(current.drain);
                return Promise.resolve();
              },
              { maxLines: current.drain },
            )
            .catch(() => undefined);
          if (outcome !== undefined) expect([outcome.left, model]).toEqual([false, []]);
        }
        expect((await spool.stats()).lines).toBe(model.length);
      }
    }),
    { numRuns: 40 },
  );
});
