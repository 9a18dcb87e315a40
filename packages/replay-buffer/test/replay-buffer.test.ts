import { describe, expect, it } from 'vitest';
import { ReplayBuffer } from '../src/index.js';
import { at, command, fill, ids, range, steps, wire, words } from './events.js';

describe('order', () => {
  it('is that of (epoch, seq), whatever the order of arrival [E-078, E-081]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 1, 5, 3, 2, 9, 4]);
    expect(words(buffer, 'all')).toBe('0:0 0:1 0:2 0:3 0:4 0:5 0:9 .s');
  });

  it('compares epoch first and never packs it with seq [B-165, E-081]', () => {
    const buffer = new ReplayBuffer();
    const big = Number.MAX_SAFE_INTEGER;
    for (const [epoch, seq] of [[1_767_225_600_001, 0], [1_767_225_600_000, big], [1_767_225_600_000, big - 1], [0, big], [0, 0]] as const) buffer.admit(wire({ epoch, seq }));
    expect(words(buffer, 'all')).toBe(`0:0 0:${big} 1767225600000:${big - 1} 1767225600000:${big} 1767225600001:0 .s`);
    expect(words(buffer, at(big - 1, 's', 1_767_225_600_000))).toBe(`1767225600000:${big} 1767225600001:0 .s`);
  });

  it('reads an absent epoch as 0 and takes no notice of time [E-032, E-082]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [1], { epoch: 0, time: '2026-01-01T00:00:09Z' });
    fill(buffer, [2], { time: '2026-01-01T00:00:01Z' });
    expect(words(buffer, at(1))).toBe('0:2 .s');
  });

  it('treats a lower seq without a new epoch as backfill [E-079]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 5, 1]);
    expect(words(buffer, at(1))).toBe('0:5 .s');
  });

  it('keeps both of two Events on one position, first come first', () => {
    const buffer = new ReplayBuffer();
    for (const id of ['first', 'second', 'third']) buffer.admit(wire({ id, seq: 3 }));
    fill(buffer, [2, 4]);
    expect(ids(buffer, at(2))).toEqual(['first', 'second', 'third', expect.any(String)]);
  });
});

describe('a resume', () => {
  it('starts strictly after the position [B-165, E-090]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, range(0, 9));
    expect(words(buffer, at(6))).toBe('0:7 0:8 0:9 .s');
    expect(words(buffer, at(9))).toBe('.s');
    expect(words(buffer, at(99))).toBe('.s');
    expect(words(buffer, at(0, 's', 1))).toBe('.s');
  });

  it('takes a gap in seq for what it is [B-167]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 10, 20]);
    expect(words(buffer, at(5))).toBe('0:10 0:20 .s');
  });

  it('gives all of a later epoch to a position of an earlier one', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, range(0, 50), { epoch: 1 });
    fill(buffer, range(0, 2), { epoch: 2 });
    expect(words(buffer, at(50, 's', 1))).toBe('2:0 2:1 2:2 .s');
  });

  it('gives nothing for a session never heard of, and nothing of any other; whether Events are missing its next one tells', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, range(0, 3));
    expect(steps(buffer, at(7, 'other'))).toEqual([{ type: 'session-end', session: 'other', owed: true, behind: { epoch: 0, seq: 7 } }]);
    expect(words(buffer, { positions: [] })).toBe('');
  });

  it('goes session by session, in the order they were named, the lower position of one named twice', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, range(0, 3), { session: 'a' });
    fill(buffer, range(0, 3), { session: 'b' });
    const positions = [{ session: 'b', epoch: 0, seq: 2 }, { session: 'a', epoch: 0, seq: 2 }, { session: 'b', epoch: 0, seq: 1 }];
    expect(words(buffer, { positions })).toBe('0:2 0:3 .b 0:3 .a');
  });

  it('finds the last but one after a long history', () => {
    const buffer = new ReplayBuffer({ perSession: 5000, chunk: 7 });
    fill(buffer, range(0, 5000));
    expect(words(buffer, at(4999))).toBe('0:5000 .s');
  });

  it('finds what came while nobody was connected', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0]);
    expect(words(buffer, at(0))).toBe('.s');
    fill(buffer, range(1, 10));
    expect(words(buffer, at(0)).split(' ')).toHaveLength(11);
  });
});

