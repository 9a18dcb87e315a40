import type { Clock } from './clock.js';
import type { Deadline } from './deadlines.js';
import { compareDeliveryModes, strongestMode, type DeliveryMode } from './delivery-mode.js';
import type { StreamEntry } from './event-stream.js';
import type { ActiveSubscription } from './producer-subscription.js';
import { backoffMs, type RetryPolicy } from './retry-policy.js';
import type { WireError } from './wire-error.js';

/** An event that waits for its acknowledgement. */
export interface Pending {
  readonly entry: StreamEntry;
  mode: DeliveryMode;
  /** Those that it was delivered for. */
  readonly subscriptions: Set<ActiveSubscription>;
  /** Those among them that have acknowledged it before it came again for another one. */
  readonly settled: Set<ActiveSubscription>;
  /** How often it was delivered. */
  attempts: number;
  state: 'waiting' | 'acknowledged' | 'given-up';
  deadline: Deadline | undefined;
}

/** What the window asks of its owner. */
export interface WindowActions {
  /** Delivers again; false where the connection takes nothing at the moment. */
  redeliver(pending: Pending): boolean;
  /** Tells that an event will not come again. */
  deadLetter(pending: Pending, error: WireError | undefined): void;
}

/** Bounds of a window. */
export interface WindowBounds {
  readonly maxUnacknowledged: number;
  readonly maxUnacknowledgedBytes: number;
  readonly retry: Required<RetryPolicy>;
}

/**
 * The events of one session between the oldest unacknowledged one and the newest (C4, C5). What is acknowledged behind an older
 * one stays until that one is settled, so that the acknowledged cursor has no hole behind it and the whole is bounded.
 */
export class DeliveryWindow {
  readonly #bounds: WindowBounds;
  readonly #clock: Clock;
  readonly #actions: WindowActions;
  readonly #entries = new Map<string, Pending>();
  /** Due while the connection took nothing. */
  readonly #overdue = new Set<Pending>();
  #bytes = 0;

  constructor(bounds: WindowBounds, clock: Clock, actions: WindowActions) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#actions = actions;
  }

  get hasRoom(): boolean {
    const { maxUnacknowledged, maxUnacknowledgedBytes } = this.#bounds;
    return this.#entries.size < maxUnacknowledged && this.#bytes < maxUnacknowledgedBytes;
  }

  /** Events that one subscription waits for. */
  pendingOf(subscription: ActiveSubscription): number {
    let count = 0;
    for (const { state, subscriptions } of this.#entries.values()) if (state === 'waiting' && subscriptions.has(subscription)) count += 1;
    return count;
  }

  /** Remembers a delivery. */
  add(entry: StreamEntry, mode: DeliveryMode, subscriptions: readonly ActiveSubscription[]): void {
    const { id } = entry.message;
    const known = this.#entries.get(id);
    if (known !== undefined) {
      // The same event for another subscription, by its replay: one acknowledgement is enough for both.
      if (known.state === 'acknowledged') for (const subscription of known.subscriptions) known.settled.add(subscription);
      for (const subscription of subscriptions) known.subscriptions.add(subscription);
      if (compareDeliveryModes(known.mode, mode) < 0) known.mode = mode;
      if (known.state !== 'waiting') {
        known.state = 'waiting';
        known.attempts = 1;
        this.#arm(known);
      }
      return;
    }
    const pending: Pending = { entry, mode, subscriptions: new Set(subscriptions), settled: new Set(), attempts: 1, state: 'waiting', deadline: undefined };
    this.#entries.set(id, pending);
    this.#bytes += entry.bytes;
    this.#arm(pending);
  }

  /** `event.acknowledged` (C4). An id that nothing waits for is a late or double acknowledgement, and harmless. */
  acknowledge(id: string): void {
    const pending = this.#entries.get(id);
    if (pending?.state === 'waiting') this.#settle(pending, 'acknowledged');
  }

  /** `event.rejected` by the consumer: again after a while where that may help, else never. */
  reject(id: string, error: WireError): void {
    const pending = this.#entries.get(id);
    if (pending?.state !== 'waiting') return;
    this.#clock.cancel(pending.deadline);
    const { retry } = this.#bounds;
    if (!error.retryable || pending.attempts >= retry.maxAttempts) this.#giveUp(pending, error);
    else pending.deadline = this.#clock.at(this.#clock.now() + backoffMs(retry, pending.attempts), () => this.#due(pending));
  }

  /** Waits no longer on behalf of a subscription that ended. */
  forget(subscription: ActiveSubscription): void {
    for (const pending of this.#entries.values()) {
      pending.settled.delete(subscription);
      if (!pending.subscriptions.delete(subscription) || pending.state !== 'waiting') continue;
      // Delivered again, it has the mode of those that are left (§4).
      if (pending.subscriptions.size > 0) pending.mode = strongestMode([...pending.subscriptions].map(({ mode }) => mode));
      else this.#leave(pending, 'given-up');
    }
    this.#shift();
  }

  /** The connection takes more: delivers again what was due meanwhile. */
  drained(): void {
    for (const pending of [...this.#overdue]) {
      if (!this.#actions.redeliver(pending)) return;
      this.#again(pending);
    }
  }

  clear(): void {
    for (const { deadline } of this.#entries.values()) this.#clock.cancel(deadline);
    this.#entries.clear();
    this.#overdue.clear();
    this.#bytes = 0;
  }

  #arm(pending: Pending): void {
    const { ackTimeoutMs, maxAttempts } = this.#bounds.retry;
    const wait = pending.attempts < maxAttempts ? backoffMs(this.#bounds.retry, pending.attempts) : 0;
    pending.deadline = this.#clock.at(this.#clock.now() + ackTimeoutMs + wait, () => this.#due(pending));
  }

  #due(pending: Pending): void {
    if (pending.attempts >= this.#bounds.retry.maxAttempts) this.#giveUp(pending, undefined);
    else if (this.#actions.redeliver(pending)) this.#again(pending);
    else this.#overdue.add(pending);
  }

  #again(pending: Pending): void {
    this.#overdue.delete(pending);
    // A transport in the same process may have brought the acknowledgement already.
    if (pending.state !== 'waiting') return;
    pending.attempts += 1;
    this.#arm(pending);
  }

  #giveUp(pending: Pending, error: WireError | undefined): void {
    this.#actions.deadLetter(pending, error);
    this.#settle(pending, 'given-up');
  }

  #settle(pending: Pending, state: 'acknowledged' | 'given-up'): void {
    this.#leave(pending, state);
    this.#shift();
  }

  #leave(pending: Pending, state: 'acknowledged' | 'given-up'): void {
    pending.state = state;
    this.#clock.cancel(pending.deadline);
    pending.deadline = undefined;
    this.#overdue.delete(pending);
  }

  #shift(): void {
    for (const [id, pending] of this.#entries) {
      if (pending.state === 'waiting') return;
      this.#entries.delete(id);
      this.#bytes -= pending.entry.bytes;
      for (const subscription of pending.state === 'acknowledged' ? pending.subscriptions : pending.settled) subscription.acknowledgedCursor = pending.entry.cursor;
    }
  }
}
