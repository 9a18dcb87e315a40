import { expect, it } from 'vitest';
import { TwoGenerations } from '../src/two-generations.js';

it('keeps everything until it is told to age, and what was used since the time before then', () => {
  const cache = new TwoGenerations<string, number>(2);
  cache.set('a', 1);
  cache.age();
  cache.set('b', 2);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, 2, 3]);
  cache.age();
  expect(cache.get('a')).toBe(1);
  cache.set('d', 4);
  cache.age();
  expect([cache.get('b'), cache.get('c')]).toEqual([undefined, undefined]);
  expect([cache.get('a'), cache.get('d')]).toEqual([1, 4]);
});

it('forgets everything when it is cleared', () => {
  const cache = new TwoGenerations<string, number>(1);
  cache.set('a', 1);
  cache.age();
  cache.clear();
  expect(cache.get('a')).toBeUndefined();
});
