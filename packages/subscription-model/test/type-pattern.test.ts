import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compilePattern, FilterError, matchesType } from '../src/index.js';

/** The truth table of §2.1, row by row: pattern, type, verdict. */
const TABLE: readonly (readonly [string, string, boolean])[] = [
  ['*', 'task.progress', true],
  ['*', 'memory.fact.added', true],
  ['memory.*', 'memory.fact.added', true],
  ['memory.*', 'memory.updated', true],
  ['memory.*', 'memory', false],
  ['memory.*', 'memoryx.fact.added', false],
  ['memory.*', 'Memory.fact.added', false],
  ['memory.*', 'context.updated', false],
  ['memory.fact.added', 'memory.fact.added', true],
  ['memory.fact.added', 'memory.fact', false],
  ['memory.fact', 'memory.fact.added', false],
  ['task.progress', 'task.progress', true],
  ['task.progress', 'task.progress.detail', false],
  ['task.progress', 'task.Progress', false],
  ['tool.call.*', 'tool.call.progress', true],
  ['tool.call.*', 'tool.call.cancel.requested', true],
  ['tool.call.*', 'tool.call', false],
  ['tool.call.*', 'tool.callx.progress', false],
  ['tool.*.progress', 'tool.call.progress', true],
  ['tool.*.progress', 'tool.any.progress', true],
  ['tool.*.progress', 'tool.progress', false],
  ['tool.*.progress', 'tool.call.sub.progress', false],
  ['tool.*', 'tool.call.progress', true],
  ['tool.*.*', 'tool.call.progress', true],
  ['tool.*.*', 'tool.call.cancel.requested', true],
  ['tool.*.*', 'tool.call', false],
  ['*.progress', 'task.progress', true],
  ['*.progress', 'tool.call.progress', false],
  ['*.*', 'task.progress', true],
  ['*.*', 'tool.call.progress', true],
  ['*.call.*', 'tool.call.progress', true],
  ['*.*.*', 'task.progress', false],
  ['task.*.requested', 'task.cancel.requested', true],
  ['task.*.requested', 'task.cancelled', false],
  ['tool.call.cancel.*', 'tool.call.cancelled', false],
  ['tool.call.cancel.*', 'tool.call.cancel.requested', true],
  ['TASK.*', 'task.progress', false],
  ['task.timed_*', 'task.timed_out', false],
  ['memory.', 'memory.fact.added', false],
  ['.memory', 'memory.fact.added', false],
  ['a..b', 'a.x.b', false],
  ['', 'memory.fact.added', false],
  ['', '', false],
];

/** The rules of §2.1 as they are written down, for the comparison with what runs. */
function byTheRules(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  const wanted = pattern.split('.');
  const given = type.split('.');
  if (wanted.some((segment) => segment === '' || (segment.includes('*') && segment !== '*'))) return false;
  if (wanted.at(-1) === '*') {
    wanted.pop();
    if (given.length <= wanted.length) return false;
    given.length = wanted.length;
  }
  return wanted.length === given.length && wanted.every((segment, at) => segment === '*' || segment === given[at]);
}

describe('a type pattern', () => {
  it.each(TABLE)('%j and %j: %j', (pattern, type, verdict) => {
    expect(matchesType(pattern, type)).toBe(verdict);
    expect(byTheRules(pattern, type)).toBe(verdict);
  });

  it('is compared in segments [S-023, S-036]', () => {
    expect(matchesType('memory.*', 'memory.x')).toBe(true);
    expect(matchesType('memory.*', 'memoryx.y')).toBe(false);
    expect(matchesType('memory.fact', 'memory.fac')).toBe(false);
    expect(matchesType('tool.call.cancel.*', 'tool.call.cancelled')).toBe(false);
  });

  it('of a * alone selects types of any length [S-024]', () => {
    for (const type of ['a.b', 'a.b.c', 'a.b.c.d.e.f']) expect(matchesType('*', type)).toBe(true);
  });

  it('with a * that is not last selects exactly one segment there [S-025, S-032, S-033, S-037]', () => {
    expect(matchesType('tool.*.progress', 'tool.call.progress')).toBe(true);
    expect(matchesType('tool.*.progress', 'tool.any.progress')).toBe(true);
    expect(matchesType('tool.*.progress', 'tool.progress')).toBe(false);
    expect(matchesType('tool.*.progress', 'tool.call.sub.progress')).toBe(false);
    expect(matchesType('*.progress', 'task.progress')).toBe(true);
    expect(matchesType('*.progress', 'tool.call.progress')).toBe(false);
  });

  it('with a final .* selects one trailing segment or more [S-026, S-029, S-030, S-031, S-038]', () => {
    expect(matchesType('memory.*', 'memory.fact.added')).toBe(true);
    expect(matchesType('memory.*', 'memory.episode.stored')).toBe(true);
    expect(matchesType('memory.*', 'memory')).toBe(false);
    expect(matchesType('memory.*', 'memoryx.fact.added')).toBe(false);
    expect(matchesType('tool.call.*', 'tool.call.progress')).toBe(true);
    expect(matchesType('tool.call.*', 'tool.call.cancel.requested')).toBe(true);
    expect(matchesType('tool.*.*', 'tool.call')).toBe(false);
    expect(matchesType('tool.*.*', 'tool.call.x')).toBe(true);
    expect(matchesType('tool.*.*', 'tool.call.x.y')).toBe(true);
  });

  it('without a wildcard selects the identical type alone [S-027, S-034]', () => {
    expect(matchesType('task.progress', 'task.progress')).toBe(true);
    expect(matchesType('task.progress', 'task.progress.detail')).toBe(false);
    expect(matchesType('task.progress.detail', 'task.progress')).toBe(false);
  });

  it('distinguishes letter case [S-028, S-035]', () => {
    expect(matchesType('TASK.*', 'task.progress')).toBe(false);
    expect(matchesType('task.progress', 'task.Progress')).toBe(false);
    expect(matchesType('tool.*.Progress', 'tool.call.progress')).toBe(false);
  });

  it.each(['', '.', 'memory.', '.memory', 'a..b', 'mem*', 'task.timed_*', '**', 'a.**', 'a.*b.c', '*a.b', '*.'])(
    'is refused as %j [S-039]',
    (text) => {
      expect(() => compilePattern(text)).toThrow(expect.objectContaining({ name: 'FilterError', code: 'invalid-pattern' }));
    },
  );

  it('has a bound for its segments', () => {
    expect(compilePattern('a.b.*', { maxSegments: 3 }).open).toBe(true);
    expect(() => compilePattern('a.b.c.*', { maxSegments: 3, path: '$.types[2]' })).toThrow(
      expect.objectContaining({ code: 'too-many-segments', path: '$.types[2]' }),
    );
  });

  it('says the same as the rules for any pattern and type', () => {
    const segment = fc.constantFrom('a', 'b', 'aa', '*', 'A', '', 'a*');
    const pattern = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
    const type = fc.array(fc.constantFrom('a', 'b', 'aa', 'A'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(pattern, type, (text, of) => {
        expect(matchesType(text, of)).toBe(byTheRules(text, of));
        try {
          expect(compilePattern(text).matches(of)).toBe(byTheRules(text, of));
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
