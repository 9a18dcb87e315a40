import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { launchNode, tempDir } from '@aepkit/testkit';
import { parseEvent, type WireEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';
import { openHistory, type HistoryOptions } from '../src/index.js';
import { ALL, at, command, query, replay, testStore, told } from './support.js';

const HEAD = '"aep":"0.1","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s"';

/** Texts that any second writing would change. */
const ODD_TEXTS: readonly string[] = [
  `{"id":"big","seq":0,${HEAD},"acmeid":9007199254740993,"data":{"id":2512292042121000001,"e":1E400,"f":1.0,"z":-0}}`,
  `{"seq":1,"id":"order",  ${HEAD}, "data" : { "b":1,"a":2 ,"__proto__":{"x":1}}}`,
  String.raw`{"id":"escapes","seq":2,${HEAD},"data":{"\u0061":"\u0000\/\ud83d\ude00\u00e9","n":"\n"}}`,
  `{"id":"wide","seq":3,${HEAD},"data":{"x":"é😀\u2028\u007f漢"}}`,
];

describe.each<Partial<HistoryOptions>>([{ writer: 'worker' }, { writer: 'inline' }, { synchronous: 'FULL' }])('a store with %o', (options) => {
  it('gives back every text byte for byte, also after it was opened again', async () => {
    await using store = await testStore(options);
    const wires = ODD_TEXTS.map((text) => parseEvent(text));
    expect(await store.history.append(wires)).toEqual(wires.map(() => 'admitted'));
    for (const open of [() => store.history, () => store.reopen()]) {
      const history = await open();
      const replayed = (await replay(history, ALL)).flatMap((step) => (step.type === 'event' ? [step.event] : []));
      expect(replayed.map(({ json }) => json)).toEqual(ODD_TEXTS);
      expect(replayed.map(({ event }) => event)).toEqual(wires.map(({ event }) => event));
      expect((await query(history, { session: 's' })).map(({ json }) => json)).toEqual(ODD_TEXTS);
    }
  });

  it('announces commits in order, and what it says agrees with what it serves', async () => {
    await using store = await testStore(options);
    const { history } = store;
    const announced: WireEvent[] = [];
    const marks: number[] = [];
    history.onCommit(({ events, admissions, mark }) => {
      expect(admissions).toHaveLength(events.length);
      expect(history.mark()).toBe(mark);
      announced.push(...events);
      marks.push(mark);
    });
    const batches = Array.from({ length: 40 }, (_, index) => [at(2 * index), at(2 * index + 1)]);
    await Promise.all(batches.map((batch) => history.append(batch)));
    expect(announced).toEqual(batches.flat());
    expect(marks).toEqual([...marks].sort((a, b) => a - b));
    expect(marks.at(-1)).toBe(80);
    expect(await told(history, ALL)).toEqual([...batches.flat().map(({ event }) => `s1 0:${event.seq ?? ''}`), '/s1']);
  });

  it('answers a repeat that is on its way with the outcome of the first copy', async () => {
    await using store = await testStore(options);
    const batch = [at(0), at(1)];
    const [first, second, third] = await Promise.all([store.history.append(batch), store.history.append(batch), store.history.append([at(2), ...batch])]);
    expect(first).toEqual(['admitted', 'admitted']);
    expect(second).toEqual(['duplicate', 'duplicate']);
    expect(third).toEqual(['admitted', 'duplicate', 'duplicate']);
    expect(await query(store.history)).toHaveLength(3);
  });
});

describe('close', () => {
  it('commits what was appended, leaves one file behind, and answers later calls with closed', async () => {
    await using store = await testStore();
    const { history } = store;
    const appended = [history.append([at(0)]), history.append([at(1)])];
    const running = history.replay(ALL, history.mark())[Symbol.asyncIterator]();
    await Promise.all([history.close(), history.close()]);
    expect(await Promise.all(appended)).toEqual([['admitted'], ['admitted']]);
    expect(existsSync(`${store.path}-wal`)).toBe(false);
    const closed = { code: 'closed' };
    await expect(history.append([at(2)])).rejects.toMatchObject(closed);
    await expect(history.sessions()).rejects.toMatchObject(closed);
    await expect(history.stats()).rejects.toMatchObject(closed);
    await expect(query(history)).rejects.toMatchObject(closed);
    await expect(replay(history, ALL)).rejects.toMatchObject(closed);
    await expect(replay(history, { type: 'mark', mark: 0 })).rejects.toMatchObject(closed);
    await expect(running.next()).rejects.toMatchObject(closed);
    expect(await query(await store.reopen())).toHaveLength(2);
  });

  it('ends a replay that runs with closed', async () => {
    await using store = await testStore();
    const { history } = store;
    await history.append(Array.from({ length: 1000 }, (_, seq) => at(seq)));
    const running = history.replay(ALL, history.mark())[Symbol.asyncIterator]();
    await running.next();
    await history.close();
    await expect(running.next()).rejects.toMatchObject({ code: 'closed' });
  });
});

it('goes on where it was: marks rise over openings, and what was kept is a duplicate', async () => {
  await using store = await testStore();
  const first = at(0);
  await store.history.append([first, command()]);
  const mark = store.history.mark();
  const again = await store.reopen();
  expect(again.mark()).toBe(mark);
  expect(await again.append([first])).toEqual(['duplicate']);
  expect(again.mark()).toBe(mark);
  await again.append([at(1)]);
  expect(again.mark()).toBeGreaterThan(mark);
});

it('gives the lock back where opening fails', async () => {
  await using store = await testStore();
  await store.history.close();
  const refused = openHistory({ path: store.path, maxBytes: NaN });
  await expect(refused).rejects.toThrow(RangeError);
  const db = new DatabaseSync(store.path);
  db.exec('DROP TABLE positions');
  db.close();
  for (let round = 0; round < 2; round += 1) await expect(openHistory({ path: store.path })).rejects.toMatchObject({ code: 'unavailable' });
});

it('does not keep a process alive that has nothing to do', async () => {
  await using folder = await tempDir();
  const exit = await launchNode(fileURLToPath(new URL('./programs/append-twice.mjs', import.meta.url)), { args: [folder.file('h.db')] }).exit;
  expect(exit).toMatchObject({ code: 0, stdout: "[ 'unbuffered' ] [ 'duplicate' ]\n" });
});

// In a process of its own: what does not return here would not let a test time out.
it.runIf(process.platform === 'linux')('fails at once where no folder can be made', () => {
  const program = `import { openHistory } from '@aepkit/history'; await openHistory({ path: '/proc/aepkit/deep/h.sqlite', buffer: 10 }).catch(({ code }) => console.log(code))`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', timeout: 20_000 });
  expect(child.stdout.trim()).toBe('unavailable');
});
