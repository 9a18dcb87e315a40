import { expect, it } from 'vitest';
import { TwoGenerations } from '../src/two-generations.js';

it('keeps everything until it is told to age, and what was used since the time before then', () => {
  const cache = new TwoGenerations<string, number>(20);
  cache.set('a', 1, 10);
  cache.age();
  cache.set('b', 2, 5);
  expect(cache.heavy).toBe(false);
  cache.set('c', 3, 5);
  expect(cache.heavy).toBe(true);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, 2, 3]);
  cache.age();
  expect(cache.heavy).toBe(false);
  expect(cache.get('a')).toBe(1);
  cache.grow(19);
  cache.set('d', 4, 1);
  cache.age();
  expect([cache.get('b'), cache.get('c')]).toEqual([undefined, undefined]);
  expect([cache.get('a'), cache.get('d')]).toEqual([1, 4]);
});

it('forgets everything when it is cleared', () => {
  const cache = new TwoGenerations<string, number>(1);
  cache.set('a', 1, 1);
  cache.age();
  cache.set('b', 1, 1);
  cache.clear();
  expect([cache.get('a'), cache.get('b'), cache.heavy]).toEqual([undefined, undefined, false]);
});
