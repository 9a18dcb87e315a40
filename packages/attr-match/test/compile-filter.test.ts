import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterError, compileFilter, type FilterErrorCode } from '../src/index.js';
import { event } from './event.js';

function refusal(filter: unknown): { code: FilterErrorCode; path: string } | undefined {
  try {
    compileFilter(filter);
  } catch (error) {
    if (error instanceof FilterError) return { code: error.code, path: error.path };
    throw error;
  }
  return undefined;
}

describe('compileFilter', () => {
  it.each<[string, unknown, FilterErrorCode, string]>([
    ['a bound', { severity: { gte: 'fatal' } }, 'invalid-comparison', '$.severity.gte'],
    ['an operator', { severity: { gte: 'info', 'a b': 'info' } }, 'invalid-comparison', '$.severity["a b"]'],
    ['an element', { agent: ['a', null] }, 'invalid-predicate', '$.agent[1]'],
    ['a nested array', { agent: [['a']] }, 'invalid-predicate', '$.agent[0]'],
    ['an object in an array', { severity: ['info', { lte: 'info' }] }, 'comparison-not-allowed', '$.severity[1]'],
    ['a key', { 'a.b': 1 }, 'invalid-key', '$["a.b"]'],
    ['a long key', { ['k'.repeat(100)]: 1 }, 'invalid-key', `$["${'k'.repeat(64)}…"]`],
    ['the whole', [], 'not-an-object', '$'],
    ['a pattern', { type: ['a.*', 'b*'] }, 'invalid-pattern', '$.type[1]'],
    ['a core attribute', { data: { a: 1 } }, 'not-filterable', '$.data'],
  ])('names the place: %s', (_, filter, code, path) => {
    expect(refusal(filter)).toEqual({ code, path });
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => true],
    ['a symbol', Symbol('x')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an infinite number', Infinity],
    ['no number', NaN],
    ['a boxed string', new String('a')],
  ])('refuses %s as a predicate, an element and a filter, rather than to drop it', (_, value) => {
    expect(refusal({ agent: value })?.code).toBe('invalid-predicate');
    expect(refusal({ agent: ['a', value] })?.code).toBe('invalid-predicate');
    expect(refusal(value)?.code).toBe('not-an-object');
  });

  it('refuses a hole in an array, whatever stands on the prototype of arrays', () => {
    expect(refusal({ agent: ['a', , 'b'] })).toEqual({ code: 'invalid-predicate', path: '$.agent[1]' });
  });

  it('reads 1.0 and 1e0 as the integer 1, and -0 as 0', () => {
    const filter = compileFilter(JSON.parse('{"acmecount":[1.0,-0.0],"epoch":1e0}'));
    expect(filter.text).toBe('{"acmecount":[0,1],"epoch":1}');
    expect(filter.matches(event({ acmecount: 1, epoch: 1 }))).toBe(true);
    expect(filter.matches(event({ acmecount: 0, epoch: 1 }))).toBe(true);
    expect(filter.matches(event({ acmecount: -0, epoch: 1 }))).toBe(true);
  });

  it('compares integers beyond 2^53 exactly and refuses a number that may have been rounded [B-223]', () => {
    const filter = compileFilter({ acmecount: 9007199254740993n });
    expect(filter.matches(event({ acmecount: 9007199254740993n }))).toBe(true);
    expect(filter.matches(event({ acmecount: 9007199254740992n }))).toBe(false);
    expect(filter.matches(event({ acmecount: 2 ** 53 }))).toBe(false);
    expect(compileFilter({ acmecount: 9007199254740992n }).matches(event({ acmecount: 2 ** 53 }))).toBe(true);
    expect(refusal(JSON.parse('{"acmecount":9007199254740993}'))).toEqual({ code: 'inexact-integer', path: '$.acmecount' });
    expect(refusal({ acmecount: 2 ** 53 - 1 })).toBeUndefined();
    expect(refusal({ acmecount: 2 ** 53 })?.code).toBe('inexact-integer');
  });

  it('takes a small bigint for the number that it is', () => {
    expect(compileFilter({ epoch: 2n }).matches(event({ epoch: 2 }))).toBe(true);
    expect(compileFilter({ epoch: [2n, 2] }).text).toBe('{"epoch":2}');
  });

  it('keeps a predicate that can never match its attribute, legal and never true', () => {
    for (const filter of [{ epoch: 'one' }, { severity: 'fatal' }, { capture: 'partial' }, { agent: 5 }, { type: true }, { session: '' }]) {
      expect(compileFilter(filter).matches(event())).toBe(false);
    }
  });

  it('never looks into the payload [B-120]', () => {
    const given = event({ data: { acmeregion: 'eu', step: 's1', severity: 'error' } });
    for (const filter of [{ acmeregion: 'eu' }, { step: 's1' }, { severity: 'error' }]) {
      expect(compileFilter(filter).matches(given)).toBe(false);
    }
    expect(refusal({ 'data.step': 's1' })?.code).toBe('invalid-key');
  });

  it('compares by JSON type and value, for every pair of scalars [B-121]', () => {
    const scalars = [0, 1, 1n << 60n, true, false, '0', '1', 'true', 'false', '', '1152921504606846976'];
    for (const wanted of scalars) {
      const filter = compileFilter({ acmeattr: wanted });
      for (const given of scalars) expect(filter.matches(event({ acmeattr: given }))).toBe(wanted === given);
    }
  });

  it('orders severities debug, info, notice, warning, error, critical in both bounds [B-131, B-132, E-091]', () => {
    const order = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
    for (const [low, gte] of order.entries()) {
      for (const [high, lte] of order.entries()) {
        for (const [rank, severity] of order.entries()) {
          const given = event({ severity });
          expect(compileFilter({ severity: { gte } }).matches(given)).toBe(rank >= low);
          expect(compileFilter({ severity: { lte } }).matches(given)).toBe(rank <= high);
          expect(compileFilter({ severity: { gte, lte } }).matches(given)).toBe(rank >= low && rank <= high);
        }
      }
    }
  });

  it('takes an attribute that is there and undefined for absent', () => {
    const given = { ...event(), epoch: undefined, severity: undefined, step: undefined } as never;
    expect(compileFilter({ epoch: 0, severity: 'info' }).matches(given)).toBe(true);
    expect(compileFilter({ step: 's1' }).matches(given)).toBe(false);
  });

  it('reads each member once and keeps nothing of the caller', () => {
    const list = ['a'];
    let reads = 0;
    const filter = compileFilter({
      agent: list,
      get session() {
        reads += 1;
        return 's1';
      },
    });
    list.push('b');
    list[0] = 'c';
    expect(reads).toBe(1);
    expect(filter.matches(event({ agent: 'a' }))).toBe(true);
    expect(filter.matches(event({ agent: 'b' }))).toBe(false);
  });

  it('gives a verdict or a FilterError for anything at all', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSparseArray: true, withNullPrototype: true }), (value) => {
        for (const filter of [value, { agent: value }, { severity: value }, { type: [value] }]) {
          try {
            expect(compileFilter(filter).matches(event())).toBeTypeOf('boolean');
          } catch (error) {
            expect(error).toBeInstanceOf(FilterError);
          }
        }
      }),
    );
  });
});
