import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedList } from '../src/sorted-list.js';

const byNumber = (a: number, b: number) => a - b;

function listOf(items: Iterable<number>): SortedList<number> {
  const list = new SortedList(byNumber);
  for (const item of items) list.add(item);
  return list;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('a sorted list', () => {
  it('is in order, whatever the order of adding, across many chunks', () => {
    const items = range(0, 2999);
    const shuffled = items.map((item) => (item * 1777) % 3000);
    for (const order of [items, [...items].reverse(), shuffled]) {
      const list = listOf(order);
      expect([...list]).toEqual(items);
      expect([list.size, list.first, list.last]).toEqual([3000, 0, 2999]);
    }
  });

  it('takes the first and any other out', () => {
    const list = listOf(range(0, 2000));
    expect([list.shift(), list.shift()]).toEqual([0, 1]);
    for (const item of [2, 1500, 2000, 600]) list.remove(item);
    list.remove(600);
    list.remove(5000);
    expect([list.size, list.first, list.last]).toEqual([1995, 3, 1999]);
    const empty = listOf([]);
    expect([empty.shift(), empty.first, empty.last, empty.size, empty.seek(() => false).item]).toEqual([undefined, undefined, undefined, 0, undefined]);
  });

  it('finds a place and goes on from it', () => {
    const list = listOf(range(0, 1500).map((item) => item * 2));
    const cursor = list.seek((item) => item < 1023);
    expect(cursor.item).toBe(1024);
    cursor.next();
    expect(cursor.item).toBe(1026);
    expect(list.seek((item) => item < 9999).item).toBeUndefined();
    const walked: (number | undefined)[] = [];
    const walk = list.seek(() => false);
    while (walk.item !== undefined) {
      walked.push(walk.item);
      walk.next();
    }
    expect(walked).toEqual([...list]);
  });

  it('does what an array does', () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), from: fc.nat(5000), count: fc.integer({ min: 1, max: 700 }), step: fc.constantFrom(-3, -1, 1, 2) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('shift' as const), count: fc.integer({ min: 1, max: 900 }) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), every: fc.integer({ min: 1, max: 40 }), backwards: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('seek' as const), to: fc.integer({ min: -10, max: 9000 }) }) },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20, size: 'max' }), (actions) => {
        const list = new SortedList(byNumber);
        let plain: number[] = [];
        for (const each of actions) {
          if (each.kind === 'add') {
            for (let index = 0; index < each.count; index++) {
              const item = each.from + index * each.step;
              if (plain.includes(item)) continue;
              list.add(item);
              plain.push(item);
            }
            plain.sort(byNumber);
          } else if (each.kind === 'shift') {
            for (let index = 0; index < each.count; index++) expect(list.shift()).toBe(plain.shift());
          } else if (each.kind === 'remove') {
            const gone = plain.filter((_, index) => index % each.every === 0);
            for (const item of each.backwards ? gone.reverse() : gone) list.remove(item);
            plain = plain.filter((_, index) => index % each.every !== 0);
          } else {
            expect(list.seek((item) => item < each.to).item).toBe(plain.find((item) => item >= each.to));
          }
          expect([list.size, list.first, list.last]).toEqual([plain.length, plain[0], plain.at(-1)]);
        }
        expect([...list]).toEqual(plain);
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
