import type { Filter, IndexEntry } from '@aepkit/attr-match';
import { CAPTURES, captureRank } from '@aepkit/envelope';
import type { Subscription } from './connection.js';
import type { Ceiling, LogMark } from './contracts.js';
import type { Addressee } from './fanout.js';

/** Ceilings by rank, narrowest first; the last is "as stored". */
export const CEILINGS: readonly Ceiling[] = [...CAPTURES, undefined];

/** What makes a {@link LiveSubscription}. */
export interface SubscriptionInit {
  readonly id: string;
  readonly filter: Filter;
  readonly ceiling: Ceiling;
  readonly live: boolean;
  /** The mark of the hub in the turn that registered it: what it gets live lies behind. */
  readonly since: LogMark;
  readonly addressee: Addressee;
}

/** A subscription as the hub keeps it. */
export class LiveSubscription implements Subscription {
  readonly addressee: Addressee;
  /** Index into {@link CEILINGS}. */
  readonly rank: number;
  closed = false;
  readonly id: string;
  readonly filter: Filter;
  readonly live: boolean;
  readonly since: LogMark;
  readonly done: Promise<void>;
  entry: IndexEntry<LiveSubscription> | undefined;
  readonly #settle: () => void;

  constructor(init: SubscriptionInit) {
    this.addressee = init.addressee;
    this.rank = init.ceiling === undefined ? CAPTURES.length : captureRank(init.ceiling);
    this.id = init.id;
    this.filter = init.filter;
    this.live = init.live;
    this.since = init.since;
    let settle = (): void => undefined;
    this.done = new Promise<void>((resolve) => (settle = resolve));
    this.#settle = settle;
  }

  /** Marks it as over and settles `done`. */
  end(): void {
    this.closed = true;
    this.#settle();
  }
}
