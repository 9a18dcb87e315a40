import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { buildSession, manualClock, tempDir, type ManualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { followJsonl, type FollowItem, type FollowOptions, type JsonlPosition } from '../src/follow.js';
import { faultyFileSystem, ids, others, probe, type Probe } from './support.js';

const events = buildSession(60);
const names = events.map(({ event }) => event.id);
/** Lines of the Events from `from` up to `to`. */
const lines = (from: number, to: number): string => events.slice(from, to).map(({ json }) => `${json}\n`).join('');

interface At {
  readonly path: string;
  readonly clock: ManualClock;
  file(...parts: string[]): string;
  /** Follows by polls of a clock that stands still, so that a test decides what happens between two looks. */
  polled(options?: FollowOptions): Probe;
  /** Lets a poll pass and the look behind it come to rest. */
  poll(): Promise<void>;
}

async function at(run: (at: At) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const clock = manualClock();
  const probes: Probe[] = [];
  const path = dir.file('a.jsonl');
  await run({
    path,
    clock,
    file: (...parts) => dir.file(...parts),
    polled: (options) => {
      const made = probe(path, { watch: false, timers: clock, now: () => clock.now(), ...options });
      probes.push(made);
      return made;
    },
    async poll() {
      await clock.advance(1_000);
    },
  });
  for (const made of probes) await made.stop();
  expect(clock.pending()).toBe(0);
}

/** Waits for Events and asserts that they are these, once each and in order. */
async function expectEvents(follower: Probe, to: number): Promise<void> {
  expect(await follower.events(to)).toEqual(names.slice(0, to));
}

describe('followJsonl', () => {
  it('gives what is there and what comes, as a live feed [B-014]', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 2) + events[2]!.json.slice(0, 30));
      const follower = polled();
      await expectEvents(follower, 2);
      appendFileSync(path, `${events[2]!.json.slice(30)}\n${lines(3, 5)}{}\n`);
      await poll();
      await expectEvents(follower, 5);
      await follower.seen('bad');
      expect(others(follower.items)).toEqual(['opened', 'bad']);
    });
  });

  it('hears of changes from the system, without waiting for a poll [B-014]', async () => {
    await at(async ({ path }) => {
      await using follower = probe(path, { pollMs: Infinity });
      writeFileSync(path, lines(0, 1));
      await expectEvents(follower, 1);
      for (let next = 1; next < 5; next += 1) {
        appendFileSync(path, lines(next, next + 1));
        await expectEvents(follower, next + 1);
      }
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(5, 6));
      await expectEvents(follower, 6);
    });
  });

  it('misses nothing that happens between a look and the wait behind it', async () => {
    await at(async ({ path, clock }) => {
      writeFileSync(path, lines(0, 1));
      const { fileSystem } = faultyFileSystem();
      let next = 1;
      let report = (): void => undefined;
      // Whenever the follower has looked the file over and found nothing new, the next line is written, and reported at once.
      const racing = {
        ...fileSystem,
        facts: async (name: string) => {
          const facts = await fileSystem.facts(name);
          if (name === path && next < 20) {
            appendFileSync(path, lines(next, next + 1));
            next += 1;
            report();
          }
          return facts;
        },
      };
      await using follower = probe(path, {
        fileSystem: racing,
        timers: clock,
        watch: (_directory, changed) => {
          report = () => {
            changed('a.jsonl');
          };
          return () => undefined;
        },
      });
      await expectEvents(follower, 20);
    });
  });

  it('ends when its signal fires, also one that fired before, and when the caller leaves; nothing stays open', async () => {
    await at(async ({ path, clock }) => {
      writeFileSync(path, lines(0, 3));
      const { fileSystem, faults } = faultyFileSystem();
      const options = { fileSystem, timers: clock as never };
      const quiet = probe(path, options);
      await quiet.events(3);
      await quiet.stop();
      const seen: FollowItem[] = [];
      for await (const item of followJsonl(path, { ...options, signal: AbortSignal.abort() })) seen.push(item);
      expect(seen).toEqual([]);
      for await (const item of followJsonl(path, options)) {
        seen.push(item);
        if (item.type === 'event') break;
      }
      expect(seen).toHaveLength(2);
      const control = new AbortController();
      for await (const item of followJsonl(path, { ...options, signal: control.signal })) {
        seen.push(item);
        if (item.type === 'event') control.abort();
      }
      expect(seen).toHaveLength(4);
      expect([faults.open, clock.pending()]).toEqual([0, 0]);
    });
  });

  it('is iterated once', async () => {
    await at(async ({ path }) => {
      const follower = followJsonl(path, { signal: AbortSignal.abort() });
      const iterate = async (): Promise<void> => {
        for await (const item of follower) expect(item).toBeUndefined();
      };
      await iterate();
      await expect(iterate()).rejects.toThrow(TypeError);
    });
  });

  it('reads no further than the caller takes', async () => {
    await at(async ({ path }) => {
      writeFileSync(path, lines(0, 50));
      const { fileSystem } = faultyFileSystem();
      let bytes = 0;
      const counting = {
        ...fileSystem,
        openRead: async (name: string) => {
          const file = await fileSystem.openRead(name);
          return {
            ...file,
            read: async (into: Uint8Array, offset: number) => {
              const read = await file.read(into, offset);
              bytes += read;
              return read;
            },
          };
        },
      };
      for await (const item of followJsonl(path, { fileSystem: counting, watch: false, chunkBytes: 1_000 })) if (item.type === 'event') break;
      expect(bytes).toBeLessThanOrEqual(1_000);
    });
  });

  it('can begin at the end, behind the last whole line', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 3) + events[3]!.json.slice(0, 9));
      const follower = polled({ from: 'end' });
      await follower.seen('opened');
      appendFileSync(path, `${events[3]!.json.slice(9)}\n`);
      await poll();
      expect(await follower.events(1)).toEqual(names.slice(3, 4));
      expect(follower.items[0]).toMatchObject({ type: 'opened', line: 1, offset: Buffer.byteLength(lines(0, 3)) });
    });
  });

  it('waits for a file, and for the folder it is in', async () => {
    await at(async ({ file }) => {
      const path = file('later', 'on', 'a.jsonl');
      const clock = manualClock();
      for (const watch of [false, undefined] as const) {
        await using follower = probe(path, { timers: clock, ...(watch === false ? { watch } : {}) });
        await follower.seen('missing');
        mkdirSync(file('later', 'on'), { recursive: true });
        writeFileSync(path, lines(0, 2));
        await clock.advance(1_000);
        await expectEvents(follower, 2);
        expect(others(follower.items)).toEqual(['missing', 'opened']);
        await follower.stop();
        rmSync(file('later'), { recursive: true });
      }
    });
  });

  it('tells when the system reports no changes, and polls', async () => {
    await at(async ({ path, polled, poll, file }) => {
      writeFileSync(path, lines(0, 1));
      const follower = polled({
        watch: (_directory, _changed, failed) => {
          failed(Object.assign(new Error('full'), { code: 'ENOSPC' }));
          return () => undefined;
        },
      });
      await follower.seen('polling');
      expect(follower.items.filter(({ type }) => type === 'polling')).toEqual([{ type: 'polling', directory: file(), errno: 'ENOSPC' }]);
      appendFileSync(path, lines(1, 2));
      await poll();
      await expectEvents(follower, 2);
    });
  });

  it('takes a regular file that it may read, and tells anything else by a code', async () => {
    await at(async ({ file, path }) => {
      mkdirSync(file('folder'));
      const run = async (name: string, options: FollowOptions = {}): Promise<void> => {
        for await (const item of followJsonl(name, { watch: false, ...options })) expect(item).toBeUndefined();
      };
      await expect(run(file('folder'))).rejects.toMatchObject({ name: 'JsonlFollowError', code: 'not-a-file' });
      await expect(run('/dev/null')).rejects.toMatchObject({ code: 'not-a-file' });
      writeFileSync(path, '');
      chmodSync(path, 0o000);
      const { fileSystem, faults } = faultyFileSystem();
      faults.fail.openRead = 'EACCES';
      await expect(run(path, { fileSystem })).rejects.toMatchObject({ code: 'unreadable', errno: 'EACCES', path });
    });
  });
});

