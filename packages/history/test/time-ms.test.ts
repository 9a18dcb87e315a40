import { isRfc3339 } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeMs } from '../src/time-ms.js';

describe('timeMs', () => {
  it.each([
    ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02t03:04:05z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05.6Z', Date.UTC(2026, 0, 2, 3, 4, 5, 600)],
    ['2026-01-02T03:04:05.678901234567890123456789012345Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04:05+01:00', Date.UTC(2026, 0, 2, 2, 4, 5)],
    ['2026-01-02T03:04:05-09:30', Date.UTC(2026, 0, 2, 12, 34, 5)],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['0099-12-31T23:59:59.999Z', new Date('0099-12-31T23:59:59.999Z').getTime()],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('reads %s', (text, ms) => {
    expect(isRfc3339(text)).toBe(true);
    expect(timeMs(text)).toBe(ms);
  });

  it('never sorts a leap second behind what follows it', () => {
    expect(timeMs('2016-12-31T23:59:60.5Z')).toBe(Date.UTC(2016, 11, 31, 23, 59, 59, 999));
    expect(timeMs('2017-01-01T00:59:60+01:00')).toBeLessThan(timeMs('2017-01-01T00:00:00Z'));
  });

  it('agrees with Date on what toISOString writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(timeMs(date.toISOString())).toBe(date.getTime());
        expect(timeMs(date.toISOString().replace('Z', '+00:00'))).toBe(date.getTime());
      }),
    );
  });
});
