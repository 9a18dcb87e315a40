import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { launchNode, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { openHistory } from '../src/index.js';
import { ALL, at, command, from, large, position, query, replay, testStore, told } from './support.js';

const MIB = 1024 ** 2;

/** Some thousand Events in no time. */
function many(count: number, first = 0, overrides: Record<string, unknown> = {}): WireEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const event = {
      aep: '0.1',
      id: `many-${String(first + index).padStart(9, '0')}`,
      type: 'tool.completed',
      time: '2026-01-01T00:00:00.000Z',
      source: 'aep://test/agent/a1/session/s1',
      agent: 'a1',
      session: 's1',
      seq: first + index,
      data: { padding: 'x'.repeat(400) },
      ...overrides,
    } as AepEvent;
    return { event, json: JSON.stringify(event) };
  });
}

describe('a full disk', () => {
  it('rejects with unavailable, announces nothing, keeps what it has, and goes on when there is room', async () => {
    await using store = await testStore({ maxBytes: 2 * MIB });
    const announced: WireEvent[] = [];
    store.history.onCommit(({ events }) => void announced.push(...events));
    const kept: WireEvent[] = [];
    let refused: WireEvent | undefined;
    for (let seq = 0; refused === undefined; seq += 1) {
      const event = large(seq, 100_000);
      try {
        await store.history.append([event]);
        kept.push(event);
      } catch (error) {
        expect(error).toMatchObject({ name: 'HistoryError', code: 'unavailable', message: expect.stringContaining('full') as string });
        refused = event;
      }
    }
    expect(kept.length).toBeGreaterThan(10);
    expect(announced).toEqual(kept);
    expect((await query(store.history)).map(({ event }) => event.id)).toEqual(kept.map(({ event }) => event.id));
    const roomy = await store.reopen({ maxBytes: 4 * MIB });
    expect(await roomy.append([refused, ...kept.slice(0, 1)])).toEqual(['admitted', 'duplicate']);
  });

  const mountable = process.getuid?.() === 0 && canMount();

  it.skipIf(!mountable)('that fills up for real, and has room again later (needs the right to mount)', async () => {
    await using folder = await tempDir();
    const mount = folder.file('disk');
    mkdirSync(mount);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', mount]);
    try {
      const history = await openHistory({ path: `${mount}/history.db`, mapBytes: 0 });
      await history.append(many(1000));
      fillUp(`${mount}/ballast`);
      const outcomes = await Promise.allSettled([many(100, 1000), many(2000, 1100), many(2000, 3100)].map((batch) => history.append(batch)));
      expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      rmSync(`${mount}/ballast`);
      expect(await history.append(many(1, 9999))).toEqual(['admitted']);
      expect(await history.append(many(100))).toEqual(Array.from({ length: 100 }, () => 'duplicate'));
      const whole = outcomes.reduce((sum, { status }, index) => sum + (status === 'fulfilled' ? [100, 2000, 2000][index] ?? 0 : 0), 1001);
      expect(await query(history)).toHaveLength(whole);
      await history.close();
    } finally {
      execFileSync('umount', [mount]);
    }
  });
});

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fillUp(path: string): void {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeSync(file, block);
  } catch {
    // Full.
  } finally {
    closeSync(file);
  }
}

