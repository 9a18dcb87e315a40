import { expect, it } from 'vitest';

import * as api from '../src/index.js';
import * as owner from '../src/owner-token.js';

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toEqual([
    'CHAIN_MEMBER',
    'EndpointError',
    'MAX_CHAIN',
    'MAX_HEAD_BYTES',
    'RouteError',
    'SILENT_LOG',
    'SOCKET_PATH',
    'chainFacts',
    'endpointAccess',
    'endpointHub',
    'endpointRoutes',
    'factsOf',
    'json',
    'keepOwnerToken',
    'listen',
    'loadSettings',
    'loadTls',
    'loadTokens',
    'readChain',
    'readTokenFile',
    'runEndpoint',
    'shutDown',
  ]);
  expect(Object.keys(owner).sort()).toEqual(['createOwnerToken', 'readOwnerToken', 'removeOwnerToken', 'writeOwnerToken']);
});

it('keeps what others rely on', () => {
  const codes: Record<api.EndpointErrorCode, true> = {
    'config-unreadable': true,
    'token-file-unusable': true,
    'tls-unusable': true,
    'data-unusable': true,
    'address-unusable': true,
    'owner-token-unusable': true,
    'upstream-unusable': true,
  };
  expect(Object.keys(codes)).toHaveLength(7);
  expect([api.CHAIN_MEMBER, api.MAX_CHAIN, api.MAX_HEAD_BYTES, api.SOCKET_PATH]).toEqual(['aepkit.chain', 1000, 98_304, '/socket']);
});
