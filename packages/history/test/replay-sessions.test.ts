import { headOf } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';
import { ALL, at, command, from, position, replay, testStore, told } from './support.js';

const SECOND = { source: 'aep://test/agent/a2/session/s1' };

describe('a resume from a position', () => {
  it('starts strictly behind it, compared as the pair of epoch and seq [B-165]', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(0), at(1), at(2), at(0, { epoch: 1 }), at(1, { epoch: 1 })]);
    expect(await told(store.history, from(position(1)))).toEqual(['s1 0:2', 's1 1:0', 's1 1:1', '/s1']);
    // A later epoch is behind every position of an earlier one, however large its seq.
    expect(await told(store.history, from(position(50)))).toEqual(['s1 1:0', 's1 1:1', '/s1']);
    expect(await told(store.history, from(position(1, 1)))).toEqual(['/s1']);
    expect(await told(store.history, from(position(7, 9)))).toEqual(['/s1']);
  });

  it('compares positions that no packed number holds', async () => {
    await using store = await testStore({ writer: 'inline' });
    const epoch = Number.MAX_SAFE_INTEGER;
    await store.history.append([at(epoch - 1, { epoch }), at(epoch, { epoch }), at(5, { epoch: 1_767_225_600_000 })]);
    expect(await told(store.history, from(position(epoch - 1, epoch)))).toEqual([`s1 ${epoch}:${epoch}`, '/s1']);
    expect(await told(store.history, ALL)).toEqual(['s1 1767225600000:5', `s1 ${epoch}:${epoch - 1}`, `s1 ${epoch}:${epoch}`, '/s1']);
  });

  it('gives late backfill at its place', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(0), at(1), at(4)]);
    await store.history.append([at(3), at(2)]);
    expect(await told(store.history, from(position(0)))).toEqual(['s1 0:1', 's1 0:2', 's1 0:3', 's1 0:4', '/s1']);
  });

  it('serves one copy of a redelivered Event, and duplicates move no window [B-109]', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 3 });
    const events = [at(0), at(1), at(2)];
    await store.history.append(events);
    for (let round = 0; round < 3; round += 1) {
      expect(await store.history.append(events)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    }
    expect(await told(store.history, from(position(0)))).toEqual(['s1 0:1', 's1 0:2', '/s1']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 0:1', 's1 0:2', '/s1']);
  });

  it('says nothing of a session it never heard of, but its end', async () => {
    await using store = await testStore({ writer: 'inline' });
    expect(await told(store.history, from(position(3, 0, 'nobody')))).toEqual(['/nobody']);
  });

  it('takes the lower of two positions of one session', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(0), at(1), at(2)]);
    expect(await told(store.history, from(position(1), position(0)))).toEqual(['s1 0:1', 's1 0:2', '/s1']);
  });

  it('replays each named session past its own position, one behind the other', async () => {
    await using store = await testStore({ writer: 'inline' });
    const other = { session: 's2', source: 'aep://test/agent/a1/session/s2' };
    await store.history.append([at(0), at(0, other), at(1), at(1, other), at(2)]);
    expect(await told(store.history, from(position(0, 0, 's2'), position(1)))).toEqual(['s2 0:1', '/s2', 's1 0:2', '/s1']);
  });

  it('costs what is sent and not what is stored: exactly one Event behind the last but one', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 10 });
    for (let first = 0; first < 10_000; first += 1000) await store.history.append(Array.from({ length: 1000 }, (_, index) => at(first + index)));
    expect(await told(store.history, from(position(9998)))).toEqual(['s1 0:9999', '/s1']);
  });
});

