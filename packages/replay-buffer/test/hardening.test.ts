import { parseEvent } from '@aepkit/envelope';
import { describe, expect, it, vi } from 'vitest';
import { ReplayBuffer } from '../src/index.js';
import { at, command, fill, ids, range, steps, wire, words } from './events.js';

describe('hostile names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'a:0:1', 'a\u0000b', 'a\nb', '../../x', ' ', '\ud83d\ude00', 'é', 'e\u0301', 'x'.repeat(5000)];

  it('of sessions and sources are like any other', () => {
    const buffer = new ReplayBuffer();
    for (const session of names) expect(buffer.admit(wire({ session, source: `aep://h/${encodeURIComponent(session)}` }))).toBe('admitted');
    for (const session of names) {
      expect(steps(buffer, at(5, session))).toEqual([{ type: 'session-end', session }]);
      expect(buffer.admit(wire({ session, seq: 1, source: `aep://h/${encodeURIComponent(session)}` }))).toBe('admitted');
      expect(words(buffer, at(0, session))).toBe(`0:1 .${session}`);
    }
    expect(words(buffer, at(0, 'hasOwnProperty'))).toBe('.hasOwnProperty~');
  });

  it('of Events are like any other', () => {
    const buffer = new ReplayBuffer();
    for (const [seq, id] of names.entries()) expect(buffer.admit(wire({ id, seq }))).toBe('admitted');
    for (const [seq, id] of names.entries()) expect(buffer.admit(wire({ id, seq }))).toBe('duplicate');
    expect(ids(buffer, 'all')).toEqual(names);
  });

  it('that are spelled with escapes are the same names', () => {
    const buffer = new ReplayBuffer();
    const text = '{"aep":"0.1","id":"\\u0069d-\\u2026","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/s","agent":"a","session":"\\u0073","seq":3}';
    expect(buffer.admit(parseEvent(text))).toBe('admitted');
    expect(buffer.admit(wire({ id: 'id-…', session: 's', source: 'aep://h/s' }))).toBe('duplicate');
    expect(steps(buffer, 'all')[0]).toEqual({ type: 'event', event: parseEvent(text) });
  });
});

describe('content', () => {
  it.each([
    ['integers beyond 2^53', '"big":18014398509481985,"n":-9007199254740993'],
    ['a member called __proto__', '"data":{"__proto__":{"x":1}}'],
    ['odd spellings of numbers', '"data":{"n":1.0,"m":1e400,"k":12345678901234567890}'],
    ['escapes and wide characters', '"data":{"s":"\\u0000\\ud83d\\ude00 😀 … \\"\\\\/\\/"}'],
    ['sixty levels', `"data":${'{"a":'.repeat(60)}1${'}'.repeat(60)}`],
  ])('with %s comes back as it came, text and reading', (_, members) => {
    const came = parseEvent(`{"aep":"0.1","id":"x","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/s","agent":"a","session":"s","seq":3,${members}}`);
    for (const copy of [true, false]) {
      const buffer = new ReplayBuffer({ copy });
      buffer.admit(came);
      const [step] = steps(buffer, 'all');
      expect(step).toEqual({ type: 'event', event: { event: came.event, json: came.json } });
    }
  });

  it('does not change with the object that was handed in', () => {
    const buffer = new ReplayBuffer();
    const came = wire({ id: 'x', data: { n: 1 } });
    buffer.admit(came);
    (came.event.data as { n: number }).n = 2;
    const [step] = steps(buffer, 'all');
    expect(step?.type === 'event' && step.event.event.data).toEqual({ n: 1 });
    const [again] = steps(buffer, 'all');
    expect(again).not.toBe(step);
  });

  it('is read from own properties only', () => {
    const { prototype } = Object;
    Reflect.defineProperty(prototype, 'session', { value: 's', configurable: true });
    Reflect.defineProperty(prototype, 'seq', { value: 7, configurable: true });
    Reflect.defineProperty(prototype, 'epoch', { value: 9, configurable: true });
    try {
      const buffer = new ReplayBuffer();
      fill(buffer, [1]);
      const agent = wire({ type: 'agent.idle', session: undefined, seq: undefined });
      expect(buffer.admit({ json: agent.json, event: JSON.parse(agent.json) })).toBe('unbuffered');
      expect(buffer.admit(command({ id: 'c' }))).toBe('admitted');
      expect(steps(buffer, 'all')).toHaveLength(3);
      expect(steps(buffer, at(1))).toHaveLength(2);
    } finally {
      for (const name of ['session', 'seq', 'epoch']) Reflect.deleteProperty(prototype, name);
    }
  });
});

describe('bounds', () => {
  it('of bytes hold against long names of sessions that come and go', () => {
    const bytes = 200_000;
    const buffer = new ReplayBuffer({ bytes });
    for (let index = 0; index < 200; index++) {
      fill(buffer, [index], { session: `${index}-${'s'.repeat(5000)}`, source: `aep://h/${index}${'x'.repeat(2000)}` });
      expect(buffer.stats().bytes).toBeLessThanOrEqual(bytes);
    }
  });

  it('of bytes hold against sources, owners and commands', () => {
    const bytes = 100_000;
    const buffer = new ReplayBuffer({ bytes });
    for (let index = 0; index < 300; index++) {
      fill(buffer, [index], { source: `aep://h/owner/${index}` });
      buffer.admit(command({ source: `aep://h/sender/${index}` }));
      expect(buffer.stats().bytes).toBeLessThanOrEqual(bytes);
    }
    expect(buffer.stats().events).toBeGreaterThan(20);
  });

  it('hold where every one is the smallest', () => {
    const buffer = new ReplayBuffer({ perSession: 1, sessions: 1, bytes: 1, chunk: 1, evictedSessions: 0 });
    fill(buffer, range(0, 9));
    buffer.admit(command());
    expect(buffer.stats()).toEqual({ sessions: 0, events: 0, bytes: 0, evicted: 0 });
    expect(words(buffer, 'all')).toBe('');
  });

  it('of chunks hold, so that a replay never takes a long turn', () => {
    const buffer = new ReplayBuffer({ chunk: 16 });
    for (let index = 0; index < 50; index++) fill(buffer, [0], { session: `s${index}` });
    for (const chunk of buffer.replay('all', buffer.order)) expect(chunk.length).toBeLessThanOrEqual(18);
  });

  it('let nothing of an evicted Event be found by a reader that still points at it', () => {
    const buffer = new ReplayBuffer({ sessions: 1, chunk: 1 });
    fill(buffer, range(0, 3));
    const readers = range(0, 4).map(() => buffer.replay('all', buffer.order));
    for (const reader of readers) reader.next();
    fill(buffer, [0], { session: 'other' });
    for (const reader of readers) expect(() => reader.next()).toThrow();
    expect(buffer.stats().events).toBe(1);
  });
});

describe('work', () => {
  it('of a resume near the end does not grow with what is held: nothing else is read', () => {
    const buffer = new ReplayBuffer({ perSession: Infinity });
    fill(buffer, range(0, 5000));
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(words(buffer, at(4999))).toBe('0:5000 .s');
      expect(words(buffer, { after: buffer.order - 1 })).toBe('0:5000');
      expect(parse).toHaveBeenCalledTimes(2);
    } finally {
      parse.mockRestore();
    }
  });
});
