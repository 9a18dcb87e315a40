import { GROUP_TOKEN_BYTES } from './local-preamble.js';

/** What the kernel says about the other end of a local connection; an in-process peer has none of it. */
export interface LocalCredentials {
  /** `uid` or SID. */
  readonly user: string | number;
  /** Where the platform tells. An observation: nothing is authorized on it. */
  readonly pid?: number | undefined;
}

/** A control connection, as the acceptor of further ones remembers it. */
export interface LocalGroup {
  readonly token: Uint8Array;
  readonly credentials: LocalCredentials;
  /** False once the control connection has closed, which the end of its stream behind HELLO is not (OPEN-20). */
  readonly live: boolean;
}

/**
 * Whether a transfer or reverse connection belongs to a group (weida §2.1): the token is that of a live control connection, and
 * the kernel says the same about both. Otherwise it is bound to nothing, and nothing it carries is dispatched. Tokens are
 * compared in constant time.
 */
export function belongsToGroup(token: Uint8Array, credentials: LocalCredentials, group: LocalGroup | undefined): boolean {
  if (token.length !== GROUP_TOKEN_BYTES || group?.token.length !== GROUP_TOKEN_BYTES) return false;
  // Two peers about whom the kernel said nothing are not the same one.
  const user: unknown = credentials.user;
  if (user === undefined) return false;
  let difference = 0;
  for (let i = 0; i < token.length; i++) difference |= (token[i] ?? 0) ^ (group.token[i] ?? 0);
  return difference === 0 && group.live && user === group.credentials.user && credentials.pid === group.credentials.pid;
}
