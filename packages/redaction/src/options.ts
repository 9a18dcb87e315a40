import type { TokenAlphabet } from './token-row.js';

/** How far rules look ahead, in UTF-16 units. */
export const DEFAULT_LOOKAHEAD = 16_384;
/** Levels of a JSON value. */
export const DEFAULT_MAX_DEPTH = 512;
/** Configured values shorter than this, in UTF-16 units, are left out: they stand in every text. */
export const MIN_NAME_LENGTH = 4;

/** A token of your own: a prefix and what follows it. */
export interface TokenPattern {
  /** How the token begins, at least 3 characters: `acme_`. No letter or digit may stand in front of it. */
  readonly prefix: string;
  /** What follows. `word` is letters, digits, `_` and `-`; `dotted` has dots too. Default `word`. */
  readonly alphabet?: TokenAlphabet;
  /** Fewest characters that follow. Default 16. */
  readonly min?: number;
}

/** What can be configured. */
export interface RedactorOptions {
  /**
   * Values that are secret here, such as those of listed environment variables and config keys (AEP-0003 §9.4b). They are found as they are,
   * and as JSON, addresses and HTML write them. Values shorter than {@link MIN_NAME_LENGTH} are left out. At most half of `lookahead` each.
   */
  readonly names?: readonly string[];
  /** Tokens of your own. */
  readonly tokens?: readonly TokenPattern[];
  /** Home folders besides `/home/…`, `/Users/…` and `X:\Users\…`, such as `/root`. */
  readonly homes?: readonly string[];
  /** Whether e-mail addresses and phone numbers go. Default true. */
  readonly pii?: boolean;
  /** How far rules look ahead, in UTF-16 units, from 2,048 up. A stream holds at most three and a half times as much. Default {@link DEFAULT_LOOKAHEAD}. */
  readonly lookahead?: number;
  /** Levels of a JSON value, at most 2,000. Default {@link DEFAULT_MAX_DEPTH}. */
  readonly maxDepth?: number;
}

interface ResolvedOptions {
  readonly names: readonly string[];
  readonly tokens: readonly { readonly prefix: string; readonly alphabet: TokenAlphabet; readonly min: number }[];
  readonly homes: readonly string[];
  readonly pii: boolean;
  readonly lookahead: number;
  readonly maxDepth: number;
}

const KNOWN: ReadonlySet<string> = new Set(['names', 'tokens', 'homes', 'pii', 'lookahead', 'maxDepth']);
const KINDS: readonly string[] = ['alphanumeric', 'word', 'dotted', 'hex', 'upper', 'lower'];
const MIN_LOOKAHEAD = 2048;
const MAX_LOOKAHEAD = 16_777_216;
const HIGHEST_DEPTH = 2000;

export function resolveOptions(options: RedactorOptions): ResolvedOptions {
  for (const name of Object.keys(options)) if (!KNOWN.has(name)) throw new TypeError(`there is no option ${name}`);
  const { names = [], tokens = [], homes = [], pii = true, lookahead = DEFAULT_LOOKAHEAD, maxDepth = DEFAULT_MAX_DEPTH } = options;
  if (typeof pii !== 'boolean') throw new TypeError('pii is true or false');
  integer('lookahead', lookahead, MIN_LOOKAHEAD, MAX_LOOKAHEAD);
  integer('maxDepth', maxDepth, 1, HIGHEST_DEPTH);
  const given: unknown = tokens;
  if (!Array.isArray(given) || given.some((token: unknown) => typeof token !== 'object' || token === null)) throw new TypeError('tokens is a list of objects');
  for (const [what, list] of [['names', names], ['homes', homes]] as const) {
    if (!Array.isArray(list) || list.some((item) => typeof item !== 'string')) throw new TypeError(`${what} is a list of texts`);
    if (list.some((item: string) => item.length > lookahead / 2)) throw new RangeError(`one of ${what} is longer than half of lookahead`);
  }
  return {
    names: [...names],
    homes: [...homes],
    pii,
    lookahead,
    maxDepth,
    tokens: tokens.map((token) => {
      const unknown = Object.keys(token).find((name) => !['prefix', 'alphabet', 'min'].includes(name));
      if (unknown !== undefined) throw new TypeError(`a token has no member ${unknown}`);
      const { prefix, alphabet = 'word', min = 16 } = token;
      if (typeof prefix !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9_.-]{2,63}$/.test(prefix)) throw new RangeError('a prefix has 3 to 64 letters, digits, dots, hyphens and underscores');
      if (!KINDS.includes(alphabet)) throw new RangeError('the alphabet of a token is one of ' + KINDS.join(', '));
      integer('min', min, Math.max(1, 14 - prefix.length), 1024);
      return { prefix, alphabet, min };
    }),
  };
}

function integer(name: string, value: number, lowest: number, highest: number): void {
  if (!Number.isSafeInteger(value) || value < lowest || value > highest) throw new RangeError(`${name} is an integer from ${lowest} to ${highest}`);
}
