import { describe, expect, it } from 'vitest';

import { boundedMap } from '../src/stream/bounded-map.js';

describe('boundedMap', () => {
  it('forgets what was used longest ago, and tells and counts it', () => {
    const gone: string[] = [];
    const map = boundedMap<string>(2, (value) => gone.push(value));
    map.set('a', 'A');
    map.set('b', 'B');
    expect(map.get('a')).toBe('A');
    map.set('c', 'C');
    expect([gone, map.forgotten, [...map.values()]]).toEqual([['B'], 1, ['A', 'C']]);
    expect(map.get('b')).toBeUndefined();
  });

  it('counts a key once, at its latest weight', () => {
    const map = boundedMap<number>(4);
    for (let n = 0; n < 10; n++) map.set('a', n, 2);
    map.set('b', 1, 2);
    expect([map.forgotten, [...map.values()]]).toEqual([0, [9, 1]]);
    map.set('a', 10, 3);
    expect([map.forgotten, [...map.values()]]).toEqual([1, [10]]);
  });

  it('keeps what it was just given, even above its limit, until the next comes', () => {
    const map = boundedMap<string>(2);
    map.set('a', 'A', 5);
    expect(map.get('a')).toBe('A');
    map.set('b', 'B');
    expect([...map.values()]).toEqual(['B']);
  });
});
