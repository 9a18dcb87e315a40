import type { TrackedSubscription } from './consumer-subscription.js';
import type { Message } from './message.js';

/** The subscriptions of a consumer that are not over for good, in the order in which they were asked for. */
export class SubscriptionRoster implements Iterable<TrackedSubscription> {
  readonly #all = new Set<TrackedSubscription>();

  [Symbol.iterator](): IterableIterator<TrackedSubscription> {
    return this.#all.values();
  }

  add(subscription: TrackedSubscription): void {
    this.#all.add(subscription);
  }

  delete(subscription: TrackedSubscription): void {
    this.#all.delete(subscription);
  }

  /** The one that an answer is about: answers name their request (S-O20). */
  requested({ causation_id: requestId }: Message): TrackedSubscription | undefined {
    return this.find((one) => requestId !== undefined && one.requestId === requestId && one.id === undefined);
  }

  withId(id: string | undefined): TrackedSubscription | undefined {
    return this.find((one) => id !== undefined && one.id === id);
  }

  find(wanted: (one: TrackedSubscription) => boolean): TrackedSubscription | undefined {
    for (const subscription of this.#all) if (wanted(subscription)) return subscription;
    return undefined;
  }

  /** The active ones whose filters an event matches. */
  matching(message: Message): TrackedSubscription[] {
    return [...this.#all].filter(({ state, filter }) => state === 'active' && filter.matches(message));
  }

  /** The session is over, and all of them with it (§6); those that are not final wait for the next one. */
  endSession(): void {
    for (const subscription of this.#all) {
      subscription.id = undefined;
      subscription.requestId = undefined;
      if (subscription.isFinal) this.#all.delete(subscription);
      else subscription.state = 'ended';
    }
  }
}
