import { describe, expect, it } from 'vitest';
import { ReplayBuffer, ReplayEvictedError, type Replayed } from '../src/index.js';
import { command, fill, ids, range, wire, word, words } from './events.js';

function next(replay: Iterator<readonly Replayed[], void, void>): string {
  const { done, value } = replay.next();
  return done === true ? 'done' : value.map(word).join(' ');
}

describe('a replay in order of admission', () => {
  it('goes from behind one order number to another, across sessions', () => {
    const buffer = new ReplayBuffer({ chunk: 2 });
    fill(buffer, [5, 3], { session: 'a' });
    const mark = buffer.order;
    fill(buffer, [9, 1], { session: 'b' });
    buffer.admit(command({ id: 'c', session: 'b' }));
    fill(buffer, [4], { session: 'a' });
    expect(words(buffer, { after: 0 })).toBe('0:5 0:3 0:9 0:1 c 0:4');
    expect(words(buffer, { after: mark })).toBe('0:9 0:1 c 0:4');
    expect(words(buffer, { after: mark }, mark + 2)).toBe('0:9 0:1');
    expect(words(buffer, { after: buffer.order })).toBe('');
    expect(words(buffer, { after: 99 })).toBe('');
  });

  it('has every admitted Event once, and nothing else', () => {
    const buffer = new ReplayBuffer();
    const came = [wire({ id: 'x' }), wire({ id: 'x' }), wire({ id: 'y', seq: 1 }), wire({ type: 'agent.started', session: undefined, seq: undefined }), command({ session: 'none' }), command({ id: 'c' })];
    const orders = came.map((each) => [buffer.admit(each), buffer.order]);
    expect(orders).toEqual([['admitted', 1], ['duplicate', 1], ['admitted', 2], ['unbuffered', 2], ['unbuffered', 2], ['admitted', 3]]);
    expect(ids(buffer, { after: 0 })).toEqual(['x', 'y', 'c']);
  });

  it('tolerates writers and ends where it was asked for', () => {
    const buffer = new ReplayBuffer({ chunk: 2 });
    fill(buffer, range(0, 2));
    const replay = buffer.replay({ after: 0 }, Infinity);
    expect(next(replay)).toBe('0:0 0:1');
    fill(buffer, [3, 4]);
    expect([next(replay), next(replay)]).toEqual(['0:2', 'done']);
  });

  it('gives out what is there and then throws, where one in between was evicted [B-218]', () => {
    const buffer = new ReplayBuffer({ perSession: 2, chunk: 10 });
    fill(buffer, [0], { session: 'a' });
    fill(buffer, range(0, 2), { session: 'b' });
    const replay = buffer.replay({ after: 0 }, buffer.order);
    expect(next(replay)).toBe('0:0');
    expect(() => next(replay)).toThrow(ReplayEvictedError);
    expect(words(buffer, { after: 2 })).toBe('0:1 0:2');
  });

  it('throws where the last one was evicted', () => {
    const buffer = new ReplayBuffer({ sessions: 1 });
    fill(buffer, [0, 1], { session: 'a' });
    const mark = buffer.order;
    fill(buffer, [0], { session: 'b' });
    expect(() => words(buffer, { after: 0 }, mark)).toThrow(ReplayEvictedError);
    expect(words(buffer, { after: mark })).toBe('0:0');
  });

  it('is not disturbed by eviction in sessions that are not wanted', () => {
    const buffer = new ReplayBuffer({ perSession: 2, sessions: 2, evictedSessions: 1 });
    fill(buffer, [0], { session: 'a' });
    fill(buffer, range(0, 9), { session: 'b' });
    fill(buffer, [1], { session: 'a' });
    fill(buffer, [0], { session: 'c' });
    const only = (session: string) => words(buffer, { after: 0 }, buffer.order, { sessions: new Set([session]) });
    expect(only('a')).toBe('0:0 0:1');
    expect(() => only('b')).toThrow(ReplayEvictedError);
    // Of `a` nothing is gone, of `d` nothing ever was, and then `b` is forgotten.
    expect(only('d')).toBe('');
    fill(buffer, [0], { session: 'd' });
    fill(buffer, [0], { session: 'e' });
    expect(() => only('b')).toThrow(ReplayEvictedError);
    expect(() => only('a')).toThrow(ReplayEvictedError);
  });

  it('throws where a wanted session came back since, and not behind that', () => {
    const buffer = new ReplayBuffer({ sessions: 1 });
    fill(buffer, [0], { session: 'a' });
    fill(buffer, [0], { session: 'b' });
    fill(buffer, [1], { session: 'a' });
    const hint = { sessions: new Set(['a']) };
    expect(() => words(buffer, { after: 0 }, buffer.order, hint)).toThrow(ReplayEvictedError);
    expect(words(buffer, { after: 1 }, buffer.order, hint)).toBe('0:1');
  });
});