describe('the marker', () => {
  it('comes for a position older than the depth, ahead of the Events, though the store has them all [B-100, B-213]', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 3 });
    await store.history.append([0, 1, 2, 3, 4, 5].map((seq) => at(seq)));
    expect(await told(store.history, from(position(0)))).toEqual(['!s1 0:3', 's1 0:3', 's1 0:4', 's1 0:5', '/s1']);
    expect(await told(store.history, from(position(1)))).toEqual(['!s1 0:3', 's1 0:3', 's1 0:4', 's1 0:5', '/s1']);
    // The highest evicted position itself lost nothing behind it.
    expect(await told(store.history, from(position(2)))).toEqual(['s1 0:3', 's1 0:4', 's1 0:5', '/s1']);
    expect(await told(store.history, from(position(3)))).toEqual(['s1 0:4', 's1 0:5', '/s1']);
  });

  it('never comes where nothing was lost, whatever gaps there are [B-213]', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 3 });
    await store.history.append([at(0), at(7), at(5, { epoch: 4 })]);
    for (const behind of [position(0), position(3), position(7), position(0, 1), position(4, 4)]) {
      expect(await told(store.history, from(behind))).not.toContainEqual(expect.stringMatching(/^!/));
    }
  });

  it('follows the depth in force when the store is opened again, larger or smaller', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 3 });
    await store.history.append([0, 1, 2, 3, 4, 5].map((seq) => at(seq)));
    const larger = await store.reopen({ buffer: 5 });
    expect(await told(larger, from(position(1)))).toEqual(['s1 0:2', 's1 0:3', 's1 0:4', 's1 0:5', '/s1']);
    const smaller = await store.reopen({ buffer: 1 });
    expect(await told(smaller, from(position(3)))).toEqual(['!s1 0:5', 's1 0:5', '/s1']);
    expect(await told(smaller, from(position(4)))).toEqual(['s1 0:5', '/s1']);
  });

  it.each([
    ['a session whose start we do not know', 5, {}, [4, 5], [3, 0]],
    ['one that began with session.started', 5, { type: 'session.started' }, [4, 3, 0], []],
    ['one that began at 0:0', 0, {}, [0, 1], []],
  ])('for %s', async (_, first, overrides, fine, exhausted) => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(first, overrides), at(first + 1), at(first + 2)]);
    for (const seq of fine) expect(await told(store.history, from(position(seq)))).not.toContainEqual(expect.stringMatching(/^!/));
    for (const seq of exhausted) {
      expect(await told(store.history, from(position(seq)))).toEqual([`!s1 0:${first}`, ...[0, 1, 2].map((next) => `s1 0:${first + next}`), '/s1']);
    }
  });

  it('goes by the first Event ever admitted, also when the store was opened again since', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(5)]);
    await store.history.append([at(2, { type: 'session.started' })]);
    const again = await store.reopen();
    expect(await told(again, from(position(0)))).toEqual(['!s1 0:2', 's1 0:2', 's1 0:5', '/s1']);
    expect(await told(again, from(position(1)))).toEqual(['s1 0:2', 's1 0:5', '/s1']);
    expect(await told(again, from(position(2)))).toEqual(['s1 0:5', '/s1']);
  });

  it('says late to what is below the depth, keeps it, and serves it to no replay', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    await store.history.append([at(1), at(4), at(6), at(8)]);
    expect(await store.history.append([at(0), at(3), at(5), at(7)])).toEqual(['late', 'late', 'late', 'admitted']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:7', 's1 0:8', '/s1']);
    expect(await told(store.history, from(position(5)))).toEqual(['!s1 0:7', 's1 0:7', 's1 0:8', '/s1']);
    expect(await told(store.history, from(position(6)))).toEqual(['s1 0:7', 's1 0:8', '/s1']);
    expect((await store.history.stats()).events).toBe(8);
  });

  it('keeps two Events on one position, in order of arrival, and counts both', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    const [first, second] = [at(1, { id: 'first' }), at(1, { id: 'second' })];
    expect(await store.history.append([at(0), first, second])).toEqual(['admitted', 'admitted', 'admitted']);
    const ids = (await replay(store.history, from(position(0)))).flatMap((step) => (step.type === 'event' ? [step.event.event.id] : []));
    expect(ids).toEqual(['first', 'second']);
    // The depth cuts between the two: the older arrival goes, and its position is exhausted from below.
    await store.history.append([at(2)]);
    expect(await told(store.history, from(position(0)))).toEqual(['!s1 0:1', 's1 0:1', 's1 0:2', '/s1']);
    expect(await told(store.history, from(position(1)))).toEqual(['s1 0:2', '/s1']);
  });
});

