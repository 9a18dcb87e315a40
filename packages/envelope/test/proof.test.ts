import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compactLength } from '../src/compact-length.js';
import { inspectText } from '../src/inspect-text.js';
import { parseJson, type JsonValue } from '../src/index.js';
import { isCompact, isProven } from '../src/proof.js';
import { refusal, runs } from './support.js';

/** A JSON text as its writer knows it: what it says, and whether it names a member twice or holds half a pair. */
interface Written {
  readonly text: string;
  readonly twice: boolean;
  readonly broken: boolean;
}

const gap = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n');

/** One spelling of a character: itself, an escape, or the short escape. */
function spell(unit: string, how: number): string {
  const code = unit.charCodeAt(0);
  const short = JSON.stringify(unit).slice(1, -1);
  if (short.length === 2 || code < 32) return how % 2 === 0 ? short : `\\u${code.toString(16).padStart(4, '0')}`;
  if (how === 3) return `\\u${code.toString(16).padStart(4, '0')}`;
  return how === 2 && unit === '/' ? '\\/' : unit;
}

const units = fc.array(fc.tuple(fc.constantFrom('a', 'b', ':', '"', '\\', ' ', '\n', '/', '{', '}', '[', ']', ',', 'é', '\u2028', '\ud83d', '\ude00', 'u', '0', 'd', '8'), fc.nat(3)), { maxLength: 6 });
const string = units.map((parts) => {
  const raw = parts.map(([unit, how]) => spell(unit, how)).join('');
  const value = parts.map(([unit]) => unit).join('');
  return { text: `"${raw}"`, value, broken: !value.isWellFormed() || !raw.isWellFormed() };
});
const name = fc.oneof(string, fc.constantFrom(...['a', 'b', '', '__proto__', '0', 'a:'].map((value) => ({ text: JSON.stringify(value), value, broken: false }))));
const number = fc.oneof(
  fc.constantFrom('0', '-0', '1', '1e0', '1000', '1e3', '10E2', '1.0', '0.1', '1e-1', '0.001', '1e-3', '120000', '12e4', '9007199254740993', '123456789', '-5', '0.5e1', '1e5', '100', '1e21'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const scalar: fc.Arbitrary<Written> = fc.oneof(
  fc.oneof(number, fc.constantFrom('true', 'false', 'null')).map((text) => ({ text, twice: false, broken: false })),
  string.map(({ text, broken }) => ({ text, twice: false, broken })),
);

const written = fc.letrec<{ value: Written; list: Written; object: Written }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('list')),
  list: fc.array(fc.tuple(gap, tie('value'), gap), { maxLength: 3 }).map((items) => ({
    text: `[${items.map(([before, item, after]) => before + item.text + after).join(',')}]`,
    twice: items.some(([, item]) => item.twice),
    broken: items.some(([, item]) => item.broken),
  })),
  object: fc.array(fc.tuple(gap, name, gap, gap, tie('value'), gap), { maxLength: 4 }).map((members) => ({
    text: `{${members.map(([a, key, b, c, item, d]) => a + key.text + b + ':' + c + item.text + d).join(',')}}`,
    twice: members.some(([, , , , item]) => item.twice) || new Set(members.map(([, key]) => key.value)).size < members.length,
    broken: members.some(([, key, , , item]) => key.broken || item.broken),
  })),
})).object;

/** The same without white space, where the proof by length can hold. */
const compactWritten = written.filter(({ text }) => !/[ \t\r\n]/.test(text));