describe('a file that is rotated', () => {
  it('by rename is read to its end before the new one', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 2));
      const follower = polled();
      await expectEvents(follower, 2);
      appendFileSync(path, lines(2, 4));
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(4, 6));
      await poll();
      await expectEvents(follower, 6);
      expect(others(follower.items)).toEqual(['opened', 'rotated', 'opened']);
    });
  });

  it('several times between two looks is read in whole, each Event once', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(`${path}.0`, lines(50, 51));
      writeFileSync(path, lines(0, 2));
      const follower = polled({ maxLateFiles: 2 });
      await expectEvents(follower, 2);
      for (let round = 1; round <= 6; round += 1) {
        appendFileSync(path, lines(4 * round - 2, 4 * round));
        renameSync(path, `${path}.${String(round)}`);
        writeFileSync(path, lines(4 * round, 4 * round + 2));
      }
      await poll();
      await expectEvents(follower, 26);
      appendFileSync(path, lines(26, 28));
      renameSync(path, `${path}.7`);
      writeFileSync(path, lines(28, 30));
      await poll();
      await expectEvents(follower, 30);
      appendFileSync(path, lines(30, 31));
      await poll();
      await expectEvents(follower, 31);
    });
  });

  it('and not made anew is read to the last of its files, and has a position in it', async () => {
    await at(async (here) => {
      const { path, poll, polled } = here;
      writeFileSync(path, lines(0, 1));
      const follower = polled({ maxLateFiles: 0, lateMs: 0 });
      await expectEvents(follower, 1);
      for (let round = 1; round <= 3; round += 1) {
        renameSync(path, `${path}.${String(round)}`);
        writeFileSync(path, lines(round, round + 1));
      }
      renameSync(path, `${path}.4`);
      await poll();
      await expectEvents(follower, 4);
      for (let round = 0; round < 3; round += 1) await poll();
      const position = follower.follower.position();
      appendFileSync(`${path}.4`, lines(4, 5));
      await poll();
      await expectEvents(follower, 5);
      await follower.stop();
      writeFileSync(path, lines(5, 6));
      const again = polled({ from: position! });
      expect(await again.events(2)).toEqual(names.slice(4, 6));
    });
  });

  it('and moved back is read on, not again', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 2));
      const follower = polled();
      await expectEvents(follower, 2);
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(2, 3));
      await poll();
      await expectEvents(follower, 3);
      renameSync(path, `${path}.2`);
      renameSync(`${path}.1`, path);
      appendFileSync(path, lines(3, 5));
      await poll();
      await expectEvents(follower, 5);
    });
  });

  it('and is back at its place before it is opened is left alone', async () => {
    await at(async ({ path, poll, polled }) => {
      const { fileSystem } = faultyFileSystem();
      let away = false;
      const swapping = {
        ...fileSystem,
        facts: async (name: string) => {
          const facts = await fileSystem.facts(name);
          if (name !== path || !away || facts === undefined) return facts;
          away = false;
          return { ...facts, id: '0:0' };
        },
      };
      writeFileSync(path, lines(0, 2));
      const follower = polled({ fileSystem: swapping });
      await expectEvents(follower, 2);
      away = true;
      appendFileSync(path, lines(2, 3));
      await poll();
      await expectEvents(follower, 3);
      appendFileSync(path, lines(3, 4));
      await poll();
      await expectEvents(follower, 4);
      expect(others(follower.items)).toEqual(['opened']);
    });
  });

  it('before the first look is found', async () => {
    await at(async ({ path, poll, polled }) => {
      const follower = polled();
      await follower.seen('missing');
      writeFileSync(path, lines(0, 2));
      renameSync(path, `${path}.1`);
      await poll();
      await expectEvents(follower, 2);
      writeFileSync(path, lines(2, 3));
      await poll();
      await expectEvents(follower, 3);
      expect(others(follower.items)).toEqual(['missing', 'opened', 'rotated', 'opened']);
    });
  });

  it('still gives lines that reach the old file late, for a while', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 1));
      const follower = polled({ lateMs: 3_000 });
      await expectEvents(follower, 1);
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(1, 2));
      await poll();
      await expectEvents(follower, 2);
      appendFileSync(`${path}.1`, lines(2, 3) + '{"torn');
      await poll();
      await expectEvents(follower, 3);
      for (let round = 0; round < 3; round += 1) await poll();
      await follower.seen('tail');
      appendFileSync(`${path}.1`, `\n${lines(30, 31)}`);
      appendFileSync(path, lines(3, 4));
      await poll();
      await expectEvents(follower, 4);
    });
  });

  it('by removal and creation is followed, whatever inode the new file gets', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 3));
      const follower = polled();
      await expectEvents(follower, 3);
      unlinkSync(path);
      await poll();
      await follower.seen('missing');
      writeFileSync(path, lines(3, 4));
      await poll();
      await expectEvents(follower, 4);
      // Removed and made again between two looks.
      unlinkSync(path);
      writeFileSync(path, lines(4, 8));
      await poll();
      await expectEvents(follower, 8);
    });
  });

  it('by turning a symbolic link is followed, in the folder of what it names as well', async () => {
    await at(async ({ path, file }) => {
      mkdirSync(file('store'));
      writeFileSync(file('store', 'one'), lines(0, 2));
      symlinkSync(file('store', 'one'), path);
      await using follower = probe(path, { pollMs: 200 });
      await expectEvents(follower, 2);
      appendFileSync(file('store', 'one'), lines(2, 3));
      await expectEvents(follower, 3);
      writeFileSync(file('store', 'two'), lines(3, 5));
      symlinkSync(file('store', 'two'), `${path}.tmp`);
      renameSync(`${path}.tmp`, path);
      await expectEvents(follower, 5);
      appendFileSync(file('store', 'two'), lines(5, 6));
      await expectEvents(follower, 6);
    });
  });

  it('and packed is read once: the packed copy is no log', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 2));
      const follower = polled();
      await expectEvents(follower, 2);
      appendFileSync(path, lines(2, 3));
      renameSync(path, `${path}.1`);
      writeFileSync(`${path}.1.gz`, gzipSync(readFileSync(`${path}.1`)));
      unlinkSync(`${path}.1`);
      writeFileSync(path, lines(3, 4));
      await poll();
      await expectEvents(follower, 4);
      await poll();
      expect(others(follower.items)).toEqual(['opened', 'rotated', 'opened']);
    });
  });

  it('into a name that only the caller knows is found by the rule of the caller', async () => {
    await at(async ({ path, poll, polled, file }) => {
      writeFileSync(path, lines(0, 1));
      const follower = polled({ isRotated: (name, base) => name.startsWith('a-') && base === 'a.jsonl' });
      await expectEvents(follower, 1);
      renameSync(path, file('a-1.old'));
      writeFileSync(path, lines(1, 2));
      renameSync(path, file('a-2.old'));
      writeFileSync(path, lines(2, 3));
      await poll();
      await expectEvents(follower, 3);
    });
  });
});

