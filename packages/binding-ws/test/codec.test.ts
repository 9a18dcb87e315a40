import { wireEvent, parseEvent, parseJson } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { exactJson } from '../src/exact-json.js';
import { selectVersion } from '../src/select-version.js';
import { textFrame, wsEncoder } from '../src/text-frame.js';
import { utf8Length } from '../src/utf8-length.js';
import { textsOf } from './server-support.js';

describe('exactJson', () => {
  it.each(['null', 'true', '-0', '0', '1.5', '1e300', '-15e299', '12345678901234567890', '100000000000000000000000', '"\\u0000é\\"\\\\"', '[]', '{}', '{"__proto__":{"a":[1,[null]]},"":1}'])('gives %s back', (text) => {
    expect(exactJson(parseJson(text, { bigints: true }))).toBe(text);
  });

  it('leaves out what is undefined, and refuses what is no JSON', () => {
    expect(exactJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
    expect(exactJson(NaN)).toBe('null');
    expect(() => exactJson({ a: () => 1 })).toThrow(TypeError);
    expect(() => exactJson(Symbol('x'))).toThrow(TypeError);
  });

  it('agrees with JSON.stringify', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      if (!JSON.stringify(value).includes('-0')) expect(JSON.parse(exactJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }), { numRuns: 100 });
  });
});

describe('textFrame', () => {
  it.each([0, 1, 125, 126, 127, 8_000, 65_535, 65_536, 65_537, 300_000])('frames %d bytes', (length) => {
    const text = 'x'.repeat(length);
    const frame = textFrame(text);
    expect(textsOf(frame)).toEqual([text]);
    expect(frame.length - length).toBe(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  });

  it('leaves earlier frames alone', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3_000 }), { maxLength: 20 }), (texts) => {
        const frames = texts.map((text) => textFrame(text));
        expect(frames.flatMap((frame) => textsOf(frame))).toEqual(texts.map((text) => text.toWellFormed()));
      }),
      { numRuns: 100 },
    );
  });

  it('carries an Event as it was received, a command with its line breaks', () => {
    const command = wireEvent({ aep: '0.1', id: 'c', type: 'control.cancel', time: '2026-01-01T00:00:00Z', source: 'aep://t', agent: 'a', session: 's' }).json.replace('{', '{\r\n');
    expect(textsOf(wsEncoder(parseEvent(command)))).toEqual([command]);
    expect(textsOf(wsEncoder({ event: {} as never, json: '{"a":"é"}' }))).toEqual(['{"a":"é"}']);
  });
});

describe('utf8Length', () => {
  it('counts as the encoder does', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text.toWellFormed())).toBe(Buffer.byteLength(text));
    }));
  });
});

describe('selectVersion', () => {
  it('takes the first offer that is spoken here [B-066]', () => {
    expect(selectVersion(['9', '0.1'])).toBe('0.1');
    expect(selectVersion(['2', '1', '3'], ['1', '2'])).toBe('2');
    expect(selectVersion([], ['1'])).toBeUndefined();
    expect(selectVersion(['0.1.0', ' 0.1', '0'])).toBeUndefined();
  });
});
