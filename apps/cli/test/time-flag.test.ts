import { describe, expect, it } from 'vitest';

import { timeOfFlag } from '../src/time-flag.js';

describe('timeOfFlag', () => {
  it('reads times, dates and how long ago', () => {
    const now = 1e12;
    expect(timeOfFlag('since', '2026-01-31T08:00:00+01:00', now)).toBe(Date.UTC(2026, 0, 31, 7));
    expect(timeOfFlag('since', '2026-01-31', now)).toBe(new Date(2026, 0, 31).getTime());
    expect(['90s', '30m', '2h', '7d', '1w'].map((text) => now - timeOfFlag('since', text, now))).toEqual([90_000, 1_800_000, 7_200_000, 604_800_000, 604_800_000]);
    expect(timeOfFlag('until', '1960-01-01T00:00:00Z', now)).toBe(0);
  });

  it.each(['', 'yesterday', '5', '5x', '2026-13-01', '2026-1-1', '2026-01-31T08:00:00', '-5m'])('refuses %j', (text) => {
    expect(() => timeOfFlag('since', text)).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringContaining('--since') as string }));
  });
});
