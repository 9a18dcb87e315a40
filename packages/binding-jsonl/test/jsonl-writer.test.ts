import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { AepEvent } from '@aepkit/envelope';
import { buildSession, buildWire, manualClock, tempDir, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { JsonlReader, type JsonlItem } from '../src/reader.js';
import { JsonlWriteError, JsonlWriter, type JsonlWriterOptions } from '../src/writer.js';
import { faultyFileSystem, ids, others, systemError, type Faults } from './support.js';

function items(path: string): JsonlItem[] {
  const reader = new JsonlReader();
  const found = reader.push(readFileSync(path));
  const tail = reader.tail();
  return tail === undefined ? found : [...found, tail];
}

async function withWriter(
  options: Partial<JsonlWriterOptions>,
  run: (at: { readonly writer: JsonlWriter; readonly path: string; readonly faults: Faults; readonly errors: string[] }) => Promise<void>,
): Promise<void> {
  await using dir = await tempDir();
  const { fileSystem, faults } = faultyFileSystem();
  const errors: string[] = [];
  const path = options.path ?? dir.file('logs', 'a.jsonl');
  const writer = new JsonlWriter({ path, fileSystem, onError: ({ code }) => errors.push(code), ...options });
  await run({ writer, path, faults, errors });
  await writer.close().catch(() => undefined);
  expect(faults.open).toBe(0);
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => undefined, (error: unknown) => error);

describe('JsonlWriter', () => {
  it('appends whole lines, each call in one write [B-012, B-013]', async () => {
    await withWriter({}, async ({ writer, path, faults }) => {
      const [a, b, c] = buildSession(3);
      await writer.append([a!, b!]);
      await writer.append(c!);
      expect(faults.log).toEqual([`${a!.json}\n${b!.json}\n`, `${c!.json}\n`]);
      expect(readFileSync(path, 'utf8')).toBe(faults.log.join(''));
      expect(writer.stats()).toEqual({ lines: 3, bytes: statSync(path).size, writes: 2, repairs: 0, rotations: 0 });
    });
  });

  it('opens nothing before the first append, makes folders, and keeps both from other users', async () => {
    await withWriter({}, async ({ writer, path }) => {
      expect(existsSync(path)).toBe(false);
      await writer.append([]);
      expect(existsSync(dirname(path))).toBe(false);
      await writer.append(buildWire());
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    });
  });

  it('joins what arrives while a write is under way, in order, up to a bound [B-013]', async () => {
    const events = buildSession(40);
    const size = Buffer.byteLength(events[0]!.json) + 1;
    await withWriter({ maxBatchBytes: size * 10 + 40 }, async ({ writer, path, faults }) => {
      await Promise.all(events.map((event) => writer.append(event)));
      expect(ids(items(path))).toEqual(events.map(({ event }) => event.id));
      expect(faults.log.length).toBeLessThanOrEqual(6);
      for (const text of faults.log) expect(text).toMatch(/^\{[^]*\}\n$/);
      expect(Math.max(...faults.log.map((text) => text.length))).toBeLessThanOrEqual(size * 10 + 40);
      expect(writer.queuedBytes).toBe(0);
    });
  });

  it('refuses what does not fit its queue, and takes a large call that finds it empty', async () => {
    const events = buildSession(3);
    await withWriter({ maxQueuedBytes: 100 }, async ({ writer, path }) => {
      const first = writer.append(events.slice(0, 2));
      const second = failureOf(writer.append(events[2]!));
      await first;
      expect(await second).toMatchObject({ code: 'queue-full', failed: undefined });
      await writer.append(events[2]!);
      expect(ids(items(path))).toHaveLength(3);
    });
  });

  it('writes nothing of a call that holds no Event', async () => {
    await withWriter({}, async ({ writer, path }) => {
      const invalid: unknown = { aep: '0.1' };
      expect(await failureOf(writer.append([buildWire(), invalid as AepEvent]))).toMatchObject({ name: 'EnvelopeError' });
      expect(await failureOf(writer.append([buildWire(), { ...buildWire(), json: '{}\n{}' }]))).toMatchObject({ code: 'not-one-line' });
      expect(existsSync(path)).toBe(false);
    });
  });

  it('is closed once and for all', async () => {
    await withWriter({}, async ({ writer, path }) => {
      const last = writer.append(buildWire());
      await Promise.all([writer.close(), writer.close(), last]);
      expect(ids(items(path))).toHaveLength(1);
      for (const call of [writer.append(buildWire()), writer.rotate()]) expect(await failureOf(call)).toMatchObject({ code: 'closed' });
    });
  });
});

describe('a torn end', () => {
  it('costs the torn line alone, wherever the file was cut', async () => {
    const [a, b, c] = buildSession(3, { data: undefined, source: 'a:b' });
    const kept = `${a!.json}\n`;
    const last = `${b!.json}\n`;
    for (const tornTail of ['newline', 'truncate'] as const) {
      await withWriter({ tornTail }, async ({ path }) => {
        mkdirSync(dirname(path));
        for (let cut = 0; cut <= last.length; cut += 1) {
          writeFileSync(path, kept + last.slice(0, cut));
          const writer = new JsonlWriter({ path, tornTail });
          await writer.append(c!);
          await writer.close();
          const whole = cut >= last.length - 1;
          expect([cut, ids(items(path))]).toEqual([cut, [a!, ...(whole ? [b!] : []), c!].map(({ event }) => event.id)]);
          expect([cut, others(items(path))]).toEqual([cut, cut === 0 || whole || tornTail === 'truncate' ? [] : ['bad']]);
          expect([cut, writer.stats().repairs]).toEqual([cut, cut === 0 || cut === last.length ? 0 : 1]);
        }
      });
    }
  });

  it('left by another process while this one has the file open is closed as well', async () => {
    await withWriter({}, async ({ writer, path }) => {
      const [a, b, c] = buildSession(3);
      await writer.append(a!);
      appendFileSync(path, '{"torn":');
      await writer.append(b!);
      appendFileSync(path, `${buildWire().json}\n`);
      await writer.append(c!);
      expect(items(path).map(({ type }) => type)).toEqual(['event', 'bad', 'event', 'event', 'event']);
    });
  });
});

describe('a full disk', () => {
  const [a, b, c, d] = buildSession(4);
  const sizes = [a, b, c].map((event) => Buffer.byteLength(event!.json) + 1);

  it('in the middle of a line fails that call with a code, and the next line is clean', async () => {
    await withWriter({}, async ({ writer, path, faults }) => {
      faults.writes.push(sizes[0]! + 20, 'ENOSPC');
      const error = await failureOf(writer.append([a!, b!, c!]));
      expect(error).toBeInstanceOf(JsonlWriteError);
      expect(error).toMatchObject({ code: 'no-space', errno: 'ENOSPC', failed: [1, 2], path });
      await writer.append(d!);
      expect(faults.log.at(-1)).toBe(`\n${d!.json}\n`);
      expect(ids(items(path))).toEqual([a!.event.id, d!.event.id]);
      expect(others(items(path))).toEqual(['bad']);
    });
  });

  it('that has room again at once is written over from the start of the line, in one write [B-013]', async () => {
    await withWriter({}, async ({ writer, path, faults }) => {
      faults.writes.push(sizes[0]! + 20);
      await writer.append([a!, b!, c!]);
      expect(faults.log[1]).toBe(`\n${b!.json}\n${c!.json}\n`);
      expect(ids(items(path))).toEqual([a, b, c].map((event) => event!.event.id));
      expect(others(items(path))).toEqual(['bad']);
      expect(writer.stats()).toMatchObject({ lines: 3, writes: 2, repairs: 1 });
    });
  });

  it('is handled around every end of a line: what was acknowledged is there once, what failed is not half there', async () => {
    const ends = [0, sizes[0]!, sizes[0]! + sizes[1]!, sizes[0]! + sizes[1]! + sizes[2]!];
    const cuts = ends.flatMap((end) => [end - 2, end - 1, end, end + 1, end + 50]).filter((cut) => cut >= 0 && cut < ends[3]!);
    for (const then of ['ENOSPC', 1, 5, undefined]) {
      for (const cut of cuts) {
        await withWriter({}, async ({ writer, path, faults }) => {
          faults.writes.push(cut, then);
          const error = (await failureOf(writer.append([a!, b!, c!]))) as JsonlWriteError | undefined;
          const all = [a!, b!, c!].map(({ event }) => event.id);
          const kept = all.filter((_, index) => error?.failed?.includes(index) !== true);
          await writer.append(d!);
          const found = ids(items(path));
          // Only a line that lacked nothing but its line feed is there although it was said to have failed.
          const extra = found.filter((id) => id !== d!.event.id && !kept.includes(id));
          expect([cut, found]).toEqual([cut, [...kept, ...extra, d!.event.id]]);
          expect(extra.length).toBeLessThanOrEqual(error === undefined ? 0 : 1);
          if (then === undefined) expect([cut, error, others(items(path)).length <= 1]).toEqual([cut, undefined, true]);
          // Where the last line feed alone was missing, the second write had one byte to bring.
          else if (error === undefined) expect([cut, typeof then]).toEqual([ends[3]! - 1, 'number']);
          else expect(error.code).toMatch(/^(?:no-space|short-write)$/);
        });
      }
    }
  });

  it('tells a system that takes a part and does not say why', async () => {
    await withWriter({}, async ({ writer, faults }) => {
      faults.writes.push(10, 12);
      expect(await failureOf(writer.append(a!))).toMatchObject({ code: 'short-write', errno: undefined, failed: [0] });
      faults.writes.push(0, 0);
      expect(await failureOf(writer.append(a!))).toMatchObject({ code: 'short-write', failed: [0] });
    });
  });

  it('leaves the calls behind the failed one alone', async () => {
    await withWriter({ maxBatchBytes: 1 }, async ({ writer, path, faults }) => {
      faults.writes.push(undefined, 'EIO');
      const results = await Promise.allSettled([writer.append(a!), writer.append([b!, c!]), writer.append(d!)]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: { code: 'io', errno: 'EIO', failed: [0, 1], cause: systemError('EIO') } });
      expect(ids(items(path))).toEqual([a!.event.id, d!.event.id]);
    });
  });
});