describe('replay of all', () => {
  it('covers every held session from its earliest held position [B-101]', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, range(0, 3), { session: 'a' });
    fill(buffer, range(0, 1), { session: 'b' });
    expect(words(buffer, 'all')).toBe('0:2 0:3 .a 0:0 0:1 .b');
  });

  it('has no marker, also after eviction [B-106]', () => {
    const buffer = new ReplayBuffer({ perSession: 2, sessions: 2 });
    for (const session of ['a', 'b', 'c']) fill(buffer, range(5, 9), { session });
    expect(words(buffer, 'all')).toBe('0:8 0:9 .b 0:8 0:9 .c');
  });

  it('says nothing of a session that was evicted whole [B-105]', () => {
    const buffer = new ReplayBuffer({ sessions: 1 });
    fill(buffer, [0], { session: 'a' });
    fill(buffer, [0], { session: 'b' });
    expect(words(buffer, 'all')).toBe('0:0 .b');
  });
});

describe('what is given out', () => {
  it('is the Event as it came in, text and reading', () => {
    const buffer = new ReplayBuffer();
    const members = { seq: 1, note: 'x', data: { text: 'é … 🚀 事件 \u0001', nested: { n: [1, 1e3, null, true] } } };
    const came = [wire(members), wire({ seq: 2 }), command({ id: 'c' })];
    for (const each of came) buffer.admit(each);
    expect(steps(buffer, 'all').filter((step) => step.type === 'event').map((step) => step.event)).toEqual(came);
  });

  it('ends at the order number that was asked for', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 1, 2]);
    const { order } = buffer;
    expect(order).toBe(3);
    fill(buffer, [3, 1.5 * 2 + 1]);
    buffer.admit(command());
    expect(words(buffer, at(0), order)).toBe('0:1 0:2 .s');
    expect(words(buffer, 'all', 0)).toBe('.s');
    expect(words(buffer, at(0), Infinity).split(' ')).toHaveLength(6);
  });

  it('ends where the replay was asked for, also when Events come before it is read', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 1]);
    const replay = buffer.replay('all', Infinity);
    fill(buffer, [2]);
    expect([...replay].flat()).toHaveLength(3);
  });

  it('is only of the sessions of the hint, and so are the markers', () => {
    const buffer = new ReplayBuffer({ perSession: 1 });
    fill(buffer, [4, 5], { session: 'a' });
    fill(buffer, [4, 5], { session: 'b' });
    const positions = [{ session: 'a', epoch: 0, seq: 1 }, { session: 'b', epoch: 0, seq: 1 }];
    const hint = { sessions: new Set(['b', 'c']) };
    expect(words(buffer, { positions }, buffer.order, hint)).toBe('.a !b 0:5 0:5 .b');
    expect(words(buffer, 'all', buffer.order, hint)).toBe('0:5 .b');
    expect(words(buffer, { after: 3 }, buffer.order, hint)).toBe('0:5');
    expect(words(buffer, { after: 1 }, 2, hint)).toBe('');
  });

  it('comes in chunks of bounded text, so that a reader who takes his time holds little', () => {
    const buffer = new ReplayBuffer({ chunkText: 2500 });
    for (let seq = 0; seq < 6; seq += 1) buffer.admit(wire({ seq, subject: 'x'.repeat(1000) }));
    expect([...buffer.replay('all', buffer.order)].map((chunk) => chunk.filter(({ type }) => type === 'event').length)).toEqual([3, 3, 0]);
    expect([...buffer.replay({ after: 0 }, buffer.order)].map((chunk) => chunk.length)).toEqual([3, 3]);
  });

  it('comes in chunks', () => {
    const buffer = new ReplayBuffer({ chunk: 4 });
    fill(buffer, range(0, 5), { session: 'a' });
    fill(buffer, range(0, 1), { session: 'b' });
    expect([...buffer.replay('all', buffer.order)].map((chunk) => chunk.length)).toEqual([4, 4, 2]);
    expect([...buffer.replay({ after: 0 }, buffer.order)].map((chunk) => chunk.length)).toEqual([4, 4]);
    expect([...new ReplayBuffer().replay('all', 0)]).toEqual([]);
  });

  it('is counted', () => {
    const buffer = new ReplayBuffer({ perSession: 3 });
    expect(buffer.stats()).toEqual({ sessions: 0, events: 0, bytes: 0, evicted: 0 });
    fill(buffer, range(0, 4));
    buffer.admit(command());
    fill(buffer, [0], { session: 't' });
    expect(buffer.stats()).toEqual({ sessions: 2, events: 5, bytes: expect.any(Number), evicted: 2 });
    expect(buffer.perSession).toBe(3);
    expect(buffer.order).toBe(7);
  });
});
