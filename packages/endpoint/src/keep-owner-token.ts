import { EndpointError } from './errors.js';
import type { Listening } from './listen.js';
import { removeOwnerToken, writeOwnerToken } from './owner-token.js';
import { reason } from './reason.js';

/** What {@link keepOwnerToken} works on. */
export interface KeepOwnerTokenParts {
  /** Default: nobody is told the token. */
  readonly file: string | undefined;
  /** `undefined`: none was made, since tokens are configured. */
  readonly token: string | undefined;
  readonly listening: Pick<Listening, 'url' | 'drain' | 'destroy'>;
}

/** The file of an endpoint's owner token while the endpoint runs. */
export interface KeptOwnerToken {
  remove(): Promise<void>;
}

/**
 * Writes the token of the owner where its other programs look for it. An endpoint that cannot has not started: its server is closed.
 *
 * @throws EndpointError `owner-token-unusable`
 */
export async function keepOwnerToken({ file, token, listening }: KeepOwnerTokenParts): Promise<KeptOwnerToken> {
  if (file === undefined || token === undefined) return { remove: () => Promise.resolve() };
  try {
    await writeOwnerToken(file, { url: listening.url, token, pid: process.pid });
  } catch (error) {
    void listening.drain();
    listening.destroy();
    throw new EndpointError('owner-token-unusable', `cannot write the token of the owner to ${file}: ${reason(error)}`, { cause: error });
  }
  return { remove: () => removeOwnerToken(file, token) };
}
