import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterIndex, compileFilter, type IndexEntry } from '../src/index.js';
import { eventArbitrary, filterArbitrary } from './arbitraries.js';
import { event } from './event.js';

const EMPTY = { entries: 0, buckets: 0, unindexed: 0 };

function indexOf(filters: readonly Record<string, unknown>[]): { index: FilterIndex<number>; entries: IndexEntry<number>[] } {
  const index = new FilterIndex<number>();
  return { index, entries: filters.map((filter, i) => index.add(compileFilter(filter), i)) };
}

describe('FilterIndex', () => {
  it('gives the same verdicts as testing every filter, while filters come and go', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: filterArbitrary.map((filter) => ({ type: 'add' as const, filter })) },
      { weight: 1, arbitrary: fc.nat().map((nth) => ({ type: 'delete' as const, nth })) },
      { weight: 2, arbitrary: eventArbitrary.map((given) => ({ type: 'event' as const, given })) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 120 }), (steps) => {
        const index = new FilterIndex<number>();
        const live: IndexEntry<number>[] = [];
        let next = 0;
        for (const now of steps) {
          if (now.type === 'add') live.push(index.add(compileFilter(now.filter), next++));
          else if (now.type === 'delete') {
            const [entry] = live.splice(now.nth % Math.max(1, live.length), 1);
            if (entry !== undefined) expect(index.delete(entry)).toBe(true);
          } else {
            const scanned = live.filter((entry) => entry.filter.matches(now.given)).map((entry) => entry.value);
            expect(index.match(now.given).sort((a, b) => a - b)).toEqual(scanned);
          }
          expect(index.size).toBe(live.length);
        }
        for (const entry of live) index.delete(entry);
        expect(index.stats()).toEqual(EMPTY);
      }),
      { numRuns: 300 },
    );
  });

  it('gives an entry once, in however many buckets it stands', () => {
    const { index } = indexOf([{ type: ['run.*', 'run.step.*', 'run.step.started'] }]);
    expect(index.stats()).toEqual({ entries: 1, buckets: 3, unindexed: 0 });
    expect(index.match(event({ type: 'run.step.started' }))).toEqual([0]);
    expect(index.match(event({ type: 'run.step.started' }))).toEqual([0]);
  });

  it('gives each of two entries of one filter and one value', () => {
    const index = new FilterIndex<string>();
    const filter = compileFilter({ agent: 'a' });
    const first = index.add(filter, 'x');
    index.add(filter, 'x');
    expect(index.match(event())).toEqual(['x', 'x']);
    index.delete(first);
    expect(index.match(event())).toEqual(['x']);
  });

  it('leaves nothing behind when the last entry goes', () => {
    const { index, entries } = indexOf([
      {},
      { session: ['s1', 's2'] },
      { type: 'run.*' },
      { type: ['run.*', 'x.acme.*', 'tool.denied'] },
      { acmeregion: ['eu', 'us'] },
      { severity: { gte: 'error' } },
      { epoch: 0, capture: 'full' },
      { severity: { gte: 'error', lte: 'info' } },
    ]);
    expect(index.stats()).toMatchObject({ entries: 8, unindexed: 1 });
    for (const entry of entries) expect(index.delete(entry)).toBe(true);
    expect(index.stats()).toEqual(EMPTY);
    expect(index.match(event({ session: 's1', type: 'run.started', acmeregion: 'eu', severity: 'error' }))).toEqual([]);
  });

  it('takes a handle once, and only its own', () => {
    const { index, entries } = indexOf([{ agent: 'a' }]);
    const other = new FilterIndex<number>();
    const [entry] = entries as [IndexEntry<number>];
    expect(other.delete(entry)).toBe(false);
    expect(other.delete({ filter: entry.filter, value: 0 })).toBe(false);
    expect(index.delete(entry)).toBe(true);
    expect(index.delete(entry)).toBe(false);
    expect(index.size).toBe(0);
  });

  it('refuses a filter that was not compiled here', () => {
    const index = new FilterIndex<number>();
    const forged = { ...compileFilter({}), matches: () => true };
    expect(() => index.add(forged, 1)).toThrow(TypeError);
    expect(index.size).toBe(0);
  });

  it('honours the defaults of severity, capture and epoch [B-134, B-135, B-136]', () => {
    const { index } = indexOf([{ severity: 'info' }, { severity: { gte: 'notice' } }, { capture: 'metadata' }, { epoch: 0 }, { epoch: '0' }]);
    expect(index.match(event()).sort()).toEqual([0, 2, 3]);
    expect(index.match(event({ severity: 'error', capture: 'full', epoch: 1 }))).toEqual([1]);
  });

  it('keeps the values of different types apart [B-121, B-223]', () => {
    const { index } = indexOf([{ acmev: 1 }, { acmev: '1' }, { acmev: true }, { acmev: 'true' }, { acmev: 2n ** 60n }, { acmev: (2n ** 60n).toString() }, { acmev: 2n ** 60n + 1n }]);
    const given = [1, '1', true, 'true', 2n ** 60n, (2n ** 60n).toString(), 2n ** 60n + 1n];
    expect(given.map((acmev) => index.match(event({ acmev })))).toEqual(given.map((_, i) => [i]));
    expect(index.match(event({ acmev: 2 ** 60 }))).toEqual([4]);
  });

  it('spreads filters that share one value over their other predicates', () => {
    const crowd = Array.from({ length: 1000 }, (_, i) => ({ session: 's1', subject: `subject-${i}` }));
    const { index } = indexOf(crowd);
    expect(index.stats().buckets).toBeGreaterThan(900);
    expect(index.match(event({ subject: 'subject-7' }))).toEqual([7]);
  });

  it('finds extension filters under many names and on Events with many members', () => {
    const names = Array.from({ length: 50 }, (_, i) => `acme${i}`);
    const { index } = indexOf(names.map((name) => ({ [name]: 1 })));
    expect(index.match(event({ acme7: 1, acme9: 2 }))).toEqual([7]);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`acme${i}`, 1]));
    expect(index.match(event(many))).toHaveLength(50);
  });
});

describe('FilterIndex.forEachMatch', () => {
  it('calls back with value and handle', () => {
    const { index, entries } = indexOf([{ agent: 'a' }, { agent: 'b' }]);
    const seen: unknown[] = [];
    index.forEachMatch(event(), (value, entry) => seen.push([value, entry]));
    expect(seen).toEqual([[0, entries[0]]]);
  });

  it('leaves out an entry that a callback deletes, and lets one that it adds wait', () => {
    const { index, entries } = indexOf([{ agent: 'a' }, { agent: 'a' }, { agent: 'a' }]);
    const seen: number[] = [];
    index.forEachMatch(event(), (value) => {
      seen.push(value);
      for (const entry of entries) if (entry.value !== value) index.delete(entry);
      index.add(compileFilter({ agent: 'a' }), value + 10);
    });
    expect(seen).toHaveLength(1);
    expect(index.size).toBe(2);
    expect(index.match(event()).sort((a, b) => a - b)).toEqual([seen[0], (seen[0]!) + 10]);
  });

  it('may be entered again from a callback', () => {
    const { index } = indexOf([{ type: ['run.*', 'run.started'] }, { agent: 'a' }]);
    const given = event({ type: 'run.started' });
    const counts: number[] = [];
    index.forEachMatch(given, () => counts.push(index.match(given).length));
    expect(counts).toEqual([2, 2]);
  });
});
