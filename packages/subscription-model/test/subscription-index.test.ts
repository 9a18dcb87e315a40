import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileFilter, SubscriptionIndex, type Message } from '../src/index.js';
import { message } from './support.js';

const segment = fc.constantFrom('a', 'b', 'c');
const type = fc.array(segment, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.'));
const pattern = fc.oneof(
  fc.constant('*'),
  type,
  fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
);
const value = fc.constantFrom('x', 'y', 'z');
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> => fc.oneof(of, fc.array(of, { minLength: 1, maxLength: 3 }));
const filters = fc.record(
  { types: some(pattern), source: some(value), target: some(value), topic: some(value), session_id: some(value), conversation_id: some(value), task_id: some(value) },
  { requiredKeys: ['types'] },
);
const routable = fc
  .record({ type, source: value, target: value, topic: value, session_id: value, conversation_id: value, task_id: value }, { requiredKeys: ['type', 'source'] })
  .map((fields): Message => message(fields));

describe('the index', () => {
  it('finds what matches, and each entry once, while entries come and go', () => {
    fc.assert(
      fc.property(fc.array(filters, { maxLength: 30 }), fc.array(routable, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (given, events, gone) => {
        const index = new SubscriptionIndex<number>();
        const held = new Map(given.map((filter, at) => [at, index.add(compileFilter(filter), at)] as const));
        for (const draw of gone) {
          const at = draw % Math.max(1, given.length);
          const entry = held.get(at);
          if (entry !== undefined) expect(index.delete(entry)).toBe(true);
          if (entry !== undefined) expect(index.delete(entry)).toBe(false);
          held.delete(at);
        }
        expect(index.size).toBe(held.size);
        for (const event of events) {
          const expected = [...held].filter(([, { filter }]) => filter.matches(event)).map(([at]) => at);
          expect(index.match(event).toSorted((a, b) => a - b)).toEqual(expected);
        }
        for (const entry of held.values()) index.delete(entry);
        expect([index.size, index.buckets]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('takes the same filter twice, and handles of another index never', () => {
    const index = new SubscriptionIndex<string>();
    const filter = compileFilter({ types: ['a.*', 'a.b', '*'] });
    const first = index.add(filter, 'one');
    index.add(filter, 'two');
    expect(index.match(message({ type: 'a.b' })).toSorted()).toEqual(['one', 'two']);
    expect(new SubscriptionIndex<string>().delete(first)).toBe(false);
    index.delete(first);
    expect(index.match(message({ type: 'a.b' }))).toEqual(['two']);
  });

  it('never finds an empty filter [S-043]', () => {
    const index = new SubscriptionIndex<string>();
    const entry = index.add(compileFilter({}, { lenient: true }), 'nothing');
    expect(index.match(message())).toEqual([]);
    expect(index.delete(entry)).toBe(true);
  });

  it('does not trip over a type that is written like a pattern', () => {
    const index = new SubscriptionIndex<string>();
    index.add(compileFilter({ types: '*.b' }), 'one');
    expect(index.match(message({ type: '*.b' }))).toEqual(['one']);
    expect(index.match(message({ type: '' }))).toEqual([]);
  });
});
