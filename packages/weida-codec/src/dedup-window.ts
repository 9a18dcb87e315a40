import { DEFAULT_CONNECTION_LIMITS, resolveLimit } from './limits.js';

/** Options of {@link DedupWindow}. */
export interface DedupWindowOptions {
  /** How long an identity is remembered, in milliseconds: the agreed `dedupWindowMs`. */
  readonly windowMs: number;
  /** Identities remembered; the oldest goes first; `Infinity` for no bound. Default 4096. */
  readonly maxEntries?: number | undefined;
  /** Milliseconds that never go back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** The identities of the messages of a connection, for `deduplication` 1 (weida §10). */
export class DedupWindow {
  readonly #windowMs: number;
  readonly #maxEntries: number;
  readonly #now: () => number;
  /** When each was first seen, oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(options: DedupWindowOptions) {
    if (!(options.windowMs >= 0)) throw new RangeError('windowMs must not be negative');
    this.#windowMs = options.windowMs;
    this.#maxEntries = resolveLimit('maxEntries', options.maxEntries, DEFAULT_CONNECTION_LIMITS.maxDedupEntries);
    this.#now = options.now ?? (() => performance.now());
  }

  /** Identities that are remembered. */
  get size(): number {
    return this.#seen.size;
  }

  /** Whether the identity is new; it is remembered from now on. */
  admit(identity: string): boolean {
    const now = this.#now();
    for (const [old, since] of this.#seen) {
      if (now - since < this.#windowMs) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(identity)) return false;
    this.#seen.set(identity, now);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > this.#maxEntries && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}
