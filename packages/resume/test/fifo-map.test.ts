import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FifoMap } from '../src/fifo-map.js';

describe('a map that forgets what came first', () => {
  it('holds what a plain one would hold', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__'), value: fc.nat() }), { maxLength: 60 }), (max, puts) => {
        const forgotten: number[] = [];
        const map = new FifoMap<number>(max, (value) => forgotten.push(value));
        const model = new Map<string, number>();
        const gone: number[] = [];
        for (const { key, value } of puts) {
          map.set(key, value);
          model.delete(key);
          model.set(key, value);
          for (const [oldest, held] of model) {
            if (model.size <= max) break;
            model.delete(oldest);
            gone.push(held);
          }
          expect(map.size).toBe(model.size);
          expect(map.values()).toEqual([...model.values()]);
          for (const each of 'abcdefg') expect(map.get(each)).toBe(model.get(each));
        }
        expect(forgotten).toEqual(gone);
      }),
    );
  });

  it('does not grow with what is put again and again', () => {
    const map = new FifoMap<number>(Infinity, () => undefined);
    for (let i = 0; i < 10_000; i += 1) map.set('a', i);
    expect([map.size, map.get('a')]).toEqual([1, 9_999]);
  });
});
