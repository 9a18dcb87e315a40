import { readFile, stat } from 'node:fs/promises';

import { parseTokenFile, singleToken, type TokenEntry } from '@aepkit/access';

import { CollectorError } from './errors.js';
import { reason } from './load-settings.js';
import type { CollectorValues } from './settings.js';

/**
 * The access tokens of a collector: those of the token file and the one of the environment.
 *
 * @throws {@link CollectorError} `token-file-unusable`; AccessConfigError for a token that is too short or given twice.
 */
export async function loadTokens(values: Pick<CollectorValues, 'token' | 'token-file'>): Promise<readonly TokenEntry[]> {
  const entries: TokenEntry[] = [];
  const file = values['token-file'];
  if (file !== undefined) entries.push(...parseTokenFile(await readTokenFile(file)));
  if (values.token !== undefined) entries.push(singleToken(values.token));
  return entries;
}

async function readTokenFile(file: string): Promise<string> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CollectorError('token-file-unusable', `other users can read ${file}: run chmod 600 on it`);
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof CollectorError) throw error;
    throw new CollectorError('token-file-unusable', `cannot read the token file ${file}: ${reason(error)}`, { cause: error });
  }
}
