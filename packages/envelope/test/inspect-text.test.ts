import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { inspectText, isEscaped, opensDeeperThan } from '../src/inspect-text.js';
import { json } from './arbitraries.js';
import { runs } from './support.js';

describe('inspectText', () => {
  it('finds nothing in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, space) => {
        expect(inspectText(JSON.stringify(value, null, space), 64)).toBeUndefined();
      }),
      runs(300),
    );
  });

  it('hands out every number as it is spelled, with its path', () => {
    const seen: [string, string][] = [];
    inspectText('{"a":[-1.50e+3,{"b\\u0021":0}, "7", [ 2 ]],"c":true,"d":12345678901234567890 }', 64, (path, token) => seen.push([path.join('/'), token]));
    expect(seen).toEqual([
      ['a/0', '-1.50e+3'],
      ['a/1/b!', '0'],
      ['a/3/0', '2'],
      ['d', '12345678901234567890'],
    ]);
    inspectText('-7', 64, (path, token) => seen.push([path.join('/'), token]));
    expect(seen.at(-1)).toEqual(['', '-7']);
  });

  it('counts levels', () => {
    expect(inspectText('[[{}]]', 3)).toBeUndefined();
    expect(inspectText('[1,[{}]]', 2)).toEqual({ code: 'too-deep', path: [1, 0] });
  });
});

describe('opensDeeperThan', () => {
  it('takes any text and skips strings', () => {
    for (const [text, depth] of [['', 0], ['[', 1], ['[[[', 3], ['{"[[[[":"]{{{"}', 1], ['"[[', 0], ['"\\"[[[[', 0], ['[]]]][[', 1], ['"\\\\"[[', 2]] as const) {
      expect(opensDeeperThan(text, depth)).toBe(false);
      if (depth > 0) expect(opensDeeperThan(text, depth - 1)).toBe(true);
    }
  });
});

describe('isEscaped', () => {
  it('counts the backslashes in front', () => {
    expect(isEscaped('"', 0)).toBe(false);
    expect(isEscaped('\\"', 1)).toBe(true);
    expect(isEscaped('\\\\"', 2)).toBe(false);
    expect(isEscaped('\\\\\\"', 3)).toBe(true);
  });
});
