import { describe, expect, it } from 'vitest';

import { bearer, httpTarget } from '../src/http-target.js';

describe('httpTarget', () => {
  it.each([
    ['http://h/events', 'http://h/events'],
    ['https://h:1/p/events?x=1#y', 'https://h:1/p/events?x=1'],
  ])('takes %s', (url, target) => {
    expect(httpTarget(url)).toBe(target);
    expect(httpTarget(new URL(url))).toBe(target);
  });

  it.each([['/events'], [''], ['ftp://h/SECRET'], ['ws://h/SECRET'], ['http://user:SECRET@h/'], ['http://SECRET@h/'], ['javascript:SECRET']])(
    'refuses %s without repeating it',
    (url) => {
      expect(() => httpTarget(url)).toThrow(TypeError);
      expect(() => httpTarget(url)).not.toThrow(/SECRET/);
    },
  );
});

describe('bearer', () => {
  it('makes the header, or none', () => {
    expect(bearer('abc.DEF-1~+/=')).toEqual({ authorization: 'Bearer abc.DEF-1~+/=' });
    expect(bearer(undefined)).toEqual({});
  });

  it.each([[''], ['SECRET x'], ['SECRET\r\nx: y'], ['SECRET\u00e9'], ['SECRET\u0000']])('refuses %j without repeating it', (token) => {
    expect(() => bearer(token)).toThrow(TypeError);
    expect(() => bearer(token)).not.toThrow(/SECRET/);
  });
});