describe('replay of everything', () => {
  it('gives each held session from its earliest held position and never a marker, also after eviction [B-101, B-106]', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    const other = { session: 's2', source: 'aep://test/agent/a1/session/s2' };
    await store.history.append([at(5), at(6), at(7), at(9, other), at(10, other)]);
    expect(await told(store.history, ALL)).toEqual(['s1 0:6', 's1 0:7', '/s1', 's2 0:9', 's2 0:10', '/s2']);
  });

  it('covers the sessions with the latest commits and leaves the others out whole; a named one is served all the same [B-105]', async () => {
    await using store = await testStore({ writer: 'inline', sessions: 2 });
    for (const session of ['s1', 's2', 's3']) await store.history.append([at(0, { session, source: `aep://test/${session}` })]);
    expect(await told(store.history, ALL)).toEqual(['s2 0:0', '/s2', 's3 0:0', '/s3']);
    await store.history.append([at(1, { session: 's1', source: 'aep://test/s1' })]);
    expect(await told(store.history, ALL)).toEqual(['s3 0:0', '/s3', 's1 0:0', 's1 0:1', '/s1']);
    expect(await told(store.history, from(position(0, 0, 's2')))).toEqual(['/s2']);
  });

  it('leaves Events of agents out, which belong to no session', async () => {
    await using store = await testStore({ writer: 'inline' });
    const agent = at(0, { type: 'agent.started', session: undefined, seq: undefined });
    expect(await store.history.append([agent, at(0)])).toEqual(['unbuffered', 'admitted']);
    expect(await store.history.append([agent])).toEqual(['duplicate']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', '/s1']);
    expect(await told(store.history, { type: 'mark', mark: 0 })).toEqual(['s1 0:0']);
  });

  it('reads no session that the hint leaves out, and tells nothing of it', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 1 });
    const other = { session: 's2', source: 'aep://test/agent/a1/session/s2' };
    await store.history.append([at(0), at(1), at(0, other), at(1, other)]);
    const hint = { sessions: new Set(['s2']) };
    expect(await told(store.history, ALL, undefined, hint)).toEqual(['s2 0:1', '/s2']);
    expect(await told(store.history, from({ ...position(0), seq: -1 }, position(0, 0, 's2')), undefined, hint)).toEqual(['/s1', 's2 0:1', '/s2']);
    expect(await told(store.history, { type: 'mark', mark: 0 }, undefined, hint)).toEqual(['s2 0:0', 's2 0:1']);
  });
});

describe('two sources under one name', () => {
  it('are merged by position, with one marker that has the lowest position that follows', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    await store.history.append([0, 1, 2, 3].map((seq) => at(seq)));
    await store.history.append([at(0, SECOND), at(10, SECOND)]);
    expect(await told(store.history, from(position(0)))).toEqual(['!s1 0:2', 's1 0:2', 's1 0:3', 's1 0:10', '/s1']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 0:2', 's1 0:3', 's1 0:10', '/s1']);
  });

  it('have a depth each, and one id may belong to both', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 1 });
    expect(await store.history.append([at(0, { id: 'x' }), at(0, { id: 'x', ...SECOND })])).toEqual(['admitted', 'admitted']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 0:0', '/s1']);
  });
});

