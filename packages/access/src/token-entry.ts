import type { Scope } from './principal.js';

/** One token and what it may do. */
export interface TokenEntry {
  /** Shows up in logs and rosters: 1 to 64 of `A-Z a-z 0-9 . _ -`; not `anonymous`. */
  readonly name: string;
  /** The token itself, or `sha256:` and the 64 lower-case hex digits of its SHA-256. */
  readonly token: string;
  readonly scopes: readonly Scope[];
}