describe('opening', () => {
  it.each([
    ['EACCES', 'unwritable'],
    ['EROFS', 'unwritable'],
    ['EMFILE', 'io'],
    ['ENOSPC', 'no-space'],
    ['EDQUOT', 'no-space'],
  ])('tells %s by a code, and is tried again', async (errno, code) => {
    await withWriter({}, async ({ writer, path, faults }) => {
      faults.fail.openAppend = errno;
      expect(await failureOf(writer.append(buildSession(2)))).toMatchObject({ code, errno, failed: [0, 1] });
      delete faults.fail.openAppend;
      await writer.append(buildWire());
      expect(ids(items(path))).toHaveLength(1);
    });
  });

  it('takes regular files only', async () => {
    await using dir = await tempDir();
    for (const path of [dir.path, '/dev/null']) {
      await withWriter({ path }, async ({ writer }) => {
        expect(await failureOf(writer.append(buildWire()))).toMatchObject({ code: 'unwritable' });
      });
    }
  });

  it('goes on in the new file when somebody renames or removes the old one', async () => {
    await withWriter({}, async ({ writer, path }) => {
      await writer.append(buildWire({ id: 'a' }));
      renameSync(path, `${path}.1`);
      await writer.append(buildWire({ id: 'b' }));
      unlinkSync(path);
      await writer.append(buildWire({ id: 'c' }));
      writeFileSync(`${path}.new`, '');
      renameSync(`${path}.new`, path);
      await writer.append(buildWire({ id: 'd' }));
      expect([ids(items(`${path}.1`)), ids(items(path))]).toEqual([['a'], ['d']]);
    });
  });

  it('follows a file that is truncated in place', async () => {
    await withWriter({}, async ({ writer, path }) => {
      await writer.append(buildWire({ id: 'a' }));
      writeFileSync(path, '');
      await writer.append(buildWire({ id: 'b' }));
      expect(ids(items(path))).toEqual(['b']);
    });
  });
});

