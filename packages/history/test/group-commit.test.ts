import type { WireEvent } from '@aepkit/envelope';
import type { CommittedBatch } from '@aepkit/hub';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../src/engine.js';
import { HistoryError } from '../src/errors.js';
import { GroupCommit } from '../src/group-commit.js';
import type { Failure, Group, Outcome } from '../src/group.js';
import { at, large } from './support.js';

interface FakeEngine extends Engine {
  readonly groups: Group[];
  /** Answers the oldest group. */
  answer(result?: HistoryError | { readonly failures?: readonly Failure[]; readonly codes?: readonly number[] }): void;
}

function fakeEngine(): FakeEngine {
  const waiting: { group: Group; done: (result: Outcome | HistoryError) => void }[] = [];
  const groups: Group[] = [];
  let mark = 0;
  return {
    groups,
    mark,
    commit(group, done) {
      groups.push(group);
      waiting.push({ group, done });
    },
    answer(result = {}) {
      const next = waiting.shift();
      if (next === undefined) throw new Error('no group is under way');
      if (result instanceof HistoryError) {
        next.done(result);
        return;
      }
      mark += next.group.ids.length;
      const codes = result.codes ?? next.group.ids.map(() => 0);
      next.done({ admissions: Uint8Array.from(codes), failures: result.failures ?? [], mark, indexed: 0 });
    },
    index: () => Promise.resolve(mark),
    close: () => Promise.resolve(),
  };
}

function batch(size: number): WireEvent[] {
  return Array.from({ length: size }, (_, seq) => at(seq));
}

