import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

import { EndpointError } from './errors.js';
import { reason } from './reason.js';

/** Certificate chain and private key, in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Reads certificate and key, and checks that they are a pair. @throws {@link EndpointError} `tls-unusable`. */
export async function loadTls(cert: string | undefined, key: string | undefined): Promise<TlsPair | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new EndpointError('tls-unusable', 'tls-cert and tls-key go together');
  const pair = { cert: await readPem('tls-cert', cert), key: await readPem('tls-key', key) };
  const leaf = usable('tls-cert', cert, () => new X509Certificate(pair.cert));
  const secret = usable('tls-key', key, () => createPrivateKey(pair.key));
  if (!leaf.checkPrivateKey(secret)) throw new EndpointError('tls-unusable', `the key in ${key} is not that of the certificate in ${cert}`);
  // Whatever else a server cannot use: the rest of the chain, a key that is too short.
  usable('tls-cert', cert, () => createSecureContext(pair));
  return pair;
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new EndpointError('tls-unusable', `cannot read ${setting}: ${reason(error)}`, { cause: error });
  }
}

/** What OpenSSL says of a bad file names neither the file nor, in the case of an empty one, anything wrong. */
function usable<T>(setting: string, path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new EndpointError('tls-unusable', `${setting} ${path} is not usable as PEM: ${reason(error)}`, { cause: error });
  }
}