describe('rotation', () => {
  it('renames before a write that would pass the size, to a name that never collides', async () => {
    const events = buildSession(10);
    const size = Buffer.byteLength(events[0]!.json) + 1;
    const rotated: string[] = [];
    const now = (): number => Date.UTC(2026, 0, 1);
    await withWriter({ rotateBytes: size * 3 + 5, now, onRotate: ({ to }) => rotated.push(to) }, async ({ writer, path }) => {
      for (const event of events) await writer.append(event);
      expect(rotated).toHaveLength(3);
      expect(new Set(rotated).size).toBe(3);
      for (const to of rotated) expect(to).toMatch(/a\.jsonl\.20260101T000000000Z-[0-9a-f]{12}$/);
      expect([...rotated, path].map((file) => ids(items(file)).length)).toEqual([3, 3, 3, 1]);
      expect([...rotated, path].flatMap((file) => ids(items(file)))).toEqual(events.map(({ event }) => event.id));
      expect(writer.stats()).toMatchObject({ lines: 10, rotations: 3 });
    });
  });

  it('happens on demand, and not for nothing', async () => {
    await withWriter({}, async ({ writer, path }) => {
      expect(await writer.rotate()).toBeUndefined();
      await writer.append(buildWire({ id: 'a' }));
      const to = await writer.rotate();
      expect([existsSync(path), ids(items(to!))]).toEqual([false, ['a']]);
      await writer.append(buildWire({ id: 'b' }));
      expect(ids(items(path))).toEqual(['b']);
      writeFileSync(path, '');
      expect(await writer.rotate()).toBeUndefined();
    });
  });

  it('that fails is told, does not stop the Events, and is tried again after as much has been written', async () => {
    const events = buildSession(8);
    const size = Buffer.byteLength(events[0]!.json) + 1;
    await withWriter({ rotateBytes: size * 2 + 5 }, async ({ writer, path, faults, errors }) => {
      faults.fail.rename = 'EBUSY';
      for (const event of events.slice(0, 4)) await writer.append(event);
      expect([errors, ids(items(path)).length]).toEqual([['rotate-failed'], 4]);
      expect(await failureOf(writer.rotate())).toMatchObject({ code: 'rotate-failed', errno: 'EBUSY' });
      delete faults.fail.rename;
      for (const event of events.slice(4)) await writer.append(event);
      expect(readdirSync(dirname(path)).flatMap((name) => ids(items(`${dirname(path)}/${name}`))).toSorted()).toEqual(events.map(({ event }) => event.id));
      expect(writer.stats().rotations).toBeGreaterThan(0);
    });
  });

  it('made by somebody else in the same moment is no failure', async () => {
    await withWriter({ rotateBytes: 10 }, async ({ writer, path, faults, errors }) => {
      await writer.append(buildWire({ id: 'a' }));
      faults.fail.rename = 'ENOENT';
      expect(await writer.rotate()).toBeUndefined();
      const next = writer.append(buildWire({ id: 'b' }));
      await turn();
      renameSync(path, `${path}.1`);
      delete faults.fail.rename;
      await next;
      expect(errors).toEqual([]);
    });
  });
});

