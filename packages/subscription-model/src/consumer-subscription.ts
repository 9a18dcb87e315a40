import type { DeliveryMode } from './delivery-mode.js';
import type { Filter } from './filter.js';
import type { Message } from './message.js';

/**
 * Where a subscription stands at its consumer (§3). `waiting`: not yet asked for, since the session is not ready. `ended`: with its
 * session; asked for again by the next one. `rejected`, `cancelled` and `expired` are final.
 */
export type ConsumerSubscriptionState = 'waiting' | 'requested' | 'active' | 'rejected' | 'cancelled' | 'expired' | 'ended';

interface Tracked {
  readonly cursor: string;
  done: boolean;
}

/** One subscription of a consumer. Made by `SubscriptionConsumer.subscribe`. */
export interface ConsumerSubscription {
  readonly filter: Filter;
  readonly state: ConsumerSubscriptionState;
  /** Given by the producer, within one session (§6). */
  readonly id: string | undefined;
  /** The mode the producer announced; what counts is the one on each event (§4). */
  readonly mode: DeliveryMode | undefined;
  /**
   * Where to go on after a restart (§5, C6): behind the last event that was processed with everything before it. `undefined` where the
   * transport has no cursors, or nothing is known yet.
   */
  readonly cursor: string | undefined;
}

/** A {@link ConsumerSubscription} as its consumer changes it. */
export class TrackedSubscription implements ConsumerSubscription {
  readonly filter: Filter;
  state: ConsumerSubscriptionState = 'waiting';
  id: string | undefined;
  mode: DeliveryMode | undefined;
  requestId: string | undefined;
  /** Asked for before, in a session that ended. */
  resumed = false;
  /** It was active once. */
  established = false;
  /** Asked for again without a cursor although events may have passed meanwhile. */
  gap = false;
  readonly #tracked = new Map<string, Tracked>();
  #cursor: string | undefined;
  #sequence = -1;
  readonly #maxTracked: number;
  /** Events came that are not tracked: until it is asked for again, the cursor stays ahead of the first of them. */
  #overflown = false;

  constructor(filter: Filter, maxTracked: number) {
    this.filter = filter;
    this.#maxTracked = maxTracked;
    this.#cursor = filter.fromCursor;
  }

  get cursor(): string | undefined {
    return this.#cursor;
  }

  get isFinal(): boolean {
    return this.state === 'rejected' || this.state === 'cancelled' || this.state === 'expired';
  }

  /** Where live delivery starts. */
  startAt(cursor: string | undefined): void {
    this.#overflown = false;
    this.#cursor ??= cursor;
  }

  /** An event was given out. What is older than the newest one belongs to the replay of another subscription. */
  given({ id, delivery }: Message, done: boolean): void {
    if (this.#tracked.has(id)) {
      if (done) this.settled(id);
      return;
    }
    const { sequence, cursor } = delivery ?? {};
    // What has no cursor cannot be asked for again, and may have come ahead of what can.
    if (cursor === undefined) return;
    this.#overflown ||= this.#tracked.size >= this.#maxTracked;
    if (this.#overflown) return;
    if (sequence !== undefined && sequence < this.#sequence) return;
    this.#sequence = sequence ?? this.#sequence;
    this.#tracked.set(id, { cursor, done });
    this.#shift();
  }

  /** An event is processed, or will never be. */
  settled(id: string): void {
    const tracked = this.#tracked.get(id);
    if (tracked === undefined) return;
    tracked.done = true;
    this.#shift();
  }

  #shift(): void {
    for (const [id, { cursor, done }] of this.#tracked) {
      if (!done) return;
      this.#tracked.delete(id);
      this.#cursor = cursor;
    }
  }
}
