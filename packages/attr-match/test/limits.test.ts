import { describe, expect, it } from 'vitest';
import { compileFilter, parseFilter } from '../src/index.js';
import { resolveLimits } from '../src/limits.js';

const keys = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `id${i}`);

describe('resolveLimits', () => {
  it('fills in the defaults and keeps what was given', () => {
    expect(resolveLimits()).toEqual({ maxTextBytes: 65_536, maxKeys: 64, maxValues: 1000 });
    expect(resolveLimits({ maxKeys: 1, maxValues: Infinity })).toEqual({ maxTextBytes: 65_536, maxKeys: 1, maxValues: Infinity });
  });

  it.each([0, -1, 1.5, NaN, -Infinity, '5', null])('refuses %j', (value) => {
    for (const name of ['maxTextBytes', 'maxKeys', 'maxValues']) {
      const call = (): unknown => compileFilter({}, { [name]: value });
      if (value === null) expect(call()).toBeDefined();
      else expect(call).toThrow(new RangeError(`${name} must be a positive integer or Infinity`));
    }
  });
});

describe('the limits of a filter', () => {
  it('takes as many keys as allowed and not one more', () => {
    expect(compileFilter(keys(64)).matches).toBeTypeOf('function');
    expect(() => compileFilter(keys(65))).toThrow(expect.objectContaining({ code: 'too-many-keys', path: '$', wireCode: 'limit-exceeded' }));
    expect(compileFilter(keys(65), { maxKeys: Infinity }).text).toContain('"k64"');
  });

  it('takes as many values as allowed and not one more, over all members', () => {
    expect(compileFilter({ id: ids(999), agent: 'a' }).source.agent).toBe('a');
    expect(() => compileFilter({ id: ids(1001) })).toThrow(expect.objectContaining({ code: 'too-many-values', path: '$.id' }));
    expect(() => compileFilter({ id: ids(1000), agent: 'a' })).toThrow(expect.objectContaining({ code: 'too-many-values', path: '$.agent' }));
    expect(compileFilter({ id: ids(5000) }, { maxValues: Infinity }).source.id).toHaveLength(5000);
  });

  it('counts a repeated value each time', () => {
    expect(() => compileFilter({ agent: ['a', 'a', 'a'] }, { maxValues: 2 })).toThrow(expect.objectContaining({ code: 'too-many-values' }));
  });

  it('takes as many bytes of text as allowed and not one more', () => {
    const text = '{"agent":"aé"}';
    expect(new TextEncoder().encode(text)).toHaveLength(15);
    expect(parseFilter(text, { maxTextBytes: 15 }).source.agent).toBe('aé');
    expect(() => parseFilter(text, { maxTextBytes: 14 })).toThrow(expect.objectContaining({ code: 'too-large', path: '$', wireCode: 'limit-exceeded' }));
    expect(parseFilter(`{"agent":"${'a'.repeat(100_000)}"}`, { maxTextBytes: Infinity }).sessions).toBeUndefined();
  });

  it('counts keys, strings and long integers in bytes where there is no text', () => {
    expect(compileFilter({ agent: 'aé' }, { maxTextBytes: 8 }).source.agent).toBe('aé');
    for (const filter of [{ agent: 'aé' }, { abcde: ['é'] }, { abc: 100_000n ** 4n }]) {
      expect(() => compileFilter(filter, { maxTextBytes: 6 })).toThrow(expect.objectContaining({ code: 'too-large' }));
    }
  });
});
