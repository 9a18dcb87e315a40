import { describe, expect, it } from 'vitest';

import { isRotatedName, rotatedPath } from '../src/rotated-name.js';

describe('rotatedPath', () => {
  it('sorts by time and is recognised', () => {
    const path = rotatedPath('/l/s.jsonl', Date.UTC(2026, 0, 2, 3, 4, 5, 6), 'abcdef012345');
    expect(path).toBe('/l/s.jsonl.20260102T030405006Z-abcdef012345');
    expect(isRotatedName('s.jsonl.20260102T030405006Z-abcdef012345', 's.jsonl')).toBe(true);
  });
});

describe('isRotatedName', () => {
  it.each([
    ['s.jsonl.1', true],
    ['s.jsonl-20260131', true],
    ['s.jsonl.1.gz', false],
    ['s.jsonl.ZIP', false],
    ['s.jsonl', false],
    // The log of a session that is called s.jsonl.1.
    ['s.jsonl.1.jsonl', false],
    ['s.jsonlx', false],
    ['other.jsonl.1', false],
  ])('says of %s: %s', (name, expected) => {
    expect(isRotatedName(name, 's.jsonl')).toBe(expected);
  });
});
