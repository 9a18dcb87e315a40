import { Credit, type CreditOptions } from './credit.js';
import { DEFAULT_CONNECTION_LIMITS, resolveLimit } from './limits.js';
import { TopicFilterIndex, type TopicFilterEntry } from './topic-filter-index.js';
import { TopicFilter } from './topic-filter.js';
import { type Uint } from './uint.js';

/** A filter that one connection holds at one path. */
export interface HeldSubscription {
  readonly endpoint: string;
  readonly filter: TopicFilter;
  /** What a queue at the path may deliver; a publisher pays no heed to it. */
  readonly credit: Credit;
}

/** Options of {@link SubscriptionTable}. */
export interface SubscriptionTableOptions extends CreditOptions {
  /** Filters over all paths; `Infinity` for no bound. Default 256. */
  readonly maxSubscriptions?: number | undefined;
}

interface Path {
  readonly index: TopicFilterIndex<HeldSubscription>;
  readonly entries: Map<string, TopicFilterEntry<HeldSubscription>>;
}

/**
 * What one peer has subscribed to on one connection (weida §6.4, §6.6): recorded whether or not anything is registered at the
 * path, and gone with the connection. A grant that overtakes its SUBSCRIBE is kept for it, within the bound on filters (OPEN-17).
 */
export class SubscriptionTable {
  readonly #max: number;
  readonly #options: CreditOptions;
  readonly #paths = new Map<string, Path>();
  readonly #early = new Map<string, Uint>();
  #size = 0;

  constructor(options: SubscriptionTableOptions = {}) {
    this.#max = resolveLimit('maxSubscriptions', options.maxSubscriptions, DEFAULT_CONNECTION_LIMITS.maxSubscriptions);
    this.#options = options;
  }

  /** Filters held, over all paths. */
  get size(): number {
    return this.#size;
  }

  /**
   * A SUBSCRIBE came. `limit-exceeded` is one filter too many: close the connection with
   * `APPLICATION_CODE.limitExceeded`.
   */
  subscribe(endpoint: string, filter: string): 'added' | 'unchanged' | 'limit-exceeded' {
    const path = this.#paths.get(endpoint);
    if (path?.entries.has(filter) === true) return 'unchanged';
    if (this.#size >= this.#max) return 'limit-exceeded';
    const parsed = TopicFilter.parse(filter);
    const held: HeldSubscription = { endpoint, filter: parsed, credit: new Credit(this.#options) };
    const key = JSON.stringify([endpoint, filter]);
    const early = this.#early.get(key);
    if (early !== undefined) held.credit.grant(early);
    this.#early.delete(key);
    const at = path ?? { index: new TopicFilterIndex(), entries: new Map() };
    if (path === undefined) this.#paths.set(endpoint, at);
    at.entries.set(filter, at.index.add(parsed, held));
    this.#size++;
    return 'added';
  }

  /** An UNSUBSCRIBE came; false where there was nothing to end, which is no fault. */
  unsubscribe(endpoint: string, filter: string): boolean {
    this.#early.delete(JSON.stringify([endpoint, filter]));
    const path = this.#paths.get(endpoint);
    const entry = path?.entries.get(filter);
    if (path === undefined || entry === undefined) return false;
    path.index.delete(entry);
    path.entries.delete(filter);
    if (path.entries.size === 0) this.#paths.delete(endpoint);
    this.#size--;
    return true;
  }

  /** A CREDIT came, for a path with a queue; true where it raised the limit of a subscription. */
  grant(endpoint: string, filter: string, limit: Uint): boolean {
    const entry = this.#paths.get(endpoint)?.entries.get(filter);
    if (entry !== undefined) return entry.value.credit.grant(limit);
    const key = JSON.stringify([endpoint, filter]);
    const early = this.#early.get(key) ?? 0;
    if (limit > early) this.#early.set(key, limit);
    const [oldest] = this.#early.keys();
    if (this.#early.size > this.#max && oldest !== undefined) this.#early.delete(oldest);
    return false;
  }

  /** The subscriptions at a path that select a topic. A publisher sends one copy where there is any (OPEN-16). */
  match(endpoint: string, topic: string): HeldSubscription[] {
    return this.#paths.get(endpoint)?.index.match(topic) ?? [];
  }

  /** The connection is closed: nothing is left. */
  clear(): void {
    this.#paths.clear();
    this.#early.clear();
    this.#size = 0;
  }
}
