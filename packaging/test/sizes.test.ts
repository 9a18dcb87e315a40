import { describe, expect, inject, it } from 'vitest';

import { budgetFor, measure, overruns, type PackageSizes, readRecord, recordOf, UNRECORDED } from '../src/sizes.js';


const lab = inject('lab');
const packages = inject('packages');
const record = readRecord();

describe('sizes', () => {
  it.each(packages)('$name keeps to its budgets', async (each) => {
    expect(overruns(each.name, await measure(lab, each), record)).toEqual([]);
  });

  it('are recorded of packages and entries that exist', () => {
    const known = new Map(packages.map(({ name, entries }) => [name, entries]));
    const gone = Object.entries(record).flatMap(([name, { entries }]) => Object.keys(entries).filter((entry) => !known.get(name)?.includes(entry)).map((entry) => name + entry));
    expect(gone).toEqual([]);
    expect(Object.keys(record).filter((name) => !known.has(name))).toEqual([]);
  });

  it('over their budgets are told, with what was recorded', () => {
    const measured: PackageSizes<number> = { unpacked: 2_000, dependencies: 2, entries: { '.': { raw: 700, gzip: 400 }, './b': { raw: UNRECORDED.raw + 1, gzip: 1 } } };
    const kept = recordOf({ unpacked: 1_000, dependencies: 1, entries: { '.': { raw: 400, gzip: 400 } } }, undefined, false);
    expect(overruns('p', measured, { p: kept })).toEqual([
      'p unpacked: 2000, the budget is 1536, recorded were 1000',
      'p dependencies: 2, the budget is 1, recorded were 1',
      'p minified: 700, the budget is 512, recorded were 400',
      `p/b minified: ${UNRECORDED.raw + 1}, the budget is ${UNRECORDED.raw} for what is not recorded`,
    ]);
    expect(overruns('q', { ...measured, entries: {} }, {})).toEqual([]);
  });

  it('are recorded anew without moving a budget, unless that is asked for', () => {
    const grown = { unpacked: 900, dependencies: 3, entries: { '.': { raw: 900, gzip: 500 } } };
    const kept = recordOf({ unpacked: 400, dependencies: 1, entries: { '.': { raw: 400, gzip: 300 } } }, undefined, false);
    expect(recordOf(grown, kept, false)).toEqual({
      unpacked: { size: 900, budget: 512 },
      dependencies: { size: 3, budget: 1 },
      entries: { '.': { raw: { size: 900, budget: 512 }, gzip: { size: 500, budget: 512 } } },
    });
    expect(recordOf(grown, kept, true)).toMatchObject({ unpacked: { size: 900, budget: budgetFor(900) }, dependencies: { size: 3, budget: 3 } });
  });
});
