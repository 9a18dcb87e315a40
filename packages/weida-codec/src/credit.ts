import { DEFAULT_BROKER_LIMITS, resolveLimit } from './limits.js';
import { isUint, type Uint } from './uint.js';

/** Options of {@link Credit}. */
export interface CreditOptions {
  /** Deliveries without an outcome at a time; `Infinity` for no bound. Default 256. */
  readonly maxUnsettled?: number | undefined;
}

/**
 * The credit of one subscription (weida §6.6): an absolute, cumulative limit that only rises, and a bound on what is
 * unsettled. A repeated, an overtaken and a lower grant change nothing. Starts at 0: nothing is delivered.
 */
export class Credit {
  readonly #maxUnsettled: number;
  #limit: Uint = 0;
  #delivered = 0;
  #unsettled = 0;

  constructor(options: CreditOptions = {}) {
    this.#maxUnsettled = resolveLimit('maxUnsettled', options.maxUnsettled, DEFAULT_BROKER_LIMITS.maxUnsettled);
  }

  /** The standing limit. */
  get limit(): Uint {
    return this.#limit;
  }

  /** Messages delivered since the subscription began. */
  get delivered(): number {
    return this.#delivered;
  }

  /** Deliveries without an outcome. */
  get unsettled(): number {
    return this.#unsettled;
  }

  /** Whether {@link deliver} would succeed. */
  get available(): boolean {
    return this.#delivered < this.#limit && this.#unsettled < this.#maxUnsettled;
  }

  /** A CREDIT frame came; true where it raised the limit. Throws a `RangeError` for what is no {@link Uint}. */
  grant(limit: Uint): boolean {
    if (!isUint(limit)) throw new RangeError('a limit is an unsigned integer of 64 bits');
    if (!(limit > this.#limit)) return false;
    this.#limit = limit;
    return true;
  }

  /** Counts a delivery; false, and nothing counted, where there is no credit left for it. */
  deliver(): boolean {
    if (!this.available) return false;
    this.#delivered++;
    this.#unsettled++;
    return true;
  }

  /** A delivery has its outcome; false where none is open. What settles is a record of level Processed on its cursor. */
  settle(): boolean {
    if (this.#unsettled === 0) return false;
    this.#unsettled--;
    return true;
  }
}
