import { open } from 'node:fs/promises';

import { defaultDataFolder, ownerTokenFile } from '@aepkit/collector/data-folder';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';

import { type Endpoint, endpointOf } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';

/** Where a command finds the endpoint and the right to command. */
export interface ControlFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Largest token file, in bytes. */
const MAX_TOKEN_FILE_BYTES = 65_536;

/**
 * The endpoint and a token that may command: of `--token-file`, else `AEP_TOKEN`, else the one that a collector of this user on this machine
 * wrote down. That one goes nowhere but to the address that stands beside it.
 */
export async function controlEndpoint({ url, tokenFile }: ControlFlags, env: Readonly<Record<string, string | undefined>> = process.env): Promise<Endpoint> {
  const endpoint = endpointOf(url, env);
  if (tokenFile !== undefined) return { url: endpoint.url, token: await readToken(tokenFile) };
  if (endpoint.token !== undefined) return endpoint;
  const data = env.AEP_DATA === undefined || env.AEP_DATA === '' ? defaultDataFolder() : env.AEP_DATA;
  const owner = await readOwnerToken(ownerTokenFile(data), { url: endpoint.url });
  if (owner === undefined) return endpoint;
  return { url: owner.url.endsWith('/') ? owner.url : `${owner.url}/`, token: owner.token };
}

async function readToken(path: string): Promise<string> {
  const token = tokenOf(await readPrivate(path));
  if (token === undefined) throw new CliError(`${path} holds no token that may command`, EXIT.usage);
  return token;
}

/** A token alone, the file of an owner, or the first line of a collector's token file with the scope `control`. */
function tokenOf(text: string): string | undefined {
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (content.startsWith('{')) return ownerToken(content);
    const [first, scopes, token] = content.split(/[ \t]+/);
    if (scopes === undefined) return first;
    if (token !== undefined && !token.startsWith('sha256:') && (scopes === 'all' || scopes.split(',').includes('control'))) return token;
  }
  return undefined;
}

function ownerToken(text: string): string | undefined {
  try {
    const { token } = JSON.parse(text) as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

async function readPrivate(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new CliError(`cannot read ${path}: ${(error as Error).message}`, EXIT.usage);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_TOKEN_FILE_BYTES) throw new CliError(`${path} is no token file`, EXIT.usage);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) throw new CliError(`${path} can be read by others; chmod 600 ${path}`, EXIT.usage);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
