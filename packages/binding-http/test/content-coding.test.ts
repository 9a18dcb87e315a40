import { describe, expect, it } from 'vitest';

import { contentCoding } from '../src/content-coding.js';

describe('contentCoding', () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    [' x-gzip ', 'gzip'],
    ['deflate', 'deflate'],
    ['br', 'br'],
  ])('reads %j as %s', (header, coding) => {
    expect(contentCoding(header)).toBe(coding);
  });

  it.each([['gzip, gzip'], ['gzip, br'], ['zstd'], ['compress'], ['identity, gzip'], ['__proto__'], ['constructor']])('refuses %j with 415 and says what is taken', (header) => {
    expect(contentCoding(header)).toMatchObject({
      status: 415,
      error: 'unsupported-content-encoding',
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    });
  });
});
