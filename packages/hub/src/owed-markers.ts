import { positionOf, type WireEvent } from '@aepkit/envelope';
import type { Exhausted } from './contracts.js';
import type { LiveSubscription } from './subscription.js';

/** A marker whose session has begun again. */
export interface DueMarker {
  readonly marker: Exhausted;
  readonly subscription: LiveSubscription;
}

/**
 * Markers of sessions that were evicted whole: there was no earliest position to name when the replay ran. Each is sent
 * ahead of the next Event of its session, with that Event's position; the gap would pass unseen otherwise (AEP-0003 §5).
 */
export class OwedMarkers {
  readonly #bySession = new Map<string, Set<LiveSubscription>>();

  get empty(): boolean {
    return this.#bySession.size === 0;
  }

  add(session: string, subscription: LiveSubscription): void {
    const known = this.#bySession.get(session);
    if (known === undefined) this.#bySession.set(session, new Set([subscription]));
    else known.add(subscription);
  }

  /** What has to go out ahead of these Events; forgets it. */
  due(events: Iterable<WireEvent>): readonly DueMarker[] {
    const due: DueMarker[] = [];
    for (const { event } of events) {
      if (this.#bySession.size === 0) break;
      const position = positionOf(event);
      const waiting = position === undefined ? undefined : this.#bySession.get(position.session);
      if (position === undefined || waiting === undefined) continue;
      this.#bySession.delete(position.session);
      for (const subscription of waiting) due.push({ marker: position, subscription });
    }
    return due;
  }

  /** A subscription ended. */
  remove(subscription: LiveSubscription): void {
    for (const [session, waiting] of this.#bySession) {
      waiting.delete(subscription);
      if (waiting.size === 0) this.#bySession.delete(session);
    }
  }
}
