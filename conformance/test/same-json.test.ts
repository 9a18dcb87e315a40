import { describe, expect, it } from 'vitest';
import { sameJson } from '../src/index.js';

describe('sameJson', () => {
  it.each([
    ['{"a":1,"b":[null,true,"x"]}', ' { "b" : [ null , true , "\\u0078" ] , "a" : 1 } '],
    ['1', '1.0'],
    ['100', '1e2'],
    ['-0', '0'],
    ['0.10', '1E-1'],
    ['12345678901234567890', '1234567890123456789e1'],
    ['{"__proto__":1}', '{"__proto__":1.0}'],
  ])('takes %s and %s for one value', (a, b) => {
    expect(sameJson(a, b)).toBe(true);
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.1000000000000000055'],
    ['1', '"1"'],
    ['1', '-1'],
    ['[1,2]', '[2,1]'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{}', '[]'],
    ['{"__proto__":1}', '{}'],
    ['null', 'false'],
  ])('tells %s from %s', (a, b) => {
    expect(sameJson(a, b)).toBe(false);
  });
});
