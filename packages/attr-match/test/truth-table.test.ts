import { describe, expect, it } from 'vitest';
import { FilterError, FilterIndex, compileFilter, parseFilter } from '../src/index.js';
import { event } from './event.js';
import { ROWS } from './truth-table.js';

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the truth table of AEP-0003 §6', () => {
  for (const row of ROWS) {
    it(row.title, () => {
      if ('reject' in row) {
        for (const [text, code] of Object.entries(row.reject)) {
          for (const error of [errorOf(() => parseFilter(text)), errorOf(() => compileFilter(JSON.parse(text)))]) {
            expect(error, text).toBeInstanceOf(FilterError);
            expect(error, text).toMatchObject({ code, wireCode: 'invalid-filter' });
          }
        }
        return;
      }
      const given = event(row.event);
      for (const filter of [parseFilter(row.filter), compileFilter(JSON.parse(row.filter))]) {
        const index = new FilterIndex<string>();
        index.add(filter, 'it');
        expect(filter.matches(given)).toBe(row.matches);
        expect(filter.explain(given).matches).toBe(row.matches);
        expect(index.match(given)).toEqual(row.matches ? ['it'] : []);
      }
    });
  }

  it('has every row', () => {
    const numbers = new Set(ROWS.map((row) => Number.parseInt(row.title, 10)));
    expect([...numbers]).toEqual(Array.from({ length: 48 }, (_, i) => i + 1));
  });
});
