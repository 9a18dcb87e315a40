import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../src/index.js';
import { json } from './arbitraries.js';
import { refusal, runs } from './support.js';

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseJson(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
      }),
      runs(500),
    );
  });

  it('refuses what an Event text is refused for', () => {
    for (const [text, code] of [
      ['{"type":"a","type":"b"}', 'duplicate-member'],
      ['{"typ\\u0065":"a","type":"b"}', 'duplicate-member'],
      ['"\\ud800"', 'lone-surrogate'],
      ['["\\ud800"]', 'lone-surrogate'],
      ['\ufeff1', 'byte-order-mark'],
      ['{a:1}', 'invalid-json'],
    ] as const) {
      expect(refusal(() => parseJson(text)).code).toBe(code);
      expect(refusal(() => parseJson(text, { bigints: true })).code).toBe(code);
    }
  });

  it('takes scalars at the top', () => {
    for (const text of ['1', '"x"', '":"', '"\\ud83d\\ude00"', 'null', 'true', '""']) expect(parseJson(text)).toBe(JSON.parse(text));
  });

  it('keeps large integers exact on demand, at any depth', () => {
    const text = '{"a":[9007199254740993,{"b":-18014398509481985}],"c":1e16,"d":1.5,"e":9007199254740991,"f":"9007199254740993","__proto__":9007199254740995}';
    const value = parseJson(text, { bigints: true });
    expect(value).toEqual(
      Object.defineProperty(
        { a: [9007199254740993n, { b: -18014398509481985n }], c: 10n ** 16n, d: 1.5, e: 9007199254740991, f: '9007199254740993' },
        '__proto__',
        { value: 9007199254740995n, enumerable: true, configurable: true, writable: true },
      ),
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(parseJson('9007199254740993', { bigints: true })).toBe(9007199254740993n);
    expect(parseJson('[9007199254740993]')).toEqual([9007199254740992]);
  });

  it('leaves fractions and numbers without a finite double as JSON.parse reads them', () => {
    expect(parseJson('[9007199254740993.5,1e999,-1e999,0.1]', { bigints: true })).toEqual([9007199254740994, Infinity, -Infinity, 0.1]);
  });

  it('agrees with BigInt on every spelling of a large integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n }), fc.nat(20), fc.boolean(), (integer, shift, negative) => {
        const sign = negative ? '-' : '';
        const digits = String(integer);
        const exact = negative ? -integer : integer;
        const point = Math.max(1, digits.length - shift);
        const spellings = [digits, `${digits}.0`, `${digits}e0`, `${digits}${'0'.repeat(shift)}E-${shift}`, `${digits.slice(0, point)}.${digits.slice(point)}0e+${digits.length - point}`, `0.${'0'.repeat(shift)}${digits}e${digits.length + shift}`];
        for (const spelling of spellings) expect(parseJson(`{"n":${sign}${spelling}}`, { bigints: true })).toEqual({ n: exact });
      }),
      runs(200),
    );
  });
});
