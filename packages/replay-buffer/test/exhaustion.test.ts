import { describe, expect, it } from 'vitest';
import { ReplayBuffer } from '../src/index.js';
import { at, fill, range, steps, wire, words } from './events.js';

describe('a position older than the buffer', () => {
  it('gets a marker with the first Event that follows, ahead of the Events [B-099, B-100, B-045]', () => {
    const buffer = new ReplayBuffer({ perSession: 3 });
    fill(buffer, range(0, 9));
    expect(words(buffer, at(2))).toBe('!s 0:7 0:7 0:8 0:9 .s');
    expect(steps(buffer, at(2))[0]).toEqual({ type: 'exhausted', session: 's', epoch: 0, seq: 7 });
  });

  it('is one below the highest evicted, not one below the earliest held [B-213]', () => {
    const buffer = new ReplayBuffer({ perSession: 3 });
    fill(buffer, [0, 10, 20, 30, 40]);
    expect(words(buffer, at(9))).toBe('!s 0:20 0:20 0:30 0:40 .s');
    expect(words(buffer, at(10))).toBe('0:20 0:30 0:40 .s');
    expect(words(buffer, at(15))).toBe('0:20 0:30 0:40 .s');
  });

  it('is none while nothing was lost, though seq starts at 1 or the epoch changes', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [1], { type: 'session.started' });
    fill(buffer, [2, 3]);
    fill(buffer, [0, 1], { epoch: 1 });
    expect(words(buffer, at(0))).toBe('0:1 0:2 0:3 1:0 1:1 .s');
    expect(words(buffer, at(3))).toBe('1:0 1:1 .s');
    expect(words(buffer, at(99))).toBe('1:0 1:1 .s');
  });

  it('counts across epochs', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [0, 1], { epoch: 1 });
    fill(buffer, [0, 1], { epoch: 2 });
    expect(words(buffer, at(0, 's', 1))).toBe('!s 2:0 2:0 2:1 .s');
    expect(words(buffer, at(1, 's', 1))).toBe('2:0 2:1 .s');
  });

  it('keeps moving up with the buffer', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    const seen: string[] = [];
    for (const seq of range(0, 5)) {
      fill(buffer, [seq]);
      seen.push(words(buffer, at(0)));
    }
    expect(seen).toEqual(['.s', '0:1 .s', '0:1 0:2 .s', '!s 0:2 0:2 0:3 .s', '!s 0:3 0:3 0:4 .s', '!s 0:4 0:4 0:5 .s']);
  });

  it('names one of two Events on the position that was evicted half', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [4, 5, 5, 6].slice(0, 3));
    fill(buffer, [6]);
    expect(words(buffer, at(4))).toBe('!s 0:5 0:5 0:6 .s');
    expect(words(buffer, at(5))).toBe('0:6 .s');
  });
});

describe('a session that was joined midway', () => {
  it('marks what may have come before, unless the position directly precedes', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [100, 101]);
    expect(words(buffer, at(98))).toBe('!s 0:100 0:100 0:101 .s');
    expect(words(buffer, at(99))).toBe('0:100 0:101 .s');
    expect(words(buffer, at(100))).toBe('0:101 .s');
    expect(words(buffer, 'all')).toBe('0:100 0:101 .s');
  });

  it('has no position of another epoch that directly precedes', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [1], { epoch: 1 });
    expect(words(buffer, at(0, 's', 0))).toBe('!s 1:1 1:1 .s');
    expect(words(buffer, at(0, 's', 1))).toBe('1:1 .s');
  });

  it.each([
    ['session.started at any position', { type: 'session.started', seq: 40, epoch: 2 }],
    ['epoch 0, seq 0', { seq: 0 }],
  ])('is none where the first Event was %s', (_, members) => {
    const buffer = new ReplayBuffer();
    buffer.admit(wire(members));
    expect(words(buffer, at(0, 's', 0))).not.toContain('!');
    expect(words(buffer, at(5, 's', 1))).not.toContain('!');
  });

  it('does not become one when session.started arrives later', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [100]);
    fill(buffer, [1], { type: 'session.started', epoch: 0 });
    expect(words(buffer, at(1))).toBe('0:100 .s');
  });

  it('measures by the earliest held, so that backfill moves the line', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [100, 90]);
    expect(words(buffer, at(88))).toBe('!s 0:90 0:90 0:100 .s');
    expect(words(buffer, at(89))).toBe('0:90 0:100 .s');
    expect(words(buffer, at(95))).toBe('0:100 .s');
  });

  it('measures by what was evicted as soon as something was', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [100, 110, 120]);
    expect(words(buffer, at(99))).toBe('!s 0:110 0:110 0:120 .s');
    expect(words(buffer, at(100))).toBe('0:110 0:120 .s');
    expect(words(buffer, at(105))).toBe('0:110 0:120 .s');
  });
});

