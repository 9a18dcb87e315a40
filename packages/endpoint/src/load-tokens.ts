import { parseTokenFile, singleToken, type TokenEntry } from '@aepkit/access';

import { EndpointError } from './errors.js';
import { readPrivateFile } from './private-file.js';
import { reason } from './reason.js';

/** The settings that hold tokens. */
export interface TokenValues {
  readonly token: string | undefined;
  readonly 'token-file': string | undefined;
}

/**
 * The access tokens of an endpoint: those of the token file and the one of the environment.
 *
 * @throws EndpointError `token-file-unusable`; AccessConfigError for a token that is too short or given twice.
 */
export async function loadTokens(values: TokenValues): Promise<readonly TokenEntry[]> {
  const entries: TokenEntry[] = [];
  const file = values['token-file'];
  if (file !== undefined) entries.push(...parseTokenFile(await readTokenFile(file)));
  if (values.token !== undefined) entries.push(singleToken(values.token));
  return entries;
}

/** Reads a file of tokens. @throws EndpointError `token-file-unusable`. */
export async function readTokenFile(file: string): Promise<string> {
  try {
    return await readPrivateFile(file);
  } catch (error) {
    throw new EndpointError('token-file-unusable', `cannot use the token file ${file}: ${reason(error)}`, { cause: error });
  }
}
