import { decodeUtf8 } from '@aepkit/envelope';

import type { ConsumerItem } from './consumer-item.js';
import { isDeliveryMode } from './delivery-mode.js';
import type { Message } from './message.js';
import { SeenEvents } from './seen-events.js';
import type { SubscriptionRoster } from './subscription-roster.js';

/** What becomes of an event that comes in. */
export interface Taken {
  readonly item: ConsumerItem;
  /** Whether it is acknowledged at once. */
  readonly acknowledge: boolean;
}

/** Decides for each event whether it is given out: once, for active subscriptions, and no more than can be held (C4). */
export class EventIntake {
  readonly #subscriptions: SubscriptionRoster;
  readonly #seen: SeenEvents;
  readonly #maxPending: number;

  constructor(subscriptions: SubscriptionRoster, bounds: { readonly maxRemembered: number; readonly maxPending: number }) {
    this.#subscriptions = subscriptions;
    this.#seen = new SeenEvents(bounds.maxRemembered);
    this.#maxPending = bounds.maxPending;
  }

  take(message: Message, input: string | Uint8Array): Taken {
    const mode = isDeliveryMode(message.delivery?.mode) ? message.delivery.mode : 'best_effort';
    const expectsAck = mode !== 'best_effort';
    const seen = this.#seen.get(message.id);
    const subscriptions = this.#subscriptions.matching(message);
    if (seen !== undefined) {
      // It may be the first copy for one of them: its cursor has to pass the event all the same.
      for (const subscription of subscriptions) subscription.given(message, seen === 'done');
      return { item: { type: 'duplicate', message }, acknowledge: expectsAck && seen === 'done' };
    }
    if (subscriptions.length === 0) return { item: { type: 'late', message }, acknowledge: expectsAck };
    const postponed = expectsAck && this.#seen.pending >= this.#maxPending;
    for (const subscription of subscriptions) subscription.given(message, !expectsAck);
    if (postponed) return { item: { type: 'postponed', message }, acknowledge: false };
    this.#seen.set(message.id, expectsAck ? 'given' : 'done');
    const text = typeof input === 'string' ? input : decodeUtf8(input);
    return { item: { type: 'event', message, text, subscriptions, mode, cursor: message.delivery?.cursor }, acknowledge: false };
  }

  /** An event is processed. */
  processed(id: string): void {
    if (this.#seen.get(id) !== 'done') this.#seen.set(id, 'done');
    for (const subscription of this.#subscriptions) subscription.settled(id);
  }

  /** An event was refused, and may come again. */
  refused(id: string): void {
    this.#seen.forget(id);
  }
}
