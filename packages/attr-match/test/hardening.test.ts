import { afterEach, describe, expect, it } from 'vitest';
import { FilterError, FilterIndex, compileFilter, parseFilter } from '../src/index.js';
import { event } from './event.js';

type Polluted = Record<string, unknown>;
const polluted: string[] = [];

function pollute(key: string, value: unknown): void {
  Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true, enumerable: true });
  polluted.push(key);
}

afterEach(() => {
  for (const key of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, key);
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('names of the language as keys', () => {
  it('refuses __proto__, operators and other hostile keys, fail-closed [B-118]', () => {
    for (const key of ['__proto__', '$where', 'hasOwnProperty', 'toString', '__defineGetter__', 'a\u0000']) {
      expect(codeOf(() => parseFilter(`{${JSON.stringify(key)}:"x"}`)), key).toBe('invalid-key');
      expect(codeOf(() => parseFilter(`{"agent":"a",${JSON.stringify(key)}:{}}`)), key).toBe('invalid-key');
    }
    expect(codeOf(() => parseFilter('{"severity":{"__proto__":"info"}}'))).toBe('invalid-comparison');
    expect(codeOf(() => parseFilter('{"agent":{"__proto__":"a"}}'))).toBe('invalid-predicate');
  });

  it('matches extensions that are called like members of Object.prototype by own members only [B-137]', () => {
    for (const key of ['constructor', 'valueof', 'tostring']) {
      const index = new FilterIndex<number>();
      const filter = parseFilter(`{"${key}":"x"}`);
      index.add(filter, 1);
      expect(filter.matches(event())).toBe(false);
      expect(index.match(event())).toEqual([]);
      expect(filter.matches(event({ [key]: 'x' }))).toBe(true);
      expect(index.match(event({ [key]: 'x' }))).toEqual([1]);
    }
  });

  it('refuses members that hide on a prototype instead of matching everything', () => {
    expect(codeOf(() => compileFilter({ __proto__: { agent: 'a' } }))).toBe('not-an-object');
    expect(codeOf(() => compileFilter(Object.create({ agent: 'a' })))).toBe('not-an-object');
    expect(codeOf(() => compileFilter({ severity: Object.create({ gte: 'error' }) as unknown }))).toBe('invalid-predicate');
    expect(compileFilter(Object.assign(Object.create(null) as object, { agent: 'a' })).matches(event())).toBe(true);
  });

  it('refuses symbols and does not pass over hidden members', () => {
    expect(codeOf(() => compileFilter({ [Symbol('agent')]: 'a' }))).toBe('invalid-key');
    expect(codeOf(() => compileFilter({ severity: { gte: 'info', [Symbol('x')]: 1 } }))).toBe('invalid-comparison');
    const hidden = Object.defineProperty({}, 'agent', { value: 'b', enumerable: false });
    expect(compileFilter(hidden).matches(event())).toBe(false);
  });
});

describe('a polluted Object.prototype', () => {
  it('changes no verdict of a compiled filter and none of an index', () => {
    const filters = [{}, { agent: 'a' }, { step: 'p' }, { acmeregion: 'eu' }, { severity: { gte: 'error' } }, { capture: 'full' }, { epoch: 7 }, { type: 'run.*' }, { cause: ['p', 'q'] }];
    const verdicts = (): unknown => {
      const index = new FilterIndex<number>();
      const compiled = filters.map((filter) => compileFilter(filter));
      for (const [i, filter] of compiled.entries()) index.add(filter, i);
      return [compiled.map((filter) => filter.matches(event())), compiled.map((filter) => filter.explain(event()).matches), index.match(event()).sort()];
    };
    const clean = verdicts();
    for (const [key, value] of Object.entries({ step: 'p', acmeregion: 'eu', severity: 'critical', capture: 'full', epoch: 7, cause: 'p', gte: 'debug', lte: 'debug', type: 'run.started' })) {
      pollute(key, value);
    }
    expect(verdicts()).toEqual(clean);
  });

  it('adds no member to a filter, empty or not', () => {
    pollute('agent', 'nobody');
    pollute('bogus_key', 'x');
    expect(compileFilter({}).matches(event())).toBe(true);
    expect(parseFilter('{}').text).toBe('{}');
    expect(parseFilter('{"session":"s1"}').matches(event())).toBe(true);
    expect(({} as Polluted).agent).toBe('nobody');
  });

  it('adds no bound to a comparison, and does not stand in for a missing one', () => {
    pollute('gte', 'critical');
    expect(codeOf(() => parseFilter('{"severity":{}}'))).toBe('invalid-comparison');
    expect(parseFilter('{"severity":{"lte":"info"}}').matches(event())).toBe(true);
    expect(parseFilter('{"severity":{"lte":"info"}}').text).toBe('{"severity":{"lte":"info"}}');
  });

  it('does not write through toJSON', () => {
    pollute('toJSON', () => ({ agent: 'b' }));
    expect(compileFilter({ agent: 'a', severity: { gte: 'info' } }).text).toBe('{"agent":"a","severity":{"gte":"info"}}');
  });
});

describe('size and shape', () => {
  it('refuses deep nesting without running out of stack', () => {
    for (const depth of [3, 100, 20_000]) {
      expect(codeOf(() => parseFilter(`{"agent":${'['.repeat(depth)}${']'.repeat(depth)}}`, { maxTextBytes: Infinity }))).not.toBe('accepted');
      expect(codeOf(() => parseFilter('{"a":'.repeat(depth) + '1' + '}'.repeat(depth), { maxTextBytes: Infinity }))).not.toBe('accepted');
    }
  });

  it('keeps what it reports short, whatever the key', () => {
    try {
      parseFilter(`{${JSON.stringify('\ud83d\ude00'.repeat(10_000))}:1}`);
      expect.unreachable();
    } catch (error) {
      expect((error as FilterError).path.length).toBeLessThan(200);
      expect((error as FilterError).message.length).toBeLessThan(300);
      expect((error as FilterError).message.isWellFormed()).toBe(true);
    }
  });

  it('counts an array before it is read', () => {
    const huge: unknown[] = [];
    huge.length = 2 ** 32 - 1;
    expect(codeOf(() => compileFilter({ agent: huge }))).toBe('too-many-values');
  });

  it('looks a type up in time linear in its length, dots or not', () => {
    const index = new FilterIndex<number>();
    for (const prefix of ['run', 'run.step', 'x.acme']) index.add(compileFilter({ type: `${prefix}.*` }), 1);
    const lookups = (type: string): number => {
      let cut = 0;
      const original = String.prototype.slice;
      String.prototype.slice = function slice(this: string, ...bounds: [number?, number?]): string {
        cut += 1;
        return original.apply(this, bounds);
      };
      try {
        index.match(event({ type }));
      } finally {
        String.prototype.slice = original;
      }
      return cut;
    };
    expect(lookups(`x${'.a'.repeat(100_000)}`)).toBeLessThan(10);
  });

  it('holds no state for the types and attributes of Events', () => {
    const index = new FilterIndex<number>();
    index.add(compileFilter({ type: 'run.*' }), 1);
    index.add(compileFilter({ acmea: 1 }), 2);
    const before = index.stats();
    for (let i = 0; i < 5000; i += 1) index.match(event({ type: `run.t${i}`, [`acme${i}`]: i, session: `s${i}` }));
    expect(index.stats()).toEqual(before);
  });

  it('reads strings by code unit: no normal form, no case, no look-alikes', () => {
    const filter = compileFilter({ session: 'caf\u00e9' });
    expect(filter.matches(event({ session: 'caf\u00e9' }))).toBe(true);
    expect(filter.matches(event({ session: 'cafe\u0301' }))).toBe(false);
    expect(filter.matches(event({ session: 'CAF\u00c9' }))).toBe(false);
    expect(codeOf(() => compileFilter({ session: '\ud83d' }))).toBe('invalid-predicate');
  });
});