/** Everything that was asked to run in this turn of the event loop has run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('groups', () => {
  it('start at once, and the next one is what arrived meanwhile', () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    for (const size of [2, 3, 1]) void commits.append(batch(size));
    expect(engine.groups.map(({ sizes }) => sizes)).toEqual([[2]]);
    engine.answer();
    expect(engine.groups.map(({ sizes }) => sizes)).toEqual([[2], [3, 1]]);
    engine.answer();
    expect(engine.groups).toHaveLength(2);
  });

  it.each([
    [3, [[1], [3], [1, 2], [1]]],
    [4, [[1], [3, 1], [2, 1]]],
    [5, [[1], [3, 1], [2, 1]]],
    [6, [[1], [3, 1, 2], [1]]],
    [1, [[1], [3], [1], [2], [1]]],
  ])('never split a batch, and end at %d Events unless one batch has more', (groupEvents, sizes) => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, groupEvents);
    for (const size of [1, 3, 1, 2, 1]) void commits.append(batch(size));
    for (const _ of sizes) engine.answer();
    expect(engine.groups.map((group) => group.sizes)).toEqual(sizes);
  });

  it('are made ready behind the one under way where they are worth it, and no further', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    const answers: number[] = [];
    for (const [index, size] of [1, 200, 55, 300, 1].entries()) void commits.append(batch(size)).then(() => answers.push(index), () => undefined);
    expect(engine.groups.map((group) => group.sizes)).toEqual([[1], [200, 55, 300]]);
    for (let count = 0; count < 300; count += 1) void commits.append(batch(1));
    expect(engine.groups).toHaveLength(2);
    engine.answer(new HistoryError('unavailable', 'disk full'));
    expect(engine.groups.map((group) => group.sizes.length)).toEqual([1, 3, 301]);
    engine.answer();
    await turn();
    expect(answers).toEqual([1, 2, 3]);
    engine.answer();
    await commits.drained();
    expect(engine.groups).toHaveLength(3);
  });

  it('end at 4 MiB of text as well', () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, Infinity);
    for (let count = 0; count < 5; count += 1) void commits.append([large(count, 1.5 * 1024 ** 2)]);
    for (let answered = 0; answered < 3; answered += 1) engine.answer();
    expect(engine.groups.map(({ sizes }) => sizes.length)).toEqual([1, 2, 2]);
  });

  it('answer an empty batch without a commit', async () => {
    const engine = fakeEngine();
    expect(await new GroupCommit(engine, 10).append([])).toEqual([]);
    expect(engine.groups).toEqual([]);
  });
});

describe('one turn of the event loop', () => {
  it('moves the mark, calls the listeners in order, and settles the appends behind them [B-216]', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    const log: string[] = [];
    const seen: CommittedBatch[] = [];
    commits.onCommit((committed) => {
      seen.push(committed);
      log.push(`first ${committed.mark} at ${commits.mark}`);
    });
    const remove = commits.onCommit(({ mark }) => void log.push(`second ${mark}`));
    const [one, two, three] = [batch(1), batch(2), batch(1)];
    for (const [index, events] of [one, two, three].entries()) {
      void commits.append(events).then((admissions) => log.push(`append ${index}: ${admissions.join()}`));
    }
    engine.answer();
    log.push('end of the call');
    // Only microtasks run ahead of this, so the answers leave in the turn that moved the mark.
    await Promise.resolve().then(() => undefined);
    expect(log).toEqual(['first 1 at 1', 'second 1', 'end of the call', 'append 0: admitted']);
    remove();
    log.length = 0;
    engine.answer({ codes: [1, 2, 3] });
    await turn();
    expect(log).toEqual(['first 4 at 4', 'append 1: duplicate,late', 'append 2: unbuffered']);
    expect(seen.map(({ events }) => events)).toEqual([one, [...two, ...three]]);
    expect(seen[1]?.admissions).toEqual(['duplicate', 'late', 'unbuffered']);
  });

  it('puts an append that a listener makes into a later group', () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    let answered = false;
    commits.onCommit(() => {
      if (!answered) void commits.append(batch(5));
      answered = true;
    });
    void commits.append(batch(1));
    void commits.append(batch(2));
    engine.answer();
    engine.answer();
    expect(engine.groups.map(({ sizes }) => sizes)).toEqual([[1], [2], [5]]);
  });

  it('is not broken by a listener that throws; the fault surfaces', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    const faults: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => faults.push(error));
    const heard: number[] = [];
    commits.onCommit(() => {
      throw new Error('listener');
    });
    commits.onCommit(({ mark }) => void heard.push(mark));
    const appended = commits.append(batch(1));
    engine.answer();
    expect(await appended).toEqual(['admitted']);
    await turn();
    for (const other of others) process.on('uncaughtException', other);
    expect(heard).toEqual([1]);
    expect(faults).toEqual([new Error('listener')]);
  });
});

describe('a failure', () => {
  it('of a group rejects every append in it, calls no listener, and takes no other group with it', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    const marks: number[] = [];
    commits.onCommit(({ mark }) => void marks.push(mark));
    const [first, second, third] = [commits.append(batch(1)), commits.append(batch(1)), commits.append(batch(1))];
    engine.answer(new HistoryError('unavailable', 'disk full'));
    const fourth = commits.append(batch(1));
    engine.answer();
    engine.answer();
    await expect(first).rejects.toMatchObject({ code: 'unavailable', message: 'disk full' });
    expect(await Promise.all([second, third, fourth])).toEqual([['admitted'], ['admitted'], ['admitted']]);
    expect(marks).toEqual([2, 3]);
  });

  it('of one batch rejects that one; the others are announced without it', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    const announced: string[][] = [];
    commits.onCommit(({ events }) => void announced.push(events.map(({ event }) => event.id)));
    void commits.append(batch(1));
    const batches = [batch(2), batch(1), batch(2)];
    const answers = batches.map((each) => commits.append(each));
    engine.answer();
    engine.answer({ failures: [{ batch: 1, code: 'unavailable', message: 'no' }], codes: [0, 1, 9, 2, 3] });
    expect(await answers[0]).toEqual(['admitted', 'duplicate']);
    await expect(answers[1]).rejects.toMatchObject({ code: 'unavailable' });
    expect(await answers[2]).toEqual(['late', 'unbuffered']);
    expect(announced[1]).toEqual([...(batches[0] ?? []), ...(batches[2] ?? [])].map(({ event }) => event.id));
  });

  it('of all batches announces nothing', async () => {
    const engine = fakeEngine();
    const commits = new GroupCommit(engine, 1000);
    let called = 0;
    commits.onCommit(() => (called += 1));
    const appended = commits.append(batch(1));
    engine.answer({ failures: [{ batch: 0, code: 'unavailable', message: 'no' }] });
    await expect(appended).rejects.toMatchObject({ code: 'unavailable' });
    expect(called).toBe(0);
  });
});

it('is drained when everything appended is answered', async () => {
  const engine = fakeEngine();
  const commits = new GroupCommit(engine, 1);
  await commits.drained();
  let drained = false;
  void commits.append(batch(1));
  void commits.append(batch(1));
  const done = commits.drained().then(() => (drained = true));
  engine.answer();
  await turn();
  expect(drained).toBe(false);
  engine.answer();
  await done;
});