describe('a file that is truncated in place', () => {
  it.each([
    ['shorter than it was read', 4, 5],
    ['longer than it was read', 4, 20],
  ])('and written again, %s, starts at 0, each Event once', async (_name, from, to) => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 4));
      const follower = polled();
      await expectEvents(follower, 4);
      // Same inode, and the same first line as before would be.
      truncateSync(path, 0);
      appendFileSync(path, lines(from, to));
      await poll();
      await expectEvents(follower, to);
      expect(others(follower.items)).toEqual(['opened', 'truncated']);
      expect(follower.items.find(({ type }) => type === 'truncated')).toMatchObject({ offset: Buffer.byteLength(lines(0, 4)) });
    });
  });

  it('after a copy was made loses nothing that is in the copy', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 4) + events[4]!.json.slice(0, 20));
      const follower = polled();
      await expectEvents(follower, 4);
      for (let round = 1; round <= 3; round += 1) {
        const first = 4 * round;
        appendFileSync(path, `${round === 1 ? events[4]!.json.slice(20) : events[first]!.json}\n${lines(first + 1, first + 3)}`);
        copyFileSync(path, `${path}.${String(round)}`);
        truncateSync(path, 0);
        appendFileSync(path, lines(first + 3, first + 4));
        await poll();
        await expectEvents(follower, first + 4);
      }
      // The copies are no missed rotations.
      renameSync(path, `${path}.9`);
      writeFileSync(path, lines(16, 17));
      await poll();
      await expectEvents(follower, 17);
    });
  });

  it('to nothing and left alone is followed on', async () => {
    await at(async ({ path, poll, polled }) => {
      writeFileSync(path, lines(0, 2));
      const follower = polled();
      await expectEvents(follower, 2);
      truncateSync(path, 0);
      await poll();
      await follower.seen('truncated');
      await poll();
      appendFileSync(path, lines(2, 3));
      await poll();
      await expectEvents(follower, 3);
      expect(others(follower.items)).toEqual(['opened', 'truncated']);
    });
  });
});