describe('fsync', () => {
  it('is left to the system by default', async () => {
    await withWriter({}, async ({ writer, faults }) => {
      await writer.append(buildWire());
      await writer.close();
      expect([faults.syncs, faults.log.filter((entry) => entry.startsWith('dir'))]).toEqual([0, []]);
    });
  });

  it('comes before the answer with always, for the folders that were made as well', async () => {
    await using dir = await tempDir();
    await withWriter({ fsync: 'always', path: dir.file('x', 'y', 'a.jsonl') }, async ({ writer, faults }) => {
      await writer.append(buildWire());
      expect(faults.syncs).toBe(1);
      expect(new Set(faults.log.filter((entry) => entry.startsWith('dir')))).toEqual(new Set([dir.path, dir.file('x'), dir.file('x', 'y')].map((path) => `dir ${path}`)));
      faults.fail.sync = 'EIO';
      expect(await failureOf(writer.append(buildWire()))).toMatchObject({ code: 'sync-failed', errno: 'EIO', failed: [0] });
    });
  });

  it('comes within a time with a number, once for all that was written, and not without need', async () => {
    const clock = manualClock();
    await withWriter({ fsync: 500, timers: clock }, async ({ writer, faults, errors }) => {
      await writer.append(buildWire());
      await writer.append(buildWire());
      expect([faults.syncs, clock.pending()]).toEqual([0, 1]);
      await clock.advance(500);
      await writer.sync();
      expect([faults.syncs, clock.pending()]).toEqual([1, 0]);
      faults.fail.sync = 'EIO';
      await writer.append(buildWire());
      await clock.advance(500);
      expect(await failureOf(writer.sync())).toMatchObject({ code: 'sync-failed' });
      expect(errors).toEqual(['sync-failed']);
      delete faults.fail.sync;
      await writer.append(buildWire());
      await writer.close();
      expect([faults.syncs, clock.pending()]).toEqual([2, 0]);
    });
  });

  it('that fails on the way out of a file is told to no innocent call', async () => {
    await withWriter({ fsync: 'always' }, async ({ writer, path, faults, errors }) => {
      faults.fail.sync = 'EIO';
      await failureOf(writer.append(buildWire({ id: 'a' })));
      renameSync(path, `${path}.1`);
      const next = failureOf(writer.append(buildWire({ id: 'b' })));
      expect(await next).toMatchObject({ code: 'sync-failed' });
      expect(errors).toEqual(['sync-failed']);
      expect(ids(items(path))).toEqual(['b']);
    });
  });
});

it('does not need the right to write into the folder to append', async () => {
  await withWriter({}, async ({ writer, path }) => {
    await writer.append(buildWire());
    chmodSync(dirname(path), 0o500);
    await writer.append(buildWire());
    chmodSync(dirname(path), 0o700);
    expect(ids(items(path))).toHaveLength(2);
  });
});