describe('the cheap proofs', () => {
  const check = ({ text, twice, broken }: Written): { byLength: boolean; byCount: boolean } => {
    const value = JSON.parse(text) as JsonValue;
    const byLength = isCompact(text, compactLength(value, 64));
    const byCount = isProven(text, value, 64);
    if (twice || broken) expect({ text, byLength, byCount }).toEqual({ text, byLength: false, byCount: false });
    const code = inspectText(text, 64)?.code;
    if (twice && broken) expect(['duplicate-member', 'lone-surrogate']).toContain(code);
    else expect(code).toBe(twice ? 'duplicate-member' : broken ? 'lone-surrogate' : undefined);
    return { byLength, byCount };
  };

  it('never miss a member named twice or half of a surrogate pair', () => {
    let twice = 0;
    let proven = 0;
    fc.assert(
      fc.property(written, (sample) => {
        const { byCount } = check(sample);
        if (sample.twice) twice += 1;
        if (byCount) proven += 1;
      }),
      runs(4000),
    );
    expect(twice).toBeGreaterThan(300);
    expect(proven).toBeGreaterThan(300);
  });

  it('never miss one in compact texts either', () => {
    let proven = 0;
    fc.assert(
      fc.property(compactWritten, (sample) => {
        if (check(sample).byLength) proven += 1;
      }),
      runs(3000),
    );
    expect(proven).toBeGreaterThan(100);
  });

  it('decide as the full reading decides, at the door', () => {
    fc.assert(
      fc.property(written, ({ text, twice, broken }) => {
        if (twice || broken) expect(['duplicate-member', 'lone-surrogate']).toContain(refusal(() => parseJson(text)).code);
        else expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      runs(1000),
    );
  });

  it('hold for what JSON.stringify writes, so that the common Event pays for no second reading', () => {
    for (const value of [{ a: 1, b: [1, 22, 333, 4444, 55555, 1700000000001], c: { d: 'text "quoted"\n', e: null, f: true, g: false } }, { x: -12, y: 0.25, z: 1234.5 }, {}, { a: [], b: {} }]) {
      const text = JSON.stringify(value);
      expect(isCompact(text, compactLength(value, 64))).toBe(true);
      expect(isProven(text, value, 64)).toBe(true);
    }
  });

  it('by length: no number of escapes makes up for a lost member', () => {
    for (const escape of ['\\n', '\\"', '\\\\', '\\/', '\\u0041', '\\u00e9', '\\\\u0041', '\\ud55c', '\\\\\\\\', '\\\\\\n']) {
      for (let count = 0; count < 80; count += 1) {
        const kept = `"a":"${escape.repeat(count)}"`;
        for (const lost of ['"a":1', '"a":12', '"a":"x"', '"a":[1,{"b":2}]', '"\\u0061":1', `"a":"${escape}"`]) {
          const text = `{${lost},${kept}}`;
          expect(isCompact(text, compactLength(JSON.parse(text), 64)), text).toBe(false);
        }
        const alone = `{${kept}}`;
        expect(isCompact(alone, compactLength(JSON.parse(alone), 64)), alone).toBe(true);
      }
    }
  });

  it('by count: quotes and colons inside strings count for nothing unless a string starts with a colon', () => {
    for (const [text, proven] of [
      ['{ "a": "{\\"b\\":1,\\"c\\" : [\\":\\"]}" }', true],
      ['{ "a": "x\\\\" , "b" : 1 }', true],
      ['{ "a": "x::: : :" }', true],
      ['{ "a": ":x" }', false],
      ['{ "a": " :x" }', false],
    ] as const) {
      expect(isProven(text, JSON.parse(text) as JsonValue, 64), text).toBe(proven);
      expect(inspectText(text, 64)).toBeUndefined();
    }
  });

  it('by length: no spelling of a number is shorter than counted', () => {
    const spellings = (value: number): string[] => {
      const [digits = '', exponent = '0'] = value.toExponential().split('e');
      const mantissa = digits.replace('.', '');
      const shift = Number(exponent) - (mantissa.replace('-', '').length - 1);
      return [String(value), `${digits}e${Number(exponent)}`, `${mantissa}e${shift}`, value.toFixed(0)];
    };
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.nat(2000), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.integer({ min: 1, max: 99 }).chain((m) => fc.nat(15).map((e) => m * 10 ** e))), (value) => {
        const counted = compactLength(value, 1);
        for (const spelling of spellings(value)) {
          if (JSON.parse(spelling.replace('e+', 'e')) === value && !Number.isNaN(counted)) expect(spelling.length).toBeGreaterThanOrEqual(counted);
        }
      }),
      runs(3000),
    );
  });

  it('count no property of a polluted prototype in the place of a lost member', () => {
    Object.defineProperty(Object.prototype, 'x', { value: 1, enumerable: true, configurable: true, writable: true });
    try {
      for (const text of ['{"a":1,"a":1}', '{"a":1,"x":1,"x":1}', '{"a":{"b":1,"b":1}}', '{"x":1,"x":1}']) {
        const value = JSON.parse(text) as JsonValue;
        expect(isCompact(text, compactLength(value, 64))).toBe(false);
        expect(isProven(text, value, 64)).toBe(false);
        expect(refusal(() => parseJson(text)).code).toBe('duplicate-member');
      }
    } finally {
      Reflect.deleteProperty(Object.prototype, 'x');
    }
  });
});
