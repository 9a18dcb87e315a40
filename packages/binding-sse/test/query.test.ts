import { describe, expect, it } from 'vitest';

import { parseQuery } from '../src/query.js';
import type { RequestRefused } from '../src/refusal.js';

const read = (query: string, max = 1000) => Object.fromEntries(parseQuery(`http://h/stream${query}`, max));
const refusal = (query: string, max = 1000) => {
  try {
    read(query, max);
  } catch (thrown) {
    return (thrown as RequestRefused).refusal;
  }
  return undefined;
};

describe('parseQuery', () => {
  it('decodes the parameters it knows and ignores others', () => {
    expect(read('?filter=%7B%22agent%22%3A%22%C3%A9+x%22%7D&from=all&live=0&capture=none&access_token=t&x=%FF&x=1&__proto__=2')).toEqual({
      filter: '{"agent":"é x"}',
      from: 'all',
      live: '0',
      capture: 'none',
      access_token: 't',
    });
  });

  it('keeps an empty value apart from an absent one', () => {
    expect(read('?filter=&from')).toEqual({ filter: '', from: '' });
    expect(read('')).toEqual({});
    expect(read('?')).toEqual({});
    expect(read('?#filter=x')).toEqual({});
  });

  it('reads an encoded name as what it is', () => {
    expect(read('?fil%74er=%7B%7D')).toEqual({ filter: '{}' });
  });

  it.each(['filter', 'from', 'live', 'capture', 'access_token'])('refuses %s when it comes twice', (name) => {
    expect(refusal(`?${name}=1&${name}=1`)).toMatchObject({ status: 400, error: 'invalid-filter' });
    expect(refusal(`?${name}=1&x=2&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`)).toMatchObject({ status: 400 });
  });

  it.each(['%FF', '%', '%zz', '%C3', '%ED%A0%80'])('refuses the value %s instead of replacing what does not decode', (value) => {
    expect(refusal(`?filter=${value}`)).toMatchObject({ status: 400, error: 'invalid-filter', detail: expect.not.stringContaining(value) });
  });

  it('takes a query string up to its bound', () => {
    expect(refusal('?from=12345', 10)).toBeUndefined();
    expect(refusal('?from=12345', 9)).toMatchObject({ status: 400, error: 'limit-exceeded' });
    expect(refusal('?from=12345', 11)).toBeUndefined();
  });
});
