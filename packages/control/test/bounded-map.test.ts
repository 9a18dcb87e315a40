import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BoundedMap } from '../src/bounded-map.js';

describe('a bounded map', () => {
  it('forgets the oldest beyond its count, and tells', () => {
    const gone: string[] = [];
    const map = new BoundedMap<number>({ maxEntries: 2, maxLength: Infinity }, { forgotten: (key) => gone.push(key) });
    for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, at);
    expect([[...map.keys()], [...map.values()], gone]).toEqual([['b', 'c'], [1, 3], ['a']]);
    map.delete('b');
    expect(gone).toEqual(['a']);
  });

  it('keeps what must stay and refuses the new one instead', () => {
    const map = new BoundedMap<boolean>({ maxEntries: 2, maxLength: Infinity }, { mayForget: (value) => value });
    expect([map.set('a', false), map.set('b', true), map.set('c', true)]).toEqual([true, true, false]);
    map.set('a', true);
    expect([map.set('c', true), map.has('a'), map.get('c')]).toEqual([true, false, true]);
  });

  it('refuses what no room could be made for, and loses nothing over it', () => {
    const map = new BoundedMap<number>({ maxEntries: 9, maxLength: 10 });
    map.set('a', 1, 4);
    expect([map.set('b', 2, 10), map.size]).toEqual([false, 1]);
  });

  it('stays within count and length, whatever is put into it, and holds the latest', () => {
    const entry = fc.record({ key: fc.constantFrom('a', 'bb', 'ccc', '__proto__'), length: fc.nat(6), drop: fc.boolean() });
    fc.assert(
      fc.property(fc.array(entry), (all) => {
        const map = new BoundedMap<number>({ maxEntries: 3, maxLength: 20 });
        const sizes = new Map<string, number>();
        for (const [at, { key, length, drop }] of all.entries()) {
          if (drop) {
            map.delete(key);
            continue;
          }
          const known = map.has(key);
          expect(map.set(key, at, length)).toBe(true);
          expect(map.get(key)).toBe(at);
          sizes.set(key, key.length + length);
          expect(map.size).toBeLessThanOrEqual(3);
          // An entry that grows in its place is the only way over the length.
          if (!known) expect(map.length).toBeLessThanOrEqual(20);
          expect(map.length).toBe([...map.keys()].reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0));
        }
        map.clear();
        expect([map.size, map.length]).toEqual([0, 0]);
      }),
    );
  });
});
