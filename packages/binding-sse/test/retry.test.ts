import { describe, expect, it } from 'vitest';

import { backoff, parseRetryAfter } from '../src/retry.js';

describe('backoff', () => {
  it('doubles from the shortest wait to the longest, and leaves the upper half to chance', () => {
    const span = (attempt: number) => [backoff(attempt, 500, 30_000, () => 0), backoff(attempt, 500, 30_000, () => 1)];
    expect([0, 1, 2, 5, 6, 7, 5000].map(span)).toEqual([
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [8000, 16_000],
      [15_000, 30_000],
      [15_000, 30_000],
      [15_000, 30_000],
    ]);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 0, 1);
  it.each([
    ['3', 3000],
    [' 120 ', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('reads %j', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });

  it.each([[null], [''], ['-1'], ['1.5'], ['soon'], ['99999999999'], ['Xyz']])('takes %j for none', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });
});
