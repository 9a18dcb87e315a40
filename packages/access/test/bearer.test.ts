import { describe, expect, it } from 'vitest';
import { access, ALL, request, TOKENS, verdict } from './request.js';

const endpoint = access({ tokens: TOKENS });
const answer = (authorization: string) => verdict(() => endpoint.admit(request({ headers: { authorization } }), 'control'));

describe('the Authorization header', () => {
  it.each([`Bearer ${ALL}`, `bearer ${ALL}`, `BEARER ${ALL}`, `Bearer   ${ALL}`])('%j is a bearer token [B-173]', (header) => {
    expect(answer(header)).toBe('passes');
  });

  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    ALL,
    `Basic ${ALL}`,
    `Bearer\t${ALL}`,
    `Bearer:${ALL}`,
    `Bearer ${ALL} `,
    `Bearer ${ALL} x`,
    `Bearer "${ALL}"`,
    `Bearer ${ALL},`,
    `Bearer ${ALL}, Bearer ${ALL}`,
    `Bearer token=${ALL}`,
    `XBearer ${ALL}`,
    `Bearer ${ALL}\u0000`,
    `Bearer ${ALL}\n`,
    `Bearer ${ALL}=`,
    `Bearer ${ALL.toUpperCase()}`,
    `Bearer ${ALL.slice(0, -1)}`,
    `Bearer ${'x'.repeat(100_000)}`,
    `Bearer ${' '.repeat(100_000)}${ALL}`,
  ])('%j is not a known one', (header) => {
    expect(answer(header)).toBe('invalid-token 401');
  });
});
