import { describe, expect, it } from 'vitest';
import { ReplayBuffer, ReplayEvictedError, type Replayed } from '../src/index.js';
import { at, command, fill, range, wire, word, words } from './events.js';

function next(replay: Iterator<readonly Replayed[], void, void>): string {
  const { done, value } = replay.next();
  return done === true ? 'done' : value.map(word).join(' ');
}

describe('a replay under writers', () => {
  it('gives out what it began with, by position, whatever comes meanwhile [B-215]', () => {
    const buffer = new ReplayBuffer({ chunk: 2 });
    fill(buffer, [0, 10, 20, 30]);
    const replay = buffer.replay('all', buffer.order);
    const got = [next(replay)];
    fill(buffer, [5, 15, 25, 40, 0]);
    got.push(next(replay));
    fill(buffer, range(50, 5000));
    got.push(next(replay), next(replay));
    expect(got).toEqual(['0:0 0:10', '0:20 0:30', '.s', 'done']);
  });

  it('is not disturbed by eviction of what it has given out', () => {
    const buffer = new ReplayBuffer({ chunk: 2, perSession: 4 });
    fill(buffer, range(0, 3));
    const replay = buffer.replay('all', buffer.order);
    expect(next(replay)).toBe('0:0 0:1');
    fill(buffer, [4, 5]);
    expect(next(replay)).toBe('0:2 0:3');
    fill(buffer, range(6, 20));
    expect(next(replay)).toBe('.s');
  });

  it('throws when its next Event was evicted, and never skips it [B-218]', () => {
    const buffer = new ReplayBuffer({ chunk: 2, perSession: 4 });
    fill(buffer, range(0, 3));
    const replay = buffer.replay('all', buffer.order);
    expect(next(replay)).toBe('0:0 0:1');
    fill(buffer, [4, 5, 6]);
    expect(() => next(replay)).toThrow(ReplayEvictedError);
    expect(next(replay)).toBe('done');
    expect(words(buffer, at(1))).toBe('!s 0:3 0:3 0:4 0:5 0:6 .s');
  });

  it('throws when its session was evicted whole, and when it came back since [B-218]', () => {
    for (const back of [false, true]) {
      const buffer = new ReplayBuffer({ chunk: 1, sessions: 1 });
      fill(buffer, range(0, 3));
      const replay = buffer.replay('all', buffer.order);
      expect(next(replay)).toBe('0:0');
      fill(buffer, [0], { session: 'other' });
      if (back) fill(buffer, range(4, 9));
      expect(() => next(replay)).toThrow(expect.objectContaining({ code: 'replay-evicted', name: 'ReplayEvictedError' }) as Error);
    }
  });

  it('throws when a command ahead of it left', () => {
    const buffer = new ReplayBuffer({ chunk: 1, perSession: 2 });
    fill(buffer, [0]);
    buffer.admit(command({ id: 'c1' }));
    const replay = buffer.replay('all', buffer.order);
    expect(next(replay)).toBe('0:0');
    for (const id of ['c2', 'c3']) buffer.admit(command({ id }));
    expect(() => next(replay)).toThrow(ReplayEvictedError);
  });

  it('looks for what is missing when the turn of a session comes', () => {
    const buffer = new ReplayBuffer({ chunk: 1, perSession: 2 });
    fill(buffer, range(0, 1), { session: 'a' });
    fill(buffer, range(0, 1), { session: 'b' });
    const positions = ['a', 'b'].map((session) => ({ session, epoch: 0, seq: 0 }));
    const replay = buffer.replay({ positions }, buffer.order);
    expect(next(replay)).toBe('0:1');
    fill(buffer, range(2, 3), { session: 'b' });
    expect([next(replay), next(replay)]).toEqual(['.a', '!b 0:2 .b']);
    expect(words(buffer, at(0, 'b'))).toBe('!b 0:2 0:2 0:3 .b');
  });

  it('owes the marker of a session that was evicted whole before its turn', () => {
    const buffer = new ReplayBuffer({ chunk: 1, sessions: 2 });
    fill(buffer, range(0, 1), { session: 'a' });
    fill(buffer, range(0, 1), { session: 'b' });
    const positions = ['b', 'a'].map((session) => ({ session, epoch: 0, seq: 0 }));
    const replay = buffer.replay({ positions }, buffer.order);
    expect(next(replay)).toBe('0:1');
    fill(buffer, [0], { session: 'c' });
    expect([next(replay), next(replay), next(replay)]).toEqual(['.b', '.a?', 'done']);
  });

  it('of all gives out what is left of a session when its turn comes', () => {
    const buffer = new ReplayBuffer({ chunk: 1, perSession: 2 });
    fill(buffer, range(0, 1), { session: 'a' });
    fill(buffer, range(0, 1), { session: 'b' });
    const replay = buffer.replay('all', buffer.order);
    expect(next(replay)).toBe('0:0');
    fill(buffer, [2], { session: 'b' });
    expect([next(replay), next(replay), next(replay), next(replay)]).toEqual(['0:1', '.a', '0:1', '.b']);
  });

  it('can be left at any time', () => {
    const buffer = new ReplayBuffer({ chunk: 1 });
    fill(buffer, range(0, 9));
    for (const chunk of buffer.replay('all', buffer.order)) if (chunk.some((step) => word(step) === '0:3')) break;
    expect(buffer.admit(wire({ seq: 10 }))).toBe('admitted');
  });
});

describe('many readers', () => {
  it('do not get in each other’s way', () => {
    const buffer = new ReplayBuffer({ chunk: 3 });
    fill(buffer, range(0, 20));
    const replays = range(0, 9).map((seq) => buffer.replay(at(seq), buffer.order));
    const got = replays.map(() => [] as string[]);
    for (let turn = 0; turn < 10; turn++) {
      for (const [index, replay] of replays.entries()) got[index]!.push(next(replay));
      fill(buffer, [100 + turn]);
    }
    for (const [index, list] of got.entries()) expect(list.join(' ').replace(/( done)+$/, '')).toBe([...range(index + 1, 20).map((seq) => `0:${seq}`), '.s'].join(' '));
  });
});
