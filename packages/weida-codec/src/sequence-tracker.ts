import { DEFAULT_CONNECTION_LIMITS, resolveLimit } from './limits.js';
import { type Agreed } from './negotiate.js';
import { isUint, plainUint, type Uint } from './uint.js';

/** What a sequence number says. */
export type SequenceVerdict =
  /** The next one, or the first of its scope, which is the base. */
  | { readonly type: 'next' }
  /** So many numbers were passed over; they may still come. */
  | { readonly type: 'gap'; readonly missing: Uint }
  /** At or below one that was seen: late, or a copy. */
  | { readonly type: 'late' }
  /** No order per producer was negotiated, or there is no number: it says nothing. */
  | { readonly type: 'ignored' }
  /** One scope more than are followed. */
  | { readonly type: 'untracked' };

/** Options of {@link SequenceTracker}. */
export interface SequenceTrackerOptions {
  /** Scopes followed on one connection; `Infinity` for no bound. Default 1024. */
  readonly maxScopes?: number | undefined;
}

/**
 * Finds gaps in the numbers of each scope, a path or a topic (weida §6.2, `ordering` 1). A gap is news, never an error: messages
 * are not promised in order.
 */
export class SequenceTracker {
  readonly #numbered: boolean;
  readonly #maxScopes: number;
  readonly #highest = new Map<string, Uint>();

  constructor(agreed: Agreed, options: SequenceTrackerOptions = {}) {
    const { ordering } = agreed.guarantees;
    this.#numbered = ordering === 1 || ordering === 2;
    this.#maxScopes = resolveLimit('maxScopes', options.maxScopes, DEFAULT_CONNECTION_LIMITS.maxSequenceScopes);
  }

  /** Scopes that are followed. */
  get scopes(): number {
    return this.#highest.size;
  }

  /** Judges the number of a message that came. */
  observe(scope: string, sequence: Uint | undefined): SequenceVerdict {
    if (!this.#numbered || sequence === undefined || !isUint(sequence)) return { type: 'ignored' };
    const highest = this.#highest.get(scope);
    if (highest === undefined && this.#highest.size >= this.#maxScopes) return { type: 'untracked' };
    if (highest !== undefined && sequence <= highest) return { type: 'late' };
    this.#highest.set(scope, sequence);
    if (highest === undefined) return { type: 'next' };
    const missing = BigInt(sequence) - BigInt(highest) - 1n;
    if (missing === 0n) return { type: 'next' };
    return { type: 'gap', missing: plainUint(missing) };
  }
}
