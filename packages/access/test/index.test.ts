import { expect, it } from 'vitest';
import * as access from '../src/index.js';

it('exports this and nothing else', () => {
  expect(Object.keys(access).sort()).toEqual([
    'Access',
    'AccessConfigError',
    'AccessError',
    'DEFAULT_PUBLIC_DISCOVERY',
    'DEFAULT_QUERY_TOKENS',
    'MAX_TOKENS',
    'MAX_TOKEN_CHARS',
    'MIN_TOKEN_CHARS',
    'SCOPES',
    'isLoopbackHost',
    'parseTokenFile',
    'singleToken',
  ]);
  expect([access.MIN_TOKEN_CHARS, access.MAX_TOKEN_CHARS, access.MAX_TOKENS]).toEqual([16, 1024, 1000]);
  expect(access.SCOPES).toEqual(['emit', 'observe', 'control']);
});
