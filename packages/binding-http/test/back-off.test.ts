import { describe, expect, it } from 'vitest';

import { backOffMs, retryAfterMs } from '../src/back-off.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
  ])('reads %j as %i ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it.each([[null], [''], ['-1'], ['1.5'], ['1e3'], ['soon'], ['Soon, 99'], ['2026-01-01'], ['9'.repeat(13)]])('makes nothing of %j', (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  });
});

describe('backOffMs', () => {
  const options = { baseDelayMs: 100, maxDelayMs: 1_000, random: () => 0 };

  it('doubles up to the bound, with half of the span left to chance', () => {
    expect([1, 2, 3, 4, 5, 400].map((attempt) => backOffMs(attempt, undefined, options))).toEqual([50, 100, 200, 400, 500, 500]);
    expect([1, 2, 400].map((attempt) => backOffMs(attempt, undefined, { ...options, random: () => 0.999 }))).toEqual([100, 200, 1_000]);
  });

  it('never comes back before the time the endpoint asked for', () => {
    expect(backOffMs(1, 5_000, options)).toBe(5_050);
    expect(backOffMs(1, 0, options)).toBe(50);
  });
});