describe('Events without a position', () => {
  it('are anchored at what is highest when they come, and stand behind it', async () => {
    await using store = await testStore({ writer: 'inline' });
    expect(await store.history.append([at(0), at(1), command(), at(2)])).toEqual(['admitted', 'admitted', 'admitted', 'admitted']);
    await store.history.append([at(5), at(4)]);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 0:1', 's1 control.cancel', 's1 0:2', 's1 0:4', 's1 0:5', '/s1']);
    // The anchor itself was processed, the command perhaps not.
    expect(await told(store.history, from(position(1)))).toEqual(['s1 control.cancel', 's1 0:2', 's1 0:4', 's1 0:5', '/s1']);
    expect(await told(store.history, from(position(2)))).toEqual(['s1 0:4', 's1 0:5', '/s1']);
  });

  it('go out live only where nothing is held; they open no session', async () => {
    await using store = await testStore({ writer: 'inline' });
    const early = command();
    expect(await store.history.append([early])).toEqual(['unbuffered']);
    expect(await told(store.history, ALL)).toEqual([]);
    expect(await store.history.append([early, at(0), command()])).toEqual(['duplicate', 'admitted', 'admitted']);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 control.cancel', '/s1']);
    expect((await store.history.sessions()).map(({ source }) => source)).toEqual(['aep://test/agent/a1/session/s1']);
  });

  it('are counted apart, so that nobody pushes a history out by writing about it', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    await store.history.append([at(0), at(1)]);
    const about = [command(), command(), command(), command()];
    await store.history.append(about);
    const steps = await replay(store.history, ALL);
    expect(steps.map((step) => (step.type === 'event' ? (step.event.event.seq ?? step.event.event.id) : step.type))).toEqual([
      0,
      1,
      about[2]?.event.id,
      about[3]?.event.id,
      'session-end',
    ]);
  });

  it('leave with their anchor', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 2 });
    await store.history.append([at(0), command(), at(1), command()]);
    expect(await told(store.history, ALL)).toEqual(['s1 0:0', 's1 control.cancel', 's1 0:1', 's1 control.cancel', '/s1']);
    await store.history.append([at(2)]);
    expect(await told(store.history, ALL)).toEqual(['s1 0:1', 's1 control.cancel', 's1 0:2', '/s1']);
    expect(await told(store.history, from(position(0)))).toEqual(['s1 0:1', 's1 control.cancel', 's1 0:2', '/s1']);
  });
});

describe('a replay up to a mark', () => {
  it('gives nothing committed behind it, and the depth as it was then', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 3 });
    await store.history.append([0, 1, 2, 4].map((seq) => at(seq)));
    const then = store.history.mark();
    await store.history.append([at(3), command(), at(5), at(6), at(7)]);
    await store.history.append([at(0, SECOND)]);
    expect(await told(store.history, from(position(0)), then)).toEqual(['s1 0:1', 's1 0:2', 's1 0:4', '/s1']);
    expect(await told(store.history, ALL, then)).toEqual(['s1 0:1', 's1 0:2', 's1 0:4', '/s1']);
    expect(await told(store.history, from(position(0)))).toEqual(['!s1 0:5', 's1 0:5', 's1 0:6', 's1 0:7', '/s1']);
  });

  it('is whole however much is written while it runs: no hole, no double [B-218]', async () => {
    await using store = await testStore({ writer: 'inline', buffer: 1000 });
    const names = ['s1', 's2'];
    const write = (first: number) =>
      store.history.append(names.flatMap((session) => Array.from({ length: 500 }, (_, index) => at(first + index, { session, id: `${session}-${first + index}` }))));
    let next = 0;
    for (; next < 1000; next += 500) await write(next);
    const upTo = store.history.mark();
    const seen: string[] = [];
    for await (const chunk of store.history.replay(ALL, upTo)) {
      for (const step of chunk) if (step.type === 'event') seen.push(step.event.event.id);
      // Every two chunks that are read, a whole depth is written: the windows leave the replay far behind, and that of the second
      // session is looked for when its start has been overtaken.
      await write(next);
      next += 500;
      // As every reader does, this brings the index up to what was written.
      await store.history.stats();
    }
    expect(seen.toSorted()).toEqual(names.flatMap((session) => Array.from({ length: 1000 }, (_, index) => `${session}-${index}`)).toSorted());
    expect(next).toBeGreaterThan(4000);
  });

  it('contains a batch whose append has settled [B-216]', async () => {
    await using store = await testStore();
    for (let seq = 0; seq < 50; seq += 1) {
      await store.history.append([at(seq)]);
      expect(await told(store.history, from(position(seq - 1)))).toEqual([`s1 0:${seq}`, '/s1']);
    }
  });
});

it('brings along the head that the text of an Event says', async () => {
  await using store = await testStore({ writer: 'inline' });
  await store.history.append([at(0), at(1, { epoch: 2, type: 'x.acme.session.synced' }), at(5, SECOND), command(), at(0, { session: 'größe', source: 'aep://test/agent/a3' })]);
  const events = (await replay(store.history, ALL)).flatMap((step) => (step.type === 'event' ? step.event : []));
  expect(events).toHaveLength(5);
  for (const { event, json, head } of events) {
    expect(head === undefined).toBe(event.type.startsWith('control.'));
    expect(headOf(head === undefined ? { event, json } : { event, json, head })).toEqual(headOf({ event, json }));
  }
});