describe('a position', () => {
  /** Reads on from a position, as another process would, up to a last Event that is added here, and gives what comes before that. */
  async function resume({ polled, path }: At, from: JsonlPosition | undefined): Promise<{ readonly items: FollowItem[]; readonly position: JsonlPosition }> {
    appendFileSync(path, lines(59, 60));
    const follower = polled(from === undefined ? {} : { from: JSON.parse(JSON.stringify(from)) as JsonlPosition });
    await follower.until((items) => ids(items).includes(names[59]!));
    await follower.stop();
    const end = follower.items.findIndex((item) => item.type === 'event' && item.event.event.id === names[59]);
    expect(follower.items.slice(end + 1)).toEqual([]);
    return { items: follower.items.slice(0, end), position: follower.follower.position()! };
  }

  it.each([65_536, 100])('behind every item leads to all the rest and nothing else, in chunks of %i bytes [B-170]', async (chunkBytes) => {
    await at(async ({ path }) => {
      writeFileSync(path, `\ufeff${lines(0, 2)}\n{}\r\n${lines(2, 3)}{"aep":"9.0"}\n{"aep":"9.0"}\n${lines(3, 4)}`);
      const read = async (from: JsonlPosition | undefined): Promise<{ items: FollowItem[]; positions: JsonlPosition[] }> => {
        const follower = followJsonl(path, { chunkBytes, watch: false, ...(from === undefined ? {} : { from }) });
        const items: FollowItem[] = [];
        const positions: JsonlPosition[] = [];
        for await (const item of follower) {
          items.push(item);
          positions.push(follower.position()!);
          if (item.type === 'event' && item.event.event.id === names[3]) break;
        }
        return { items, positions };
      };
      const isLine = ({ type }: FollowItem): boolean => type === 'event' || type === 'bad' || type === 'blank';
      const { items, positions } = await read(undefined);
      expect(ids(items)).toEqual(names.slice(0, 4));
      for (const [index, position] of positions.slice(0, -1).entries()) {
        expect((await read(position)).items.filter(isLine)).toEqual(items.slice(index + 1).filter(isLine));
      }
    });
  });

  it('is found again in a file that was rotated since, with all that came behind it [B-170]', async () => {
    await at(async (here) => {
      const { path } = here;
      writeFileSync(`${path}.20250101T000000000Z-000000000000`, lines(50, 52));
      writeFileSync(path, lines(0, 4));
      const first = here.polled();
      await first.events(4);
      await first.stop();
      const position = first.follower.position();
      for (let round = 1; round <= 3; round += 1) {
        appendFileSync(path, lines(4 * round, 4 * round + 2));
        renameSync(path, `${path}.2026010${String(round)}T000000000Z-000000000000`);
        writeFileSync(path, lines(4 * round + 2, 4 * round + 4));
      }
      const rest = await resume(here, position);
      expect(ids(rest.items)).toEqual(names.slice(4, 16));
      const again = await resume(here, rest.position);
      expect(ids(again.items)).toEqual([]);
    });
  });

  it('covers late lines of files that were rotated before', async () => {
    await at(async (here) => {
      const { path } = here;
      writeFileSync(path, lines(0, 1));
      const first = here.polled();
      await first.events(1);
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(1, 2));
      await here.poll();
      await first.events(2);
      await first.stop();
      appendFileSync(`${path}.1`, lines(2, 3));
      appendFileSync(path, lines(3, 4));
      const rest = await resume(here, first.follower.position());
      expect(ids(rest.items).toSorted()).toEqual(names.slice(2, 4));
    });
  });

  it.each([
    ['truncated and grown beyond it', (path: string) => { truncateSync(path, 0); appendFileSync(path, lines(10, 20)); }, 10, 20],
    ['cut shorter', (path: string) => { writeFileSync(path, lines(10, 11)); }, 10, 11],
    ['removed and made again', (path: string) => { unlinkSync(path); writeFileSync(path, lines(10, 20)); }, 10, 20],
  ])('in a file that was %s is lost, and said to be', async (_name, change, from, to) => {
    await at(async (here) => {
      writeFileSync(here.path, lines(0, 4));
      const first = here.polled();
      await first.events(4);
      await first.stop();
      change(here.path);
      const rest = await resume(here, first.follower.position());
      expect(ids(rest.items)).toEqual(names.slice(from, to));
      expect(others(rest.items)).toEqual(['lost', 'opened']);
    });
  });

  it('is found in a copy with another inode', async () => {
    await at(async (here) => {
      writeFileSync(here.path, lines(0, 4));
      const first = here.polled();
      await first.events(4);
      await first.stop();
      copyFileSync(here.path, `${here.path}.new`);
      renameSync(`${here.path}.new`, here.path);
      appendFileSync(here.path, lines(4, 6));
      const rest = await resume(here, first.follower.position());
      expect(ids(rest.items)).toEqual(names.slice(4, 6));
      expect(others(rest.items)).toEqual(['opened']);
    });
  });

  it('is none before a file was found, and the start of an empty one loses nothing', async () => {
    await at(async (here) => {
      const first = here.polled();
      await first.seen('missing');
      expect(first.follower.position()).toBeUndefined();
      writeFileSync(here.path, '');
      await here.poll();
      await first.seen('opened');
      const position = first.follower.position();
      expect(position).toMatchObject({ offset: 0, line: 1 });
      await first.stop();
      unlinkSync(here.path);
      writeFileSync(here.path, lines(0, 1));
      const rest = await resume(here, position);
      expect([ids(rest.items), others(rest.items)]).toEqual([names.slice(0, 1), ['opened']]);
    });
  });
});
