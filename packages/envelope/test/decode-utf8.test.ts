import { describe, expect, it } from 'vitest';

import { decodeUtf8, parseEvent, parseJson } from '../src/index.js';
import { minimal, refusal } from './support.js';

const BAD: readonly (readonly [string, readonly number[]])[] = [
  ['a lone continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong NUL', [0xe0, 0x80, 0x80]],
  ['a surrogate half', [0xed, 0xa0, 0x80]],
  ['a pair of surrogate halves', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['a cut character', [0xf0, 0x9f, 0x98]],
  ['Latin-1', [0xe9, 0x20]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
];

describe('decodeUtf8', () => {
  it('decodes UTF-8', () => {
    for (const text of ['', 'a', 'é', '日本', '😀', '\u0000', '\ufeffx']) expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
  });

  it.each(BAD)('refuses %s, alone and inside a string', (_, bytes) => {
    expect(refusal(() => decodeUtf8(Uint8Array.from(bytes))).code).toBe('invalid-utf8');
    const [head = '', tail = ''] = JSON.stringify({ ...minimal.session, subject: 'HERE' }).split('HERE');
    const message = Uint8Array.from([...Buffer.from(head), ...bytes, ...Buffer.from(tail)]);
    expect(refusal(() => parseEvent(message)).code).toBe('invalid-utf8');
    expect(refusal(() => parseJson(message)).code).toBe('invalid-utf8');
  });

  it('works again after a refusal', () => {
    expect(() => decodeUtf8(Uint8Array.of(0xf0, 0x9f))).toThrow();
    expect(decodeUtf8(Uint8Array.of(0x61))).toBe('a');
  });
});
