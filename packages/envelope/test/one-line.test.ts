import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { oneLine } from '../src/one-line.js';
import { json } from './arbitraries.js';
import { runs } from './support.js';

describe('oneLine', () => {
  it.each([
    ['{}', '{}'],
    [' {}\t', '{}'],
    ['\r\n{\r\n}\r\n', '{}'],
    ['{ "a" : 1 }', '{ "a" : 1 }'],
    ['{ \n "a" : 1 \t\r "b": 2 }'.replace('1 \t\r "b"', '1 \t\r, "b"'), '{"a" : 1, "b": 2 }'],
    ['{"a":"x\\ny  z",\n"b":1}', '{"a":"x\\ny  z","b":1}'],
    ['[1,\n\n\n2]', '[1,2]'],
    ['{"a":\n"  "}', '{"a":"  "}'],
    ['"\u2028\u2029\u0085"', '"\u2028\u2029\u0085"'],
  ])('%j becomes %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
    expect(JSON.parse(line)).toEqual(JSON.parse(text));
  });

  it('touches no value and leaves no line break, however the text is laid out', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('\n', '\r', '\r\n', ' \t\n ', '  '), fc.constantFrom(0, 1, '\t'), (value, end, space) => {
        const text = end + JSON.stringify(value, null, space).replaceAll('\n', end.includes('\n') || end.includes('\r') ? end : '\n') + end;
        const line = oneLine(text);
        expect(line).not.toMatch(/[\r\n]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(text));
        expect(oneLine(line)).toBe(line);
        expect(line.replaceAll(/[ \t\r\n]/g, '')).toBe(text.replaceAll(/[ \t\r\n]/g, ''));
      }),
      runs(500),
    );
  });
});
