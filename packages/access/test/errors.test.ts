import { expect, expectTypeOf, it } from 'vitest';
import { AccessConfigError, AccessError, type AccessConfigErrorCode, type AccessErrorCode } from '../src/index.js';

it('has these codes and statuses for refusals', () => {
  const statuses: Record<AccessErrorCode, number> = {
    'missing-token': 401,
    'invalid-token': 401,
    'query-token-not-allowed': 401,
    'insufficient-scope': 403,
    'host-not-allowed': 421,
    'origin-not-allowed': 403,
    'proxied-without-token': 403,
  };
  for (const [code, status] of Object.entries(statuses)) {
    const error = new AccessError(code as AccessErrorCode, 'why');
    expect([error.name, error.code, error.status, error.wwwAuthenticate]).toEqual(['AccessError', code, status, status === 401 ? 'Bearer' : undefined]);
  }
});

it('has these codes for configurations', () => {
  expectTypeOf<AccessConfigErrorCode>().toEqualTypeOf<
    | 'invalid-host' | 'token-required' | 'tls-required' | 'invalid-url' | 'invalid-origin' | 'invalid-name' | 'invalid-token'
    | 'invalid-scope' | 'duplicate-name' | 'duplicate-token' | 'too-many-tokens' | 'invalid-line'
  >();
  const error = new AccessConfigError('invalid-line', 'line 3: what', 3);
  expect([error.name, error.code, error.line, new AccessConfigError('invalid-host', 'x').line]).toEqual(['AccessConfigError', 'invalid-line', 3, undefined]);
});