it('keeps its write-ahead file bounded over 200,000 Events, though somebody reads all the time', async () => {
  await using store = await testStore({ buffer: 2000 });
  const { history } = store;
  let largest = 0;
  const writing = new AbortController();
  history.onCommit(() => {
    largest = Math.max(largest, statSync(`${store.path}-wal`).size);
  });
  const reading = (async () => {
    let rounds = 0;
    for (; !writing.signal.aborted; rounds += 1) await replay(history, rounds % 2 === 0 ? ALL : { type: 'mark', mark: Math.max(0, history.mark() - 5000) });
    return rounds;
  })();
  const BATCH = 500;
  const underWay = new Set<Promise<unknown>>();
  for (let first = 0; first < 200_000; first += BATCH) {
    const appended: Promise<unknown> = history.append(many(BATCH, first, { session: `s${(first / BATCH) % 7}` })).finally(() => underWay.delete(appended));
    underWay.add(appended);
    if (underWay.size >= 4) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  writing.abort();
  expect(await reading).toBeGreaterThan(1);
  expect(largest).toBeGreaterThan(4 * MIB);
  expect(largest).toBeLessThan(80 * MIB);
  expect((await history.stats()).events).toBe(200_000);
}, 300_000);

it('goes on beside a reader of another program that stays, and takes the write-ahead file back when that is gone', async () => {
  await using store = await testStore();
  await store.history.append([at(0)]);
  const wal = (): number => statSync(`${store.path}-wal`).size;
  const other = new DatabaseSync(store.path, { readOnly: true });
  other.exec('BEGIN');
  expect(other.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 });
  for (let seq = 1; seq <= 80; seq += 1) await store.history.append([large(seq, MIB)]);
  expect(wal()).toBeGreaterThan(70 * MIB);
  expect(other.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 });
  other.exec('COMMIT');
  other.close();
  for (let seq = 81; seq <= 180; seq += 1) await store.history.append([at(seq)]);
  expect(wal()).toBeLessThan(40 * MIB);
});

it('keeps names apart, whatever they are, and writes nowhere but beside its file', async () => {
  const names = [
    '../../../../outside/pwned',
    'a/b',
    '..',
    'CON',
    'x\u0000y',
    'x\u0000z',
    'x'.repeat(5000),
    'Case',
    'case',
    'caf\u00e9',
    'cafe\u0301',
    '\ufeffbom',
    'bom',
    "'; DROP TABLE events; --",
    '%2e%2e',
    '__proto__',
  ];
  await using store = await testStore();
  await store.history.append(names.map((session) => at(0, { session, source: 'aep://test/agent/a1', agent: session, id: `of ${session}` })));
  await store.history.append(names.map((session) => command(session)));
  for (const session of names) {
    expect(await told(store.history, from({ session, epoch: 0, seq: 0 }))).toEqual([`${session} control.cancel`, `/${session}`]);
    expect((await query(store.history, { session, types: ['tool.requested'] })).map(({ event }) => event.id)).toEqual([`of ${session}`]);
  }
  const summaries = await store.history.sessions();
  expect(new Set(summaries.map(({ session }) => session))).toEqual(new Set(names));
  expect(summaries.every(({ session, agent }) => session === agent)).toBe(true);
  expect((await told(store.history, ALL)).filter((step) => step.startsWith('/')).length).toBe(names.length);
  expect(readdirSync(new URL('.', `file://${store.path}`)).sort()).toEqual(['history.db', 'history.db-shm', 'history.db-wal', 'history.db.lock']);
});

it('forgets sources and sessions that are many or have endless names, and still knows them', async () => {
  await using store = await testStore({ writer: 'inline', buffer: 2 });
  const name = (index: number): string => `${String(index)}-${'n'.repeat(100_000)}`;
  const events = (seq: number, from: number, to: number): WireEvent[] =>
    Array.from({ length: to - from }, (_, index) => at(seq, { session: name(from + index), source: `aep://test/${name(from + index)}` }));
  const SESSIONS = 100;
  // Their names are a multiple of what is remembered.
  for (const seq of [3, 4, 5]) {
    for (let first = 0; first < SESSIONS; first += 20) {
      expect(new Set(await store.history.append(events(seq, first, first + 20)))).toEqual(new Set(['admitted']));
    }
  }
  expect(new Set(await store.history.append(events(2, 0, SESSIONS)))).toEqual(new Set(['late']));
  expect(await store.history.stats()).toMatchObject({ sessions: SESSIONS, events: 4 * SESSIONS });
});

