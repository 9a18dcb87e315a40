import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, parseFilter } from '../src/index.js';
import { filterArbitrary } from './arbitraries.js';
import { event } from './event.js';

describe('Filter', () => {
  it('has a normal form: keys and values in order, each value once, one value bare', () => {
    const filter = compileFilter({ type: ['tool.denied', 'error.*', 'tool.denied'], agent: ['a'], acmeattr: ['1', 1, true, 5n ** 30n, -2] });
    expect(filter.text).toBe('{"acmeattr":[true,-2,1,931322574615478515625,"1"],"agent":"a","type":["error.*","tool.denied"]}');
    expect(filter.source).toEqual({ acmeattr: [true, -2, 1, 931322574615478515625n, '1'], agent: 'a', type: ['error.*', 'tool.denied'] });
  });

  it('writes the bounds of a severity in one order', () => {
    expect(parseFilter('{"severity":{"lte":"error","gte":"info"}}').text).toBe('{"severity":{"gte":"info","lte":"error"}}');
  });

  it('gives JSON.stringify its integers to the digit', () => {
    const filter = parseFilter('{"acmecount":[9007199254740993,1],"agent":"a"}');
    expect(JSON.stringify({ filter })).toBe('{"filter":{"acmecount":[1,9007199254740993],"agent":"a"}}');
  });

  it('comes back from its text the same', () => {
    fc.assert(
      fc.property(filterArbitrary, (source) => {
        const filter = compileFilter(source);
        expect(parseFilter(filter.text).text).toBe(filter.text);
        expect(compileFilter(filter.source).text).toBe(filter.text);
      }),
    );
  });

  it('is frozen to the bottom', () => {
    const filter = compileFilter({ agent: ['a', 'b'], severity: { gte: 'info' } });
    expect([filter, filter.source, filter.source.agent, filter.source.severity].every(Object.isFrozen)).toBe(true);
  });

  it('names the sessions it is pinned to, or says that it is not', () => {
    expect(compileFilter({}).sessions).toBeUndefined();
    expect(compileFilter({ agent: 'a' }).sessions).toBeUndefined();
    expect(compileFilter({ session: 's1' }).sessions).toEqual(new Set(['s1']));
    expect(compileFilter({ session: ['s1', 's2', 's1'] }).sessions).toEqual(new Set(['s1', 's2']));
    expect(compileFilter({ session: 5 }).sessions).toEqual(new Set());
  });

  it('does not match by the sessions that it gave out', () => {
    const filter = compileFilter({ session: 's1' });
    (filter.sessions as Set<string>).add('s2');
    expect(filter.matches(event({ session: 's2' }))).toBe(false);
  });

  it('sees the level an Event was received with', () => {
    const filter = compileFilter({ capture: 'full' });
    expect(filter.matches(event({ capture: 'full' }))).toBe(true);
    expect(filter.matches(event({ capture: 'metadata' }))).toBe(false);
  });
});

describe('Filter.explain', () => {
  const filter = compileFilter({ agent: ['a', 'b'], epoch: 0, severity: { gte: 'notice' }, step: 's1', type: ['tool.*', 'run.started'] });

  it('gives the reason of every clause, also behind the first that fails', () => {
    expect(filter.explain(event({ agent: 'c', type: 'tool.denied' }))).toEqual({
      matches: false,
      clauses: [
        { key: 'agent', matches: false, reason: 'different-value', expected: ['a', 'b'], actual: 'c', defaulted: false },
        { key: 'epoch', matches: true, reason: 'equal', expected: 0, actual: 0, defaulted: true },
        { key: 'severity', matches: false, reason: 'out-of-range', expected: { gte: 'notice' }, actual: 'info', defaulted: true },
        { key: 'step', matches: false, reason: 'absent', expected: 's1', actual: undefined, defaulted: false },
        { key: 'type', matches: true, reason: 'pattern', expected: ['run.started', 'tool.*'], actual: 'tool.denied', defaulted: false },
      ],
    });
  });

  it('tells another type from another value', () => {
    const reasonOf = (source: unknown, attributes: Record<string, unknown>): string | undefined =>
      compileFilter(source).explain(event(attributes)).clauses[0]?.reason;
    expect(reasonOf({ acmecount: [1, true] }, { acmecount: '1' })).toBe('different-type');
    expect(reasonOf({ acmecount: 1 }, { acmecount: 2n ** 70n })).toBe('different-value');
    expect(reasonOf({ type: 'run.*' }, { type: 'tool.denied' })).toBe('different-value');
    expect(reasonOf({ severity: { lte: 'error' } }, { severity: 'error' })).toBe('in-range');
    expect(reasonOf({ epoch: '0' }, {})).toBe('different-type');
  });

  it('explains the filter without members', () => {
    expect(compileFilter({}).explain(event())).toEqual({ matches: true, clauses: [] });
  });
});
