import { Access, singleToken } from '@aepkit/access';

import { loadTokens } from './load-tokens.js';
import { createOwnerToken } from './owner-token.js';
import type { EndpointValues } from './settings.js';

/** Who may use an endpoint, and the token of its owner where one was made. */
export interface EndpointAccess {
  readonly access: Access;
  /** There where no token is configured: it gives every right; others on this machine may emit and observe. */
  readonly ownerToken: string | undefined;
  /** Whether anybody can authenticate, without which no command is ever routed (AEP-0004 §4.1). */
  readonly authenticates: boolean;
}

/** What {@link endpointAccess} is made of. */
export interface EndpointAccessParts {
  readonly values: Pick<
    EndpointValues,
    'host' | 'port' | 'token' | 'token-file' | 'tls-proxy' | 'public-url' | 'allowed-origin' | 'query-tokens' | 'private-discovery'
  >;
  /** Whether the server itself speaks TLS. */
  readonly tls: boolean;
  /** Whether to make a token for the owner where none is configured: commands need one, always (AEP-0004 §4.1). */
  readonly owner: boolean;
}

/**
 * Makes the access rules of an endpoint out of its settings.
 *
 * @throws EndpointError `token-file-unusable`; AccessConfigError.
 */
export async function endpointAccess({ values, tls, owner }: EndpointAccessParts): Promise<EndpointAccess> {
  const configured = await loadTokens(values);
  const ownerToken = owner && configured.length === 0 ? createOwnerToken() : undefined;
  const tokens = ownerToken === undefined ? configured : [singleToken(ownerToken, 'owner')];
  const access = new Access({
    host: values.host,
    // 0 is no port to name in a refusal.
    ...(values.port === 0 ? {} : { port: values.port }),
    tokens,
    ...(ownerToken === undefined ? {} : { anonymous: ['emit', 'observe'] }),
    tls,
    tlsTerminatedByProxy: values['tls-proxy'],
    publicUrls: values['public-url'],
    allowedOrigins: values['allowed-origin'],
    queryTokens: values['query-tokens'],
    publicDiscovery: !values['private-discovery'],
  });
  return { access, ownerToken, authenticates: tokens.length > 0 };
}
