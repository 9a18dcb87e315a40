import { describe, expect, it } from 'vitest';

import { DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH, parseEvent, parseJson, validateEvent, wireEvent } from '../src/index.js';
import { minimal, refusal } from './support.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const event = (data: string): string => `${JSON.stringify(minimal.session).slice(0, -1)},"data":${data}}`;

describe('limits', () => {
  it('have these defaults', () => {
    expect(DEFAULT_MAX_BYTES).toBe(1_048_576);
    expect(DEFAULT_MAX_DEPTH).toBe(64);
  });

  it('let the last level in and refuse the next', () => {
    for (const levels of [1, 63, 64]) expect(parseJson(nested(levels))).toEqual(JSON.parse(nested(levels)));
    for (const levels of [65, 66, 300]) expect(refusal(() => parseJson(nested(levels))).code).toBe('too-deep');
    for (const limit of [1, 2, 255, 256, 257, 400]) {
      expect(parseJson(nested(limit), { maxDepth: limit })).toEqual(JSON.parse(nested(limit)));
      expect(refusal(() => parseJson(nested(limit + 1), { maxDepth: limit })).code).toBe('too-deep');
    }
    const inData = (levels: number): string => event(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(parseEvent(inData(63)).json).toBe(inData(63));
    expect(refusal(() => parseEvent(inData(64))).code).toBe('too-deep');
  });

  it('count bytes of UTF-8, for text and for bytes alike', () => {
    for (const character of ['a', 'é', '€', '😀']) {
      const text = JSON.stringify(character.repeat(40));
      const size = bytes(text).length;
      for (const input of [text, bytes(text)]) {
        expect(parseJson(input, { maxBytes: size })).toBe(JSON.parse(text));
        expect(parseJson(input, { maxBytes: size + 1 })).toBe(JSON.parse(text));
        expect(refusal(() => parseJson(input, { maxBytes: size - 1 })).code).toBe('too-large');
      }
    }
  });

  it('count the white space around the object', () => {
    const text = JSON.stringify(minimal.session);
    expect(refusal(() => parseEvent(`${text}\n`, { maxBytes: text.length })).code).toBe('too-large');
  });

  it('hold by default', () => {
    const filled = (size: number): string => event(`{"x":"${'a'.repeat(size - event('{"x":""}').length)}"}`);
    expect(parseEvent(filled(DEFAULT_MAX_BYTES)).event.id).toBe('e1');
    expect(refusal(() => parseEvent(filled(DEFAULT_MAX_BYTES + 1)))).toMatchObject({ code: 'too-large', path: '$' });
    expect(refusal(() => parseEvent(bytes(filled(DEFAULT_MAX_BYTES + 1)))).code).toBe('too-large');
  });

  it('are off at Infinity', () => {
    expect(parseJson(nested(5000), { maxDepth: Infinity })).toBeInstanceOf(Array);
    expect(parseEvent(event(`{"x":"${'a'.repeat(DEFAULT_MAX_BYTES)}"}`), { maxBytes: Infinity }).event.id).toBe('e1');
  });

  it('refuse to be anything but whole numbers above 0', () => {
    for (const limit of [0, -1, 1.5, NaN, -Infinity]) {
      for (const work of [
        () => parseEvent('{}', { maxBytes: limit }),
        () => parseEvent('{}', { maxDepth: limit }),
        () => parseJson('{}', { maxDepth: limit }),
        () => wireEvent(minimal.agent, { maxBytes: limit }),
        () => validateEvent({}, { maxDepth: limit }),
      ]) {
        expect(work).toThrow(RangeError);
      }
    }
  });
});
