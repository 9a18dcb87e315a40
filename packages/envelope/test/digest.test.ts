import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalJson, digest, type JsonValue } from '../src/index.js';
import { json } from './arbitraries.js';
import { brief, refusal, runs } from './support.js';

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [[1.0, -0, 1e21, 1e-7, 333333333.33333329, 4.5, 2e-3, 0.000001], '[1,0,1e+21,1e-7,333333333.3333333,4.5,0.002,0.000001]'],
    ['€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [{ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, 'ö': 7 }, '{"\\r":2,"1":4,"\u0080":6,"ö":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}'],
    [true, 'true'],
    [null, 'null'],
    ['', '""'],
    [{ kept: 1, dropped: undefined } as unknown as JsonValue, '{"kept":1}'],
  ])('spells %j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('refuses what has no JSON form and half of a surrogate pair, with the place', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [undefined, 'not-json $'],
      [NaN, 'not-json $'],
      [1n, 'not-json $'],
      [{ a: [1n] }, 'not-json $.a[0]'],
      [{ a: Infinity }, 'not-json $.a'],
      [[undefined], 'not-json $[0]'],
      [new Date(0), 'not-json $'],
      ['\ud83d', 'lone-surrogate $'],
      [{ '\ude00': 1 }, 'lone-surrogate $["\ufffd"]'],
    ];
    for (const [value, outcome] of cases) {
      expect(brief(refusal(() => canonicalJson(value as JsonValue)))).toBe(outcome);
      expect(brief(refusal(() => digest(value as JsonValue)))).toBe(outcome);
    }
  });

  it('takes __proto__ as a name', () => {
    expect(canonicalJson(JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}') as JsonValue)).toBe('{"__proto__":{"a":2,"b":1},"z":1}');
  });
});

describe('digest', () => {
  it('is SHA-256 of the canonical text, first 16 bytes, 32 hex characters', () => {
    expect(digest({ a: 1 })).toBe('015abd7f5cc57a2dd94b7590f04ad808');
    expect(digest('')).toBe(createHash('sha256').update('""').digest('hex').slice(0, 32));
    fc.assert(
      fc.property(json, (value) => {
        const expected = createHash('sha256').update(canonicalJson(value as JsonValue), 'utf8').digest('hex').slice(0, 32);
        expect(digest(value as JsonValue)).toBe(expected);
        expect(digest(value as JsonValue)).toMatch(/^[0-9a-f]{32}$/);
      }),
      runs(200),
    );
  });

  it('does not see the order of members or the spelling of numbers, and sees the order of items', () => {
    expect(digest(JSON.parse('{"b":1.0,"a":[1e2]}') as JsonValue)).toBe(digest({ a: [100], b: 1 }));
    expect(digest([1, 2])).not.toBe(digest([2, 1]));
    expect(digest('1')).not.toBe(digest(1));
  });
});