describe('two sources that share a session name', () => {
  const both = (perSession = 100) => {
    const buffer = new ReplayBuffer({ perSession });
    fill(buffer, [0, 2, 4], { source: 'aep://h/1' });
    fill(buffer, [0, 1, 2, 3], { source: 'aep://h/2' });
    return buffer;
  };

  it('are merged by position', () => {
    const buffer = both();
    expect(words(buffer, 'all')).toBe('0:0 0:0 0:1 0:2 0:2 0:3 0:4 .s');
    expect(words(buffer, at(1))).toBe('0:2 0:2 0:3 0:4 .s');
  });

  it('get one marker, with the lowest position that follows [B-214]', () => {
    const buffer = both(3);
    expect(words(buffer, at(0))).toBe('0:1 0:2 0:2 0:3 0:4 .s');
    fill(buffer, [6], { source: 'aep://h/1' });
    fill(buffer, [9], { source: 'aep://h/2' });
    expect(words(buffer, at(0))).toBe('!s 0:2 0:2 0:2 0:3 0:4 0:6 0:9 .s');
    expect(words(buffer, at(1))).toBe('0:2 0:2 0:3 0:4 0:6 0:9 .s');
  });

  it('are marked where one of them was evicted whole', () => {
    const buffer = new ReplayBuffer({ sessions: 2 });
    fill(buffer, [5], { source: 'aep://h/1' });
    fill(buffer, [3, 9].slice(0, 1), { source: 'aep://h/2', type: 'session.started' });
    fill(buffer, [9], { source: 'aep://h/2' });
    fill(buffer, [0], { session: 'other' });
    expect(words(buffer, at(4))).toBe('!s 0:9 0:9 .s');
    expect(words(buffer, at(5))).toBe('0:9 .s');
  });
});

describe('a session that was evicted whole', () => {
  const gone = (options = {}) => {
    const buffer = new ReplayBuffer({ sessions: 1, ...options });
    fill(buffer, range(0, 5));
    fill(buffer, [0], { session: 'other' });
    return buffer;
  };

  it('has its marker kept back until it has an Event to name', () => {
    const buffer = gone();
    expect(steps(buffer, at(2))).toEqual([{ type: 'session-end', session: 's', owed: true }]);
    expect(words(buffer, at(4))).toBe('.s?');
  });

  it('owes none to a position that misses nothing, and none for all', () => {
    const buffer = gone();
    expect(steps(buffer, at(5))).toEqual([{ type: 'session-end', session: 's' }]);
    expect(words(buffer, 'all')).toBe('0:0 .other');
  });

  it('gives the marker as soon as it is held again', () => {
    const buffer = gone();
    fill(buffer, [6, 7]);
    expect(words(buffer, at(2))).toBe('!s 0:6 0:6 0:7 .s');
    expect(words(buffer, at(5))).toBe('0:6 0:7 .s');
  });

  it('names an Event beyond the bound of the replay where nothing within it follows', () => {
    const buffer = gone();
    const { order } = buffer;
    fill(buffer, [6, 7]);
    expect(words(buffer, at(2), order)).toBe('!s 0:6 .s');
  });

  it('does not come back through redelivery of what was evicted', () => {
    const buffer = gone();
    expect([0, 3, 5].map((seq) => buffer.admit(wire({ seq })))).toEqual(['late', 'late', 'late']);
    expect(buffer.stats()).toMatchObject({ sessions: 1, events: 1 });
    expect(words(buffer, at(0, 'other'))).toBe('.other');
  });

  it('is forgotten in the end, the first one first', () => {
    const buffer = new ReplayBuffer({ sessions: 1, evictedSessions: 2 });
    for (const session of ['a', 'b', 'c', 'd']) fill(buffer, [0, 1], { session });
    expect(['a', 'b', 'c'].map((session) => words(buffer, at(0, session)))).toEqual(['.a~', '.b?', '.c?']);
    expect(words(gone({ evictedSessions: 0 }), at(0))).toBe('.s~');
  });

  it('is remembered, the last one, also where there are hardly any bytes for it', () => {
    const buffer = gone({ bytes: 3000 });
    expect(words(buffer, at(2))).toBe('.s?');
  });

  it('owes its marker while another source of the name holds nothing behind the position', () => {
    const buffer = new ReplayBuffer({ sessions: 2 });
    fill(buffer, [0], { source: 'aep://h/2' });
    fill(buffer, [9], { source: 'aep://h/1', type: 'session.started' });
    fill(buffer, [1], { source: 'aep://h/2' });
    fill(buffer, [0], { session: 'other' });
    expect(words(buffer, at(5))).toBe('.s?');
    expect(words(buffer, at(0))).toBe('!s 0:1 0:1 .s');
  });
});

describe('Events that are missing where this buffer is filled from', () => {
  it('count as evicted, and what is held below them goes too [B-100]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, range(0, 5));
    buffer.missed({ session: 's', epoch: 0, seq: 9 });
    expect(buffer.stats()).toMatchObject({ sessions: 0, events: 0, evicted: 6 });
    fill(buffer, [9, 10]);
    expect(words(buffer, at(2))).toBe('!s 0:9 0:9 0:10 .s');
    expect(words(buffer, at(5))).toBe('!s 0:9 0:9 0:10 .s');
    expect(words(buffer, at(8))).toBe('0:9 0:10 .s');
    expect(buffer.admit(wire({ seq: 7 }))).toBe('late');
  });

  it('are marked where nothing of the session is held yet, whoever it is of', () => {
    const buffer = new ReplayBuffer();
    buffer.missed({ session: 's', epoch: 3, seq: 0 });
    expect(words(buffer, at(999, 's', 2))).toBe('.s?');
    fill(buffer, [0], { epoch: 3 });
    expect(words(buffer, at(999, 's', 2))).toBe('!s 3:0 3:0 .s');
  });

  it('are none ahead of the first position there is', () => {
    const buffer = new ReplayBuffer();
    buffer.missed({ session: 's', epoch: 0, seq: 0 });
    fill(buffer, range(0, 2));
    expect(words(buffer, at(0))).toBe('0:1 0:2 .s');
  });

  it('never move back what counts as evicted', () => {
    const buffer = new ReplayBuffer();
    buffer.missed({ session: 's', epoch: 0, seq: 9 });
    buffer.missed({ session: 's', epoch: 0, seq: 4 });
    expect(words(buffer, at(6))).toBe('.s?');
  });
});
