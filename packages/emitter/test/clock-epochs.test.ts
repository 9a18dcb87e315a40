import { describe, expect, it } from 'vitest';

import { clockEpochs } from '../src/index.js';

const START = Date.UTC(2026, 5, 1);

describe('epochs from the clock', () => {
  it('are milliseconds, so that a later start has a higher one [E-074, E-075]', async () => {
    const early = clockEpochs({ now: () => START, steady: () => START });
    const late = clockEpochs({ now: () => START + 1, steady: () => START + 1 });
    expect((await early.open('s', '')).epoch).toBe(START);
    expect((await late.open('s', '')).epoch).toBe(START + 1);
  });

  it('are never given twice, within a millisecond and when the clock steps back [E-075]', async () => {
    let now = START + 1000;
    const store = clockEpochs({ now: () => now, steady: () => START });
    const epochs: number[] = [];
    for (const step of [0, 0, 0, -500, -10_000, 3, 20_000]) {
      now += step;
      epochs.push((await store.open('s', '')).epoch);
    }
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
    expect(new Set(epochs).size).toBe(epochs.length);
    expect(epochs.at(-1)).toBe(START + 10_503);
  });

  it('follow the clock of the process where the wall clock was set back before the first one', async () => {
    expect((await clockEpochs({ now: () => START, steady: () => START + 5000.7 }).open('s', '')).epoch).toBe(START + 5000);
  });

  it.each([0, 1, Date.UTC(2025, 11, 31), Number.NaN, Infinity, 2 ** 60])('are refused while the clock says %d', async (time) => {
    await expect(clockEpochs({ now: () => time, steady: () => 0 }).open('s', '')).rejects.toMatchObject({ code: 'invalid-epoch' });
  });

  it('fit into what JSON carries exactly', async () => {
    const { epoch } = await clockEpochs().open('s', '');
    expect(Number.isSafeInteger(epoch)).toBe(true);
  });
});