it('reads own properties only', async () => {
  await using store = await testStore({ writer: 'inline' });
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  try {
    Object.assign(prototype, { session: 's1', seq: 7, epoch: 9 });
    const agent = at(0, { type: 'agent.started', session: undefined, seq: undefined });
    expect(await store.history.append([agent, at(0), command()])).toEqual(['unbuffered', 'admitted', 'admitted']);
  } finally {
    for (const name of ['session', 'seq', 'epoch']) Reflect.deleteProperty(prototype, name);
  }
  expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 control.cancel', '/s1']);
});

it('serves a name that thousands of sources share, in small steps', async () => {
  await using store = await testStore({ buffer: 2 });
  const SOURCES = 3000;
  const events = (seq: number): WireEvent[] => Array.from({ length: SOURCES }, (_, source) => many(1, seq, { source: `aep://test/${source}` })[0] ?? at(0));
  for (const seq of [5, 6, 7]) await store.history.append(events(seq));
  await store.history.append([command()]);
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const steps = await told(store.history, from(position(4)));
  clearInterval(count);
  expect(turns).toBeGreaterThan(10);
  expect(steps.slice(0, 2)).toEqual(['!s1 0:6', 's1 0:6']);
  expect(steps).toHaveLength(1 + 2 * SOURCES + 2);
  expect(steps).toEqual(['!s1 0:6', ...Array<string>(SOURCES).fill('s1 0:6'), ...Array<string>(SOURCES).fill('s1 0:7'), 's1 control.cancel', '/s1']);
});

it('keeps thousands of Events on one position in order of arrival, and serves the depth of them', async () => {
  await using store = await testStore({ buffer: 1000 });
  const events = Array.from({ length: 5000 }, (_, index) => many(1, 0, { id: `same-${String(index)}` })[0] ?? at(0));
  for (let first = 0; first < events.length; first += 1000) await store.history.append(events.slice(first, first + 1000));
  const served = (await replay(store.history, ALL)).flatMap((step) => (step.type === 'event' ? [step.event.event.id] : []));
  expect(served).toEqual(events.slice(-1000).map(({ event }) => event.id));
});

it('is not thrown off by one Event as large as a binding may let in', async () => {
  await using store = await testStore({ buffer: 3 });
  const events = [large(0, 8 * MIB), at(1), large(2, 8 * MIB)];
  await store.history.append(events);
  for await (const chunk of store.history.replay(ALL, store.history.mark())) expect(chunk.length).toBeLessThanOrEqual(3);
  expect((await query(store.history)).map(({ json }) => json.length)).toEqual(events.map(({ json }) => json.length));
});

describe('a damaged file', () => {
  const program = fileURLToPath(new URL('./programs/read-everything.mjs', import.meta.url));

  it.each([
    ['cut short', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['cut in a page', (path: string) => truncateSync(path, statSync(path).size - 5000)],
    ['overwritten in the middle', (path: string) => overwrite(path, 0.25, 0.75)],
    ['overwritten behind its head', (path: string) => overwrite(path, 0.01, 0.2)],
    ['overwritten to the end', (path: string) => overwrite(path, 0.6, 1)],
  ])('that was %s is reported as corrupt, and ends no process', async (_, damage) => {
    await using store = await testStore();
    await store.history.append(many(3000));
    await store.history.close();
    const copy = `${store.path}.copy`;
    copyFileSync(store.path, copy);
    damage(copy);
    const exit = await launchNode(program, { args: [copy] }).exit;
    expect(exit).toMatchObject({ code: 0, signal: null, stdout: 'corrupt\n' });
  });

  function overwrite(path: string, start: number, end: number): void {
    const { size } = statSync(path);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(Math.floor(size * (end - start)), 0x5a), 0, undefined, Math.floor(size * start));
    closeSync(file);
  }

  it('beside a write-ahead file that is none opens with what was checkpointed', async () => {
    await using store = await testStore();
    await store.history.append(many(10));
    await store.history.close();
    writeFileSync(`${store.path}-wal`, Buffer.alloc(100_000, 0x5a));
    expect(await query(await store.reopen())).toHaveLength(10);
  });
});
