import { describe, expect, it } from 'vitest';

import { LineReader, type LineItem } from '../src/reader.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = '\ufeff{"a":1}\n\n \t\r\n{"ü":"\u2028"}\r\n\r\nnot json\n';
const expected: LineItem[] = [
  { type: 'line', text: '{"a":1}' },
  { type: 'line', text: '{"ü":"\u2028"}' },
  { type: 'line', text: 'not json' },
];

describe('a line reader', () => {
  it('gives the texts of lines, cut at every place of the input and byte by byte', () => {
    const input = bytes(whole);
    for (let cut = 0; cut <= input.length; cut += 1) {
      const reader = new LineReader();
      expect([...reader.push(input.subarray(0, cut)), ...reader.push(input.subarray(cut))]).toEqual(expected);
    }
    const reader = new LineReader();
    expect([...input].flatMap((byte) => reader.push(Uint8Array.of(byte)))).toEqual(expected);
  });

  it('gives nothing of a line that has not ended', () => {
    expect(new LineReader().push(bytes('{"a":1}'))).toEqual([]);
  });

  it('says what is too long or not UTF-8, and reads on behind it', () => {
    const input = [...bytes('12345\n123456\n'), 0xff, 0x0a, ...bytes('ok\n')];
    const items = [{ type: 'line', text: '12345' }, { type: 'bad', code: 'line-too-long' }, { type: 'bad', code: 'invalid-utf8' }, { type: 'line', text: 'ok' }];
    expect(new LineReader({ maxLineBytes: 5 }).push(Uint8Array.from(input))).toEqual(items);
    const reader = new LineReader({ maxLineBytes: 5 });
    expect(input.flatMap((byte) => reader.push(Uint8Array.of(byte)))).toEqual(items);
    expect(() => new LineReader({ maxLineBytes: 0 })).toThrow(RangeError);
  });
});
