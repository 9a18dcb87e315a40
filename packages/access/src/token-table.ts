import { createHash, timingSafeEqual } from 'node:crypto';
import { isTokenText } from './bearer.js';
import { AccessConfigError } from './errors.js';
import { MAX_TOKENS, MIN_TOKEN_CHARS } from './limits.js';
import { SCOPES, type Principal } from './principal.js';
import type { TokenEntry } from './token-entry.js';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const HASHED = /^sha256:([0-9a-f]{64})$/;

/** Name of the caller of an endpoint without tokens. */
export const ANONYMOUS = 'anonymous';

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The form of a token that can be kept: `sha256:` and hex. Throws `invalid-token` for one that is not acceptable. */
export function hashToken(token: string, place: string, line?: number): string {
  if (HASHED.test(token)) return token;
  if (token.length < MIN_TOKEN_CHARS || !isTokenText(token)) {
    throw new AccessConfigError(
      'invalid-token',
      `${place}: a token has ${MIN_TOKEN_CHARS} to 1024 characters of A-Z a-z 0-9 . _ ~ + / - and "=" at the end`,
      line,
    );
  }
  return `sha256:${sha256(token).toString('hex')}`;
}

/** Checks an entry. `place` names it in errors; no error repeats a member, since columns may have been swapped. */
export function checkEntry(entry: TokenEntry, place: string, line?: number): TokenEntry {
  const { name, token } = entry;
  const scopes: unknown = entry.scopes;
  if (typeof name !== 'string' || !NAME.test(name) || name === ANONYMOUS) {
    throw new AccessConfigError('invalid-name', `${place}: a name has 1 to 64 characters of A-Z a-z 0-9 . _ - and is not "anonymous"`, line);
  }
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every((scope: unknown) => SCOPES.some((known) => known === scope))) {
    throw new AccessConfigError('invalid-scope', `${place}: scopes are one or more of ${SCOPES.join(', ')}`, line);
  }
  if (typeof token !== 'string') throw new AccessConfigError('invalid-token', `${place}: a token is a string`, line);
  return { name, token: hashToken(token, place, line), scopes: SCOPES.filter((scope) => entry.scopes.includes(scope)) };
}

/** Refuses what two entries may not share. Entries are checked ones. */
export function checkUnique(entries: readonly TokenEntry[], place: (index: number) => string, lines?: readonly number[]): void {
  if (entries.length > MAX_TOKENS) throw new AccessConfigError('too-many-tokens', `more than ${MAX_TOKENS} tokens`);
  const names = new Set<string>();
  const tokens = new Set<string>();
  for (const [index, { name, token }] of entries.entries()) {
    if (names.has(name)) throw new AccessConfigError('duplicate-name', `${place(index)}: this name is used above`, lines?.[index]);
    if (tokens.has(token)) throw new AccessConfigError('duplicate-token', `${place(index)}: this token is used above`, lines?.[index]);
    names.add(name);
    tokens.add(token);
  }
}

/** The tokens of an endpoint, as digests only. */
export class TokenTable {
  readonly #digests: Buffer[];
  readonly #principals: readonly Principal[];

  constructor(entries: readonly TokenEntry[]) {
    const checked = entries.map((entry, index) => checkEntry(entry, `tokens[${index}]`));
    checkUnique(checked, (index) => `tokens[${index}]`);
    this.#digests = checked.map(({ token }) => Buffer.from(token.slice('sha256:'.length), 'hex'));
    this.#principals = checked.map(({ name, scopes }) =>
      Object.freeze({ name, scopes: new Set(scopes), authenticated: true }),
    );
  }

  get size(): number {
    return this.#digests.length;
  }

  /**
   * The principal of a token. Digests of one length are compared, in constant time and always all of them, so that the
   * time tells neither how much of a token was right nor which one it was.
   */
  find(token: string): Principal | undefined {
    const presented = sha256(token);
    let found = 0;
    let number = 0;
    for (const digest of this.#digests) {
      number += 1;
      found += number * Number(timingSafeEqual(presented, digest));
    }
    return this.#principals[found - 1];
  }
}
