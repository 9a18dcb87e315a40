import { SCOPES } from './principal.js';
import type { TokenEntry } from './token-entry.js';
import { checkEntry } from './token-table.js';

/**
 * The entry for an endpoint with one token and every right, such as the value of `AEP_TOKEN`. The entry holds the
 * digest, not the token.
 *
 * @param name shown in logs; default `default`
 * @throws AccessConfigError `invalid-token`, `invalid-name`
 */
export function singleToken(token: string, name = 'default'): TokenEntry {
  return checkEntry({ name, token, scopes: SCOPES }, 'token');
}
