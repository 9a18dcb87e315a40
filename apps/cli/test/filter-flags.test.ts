import { describe, expect, it } from 'vitest';

import { CliError } from '../src/exit-code.js';
import { filterOf } from '../src/filter-flags.js';

describe('filterOf', () => {
  it('is nothing without flags, so that everything matches', () => {
    expect(filterOf({})).toBeUndefined();
  });

  it('joins flags as clauses that all have to hold', () => {
    expect(JSON.parse(filterOf({ type: ['tool.*', 'run.failed'], session: ['s1'], severity: 'warning' }) ?? '')).toEqual({
      type: ['tool.*', 'run.failed'],
      session: 's1',
      severity: { gte: 'warning' },
    });
  });

  it('passes --filter on as it was written, digits included', () => {
    const text = '{"acmeorder": 9007199254740993}';
    expect(filterOf({ filter: text })).toBe(text);
  });

  it('adds flags to --filter and refuses two opinions on one attribute', () => {
    expect(JSON.parse(filterOf({ filter: '{"agent":"a"}', type: ['run.*'] }) ?? '')).toEqual({ agent: 'a', type: 'run.*' });
    expect(() => filterOf({ filter: '{"type":"a"}', type: ['run.*'] })).toThrow(CliError);
    expect(() => filterOf({ filter: '[]', type: ['run.*'] })).toThrow(CliError);
    expect(() => filterOf({ filter: '{', type: ['run.*'] })).toThrow(CliError);
  });
});
