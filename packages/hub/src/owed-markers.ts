import { comparePositions, positionOf, type AepEvent, type WireEvent } from '@aepkit/envelope';
import type { Exhausted } from './contracts.js';
import type { LiveSubscription } from './subscription.js';

/** A marker whose session has begun again. */
export interface DueMarker {
  readonly marker: Exhausted;
  readonly subscription: LiveSubscription;
}

interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** What a marker waits for, besides an Event of its session. */
export interface Debt {
  /** The Event stands at or behind this position: those ahead of it came before the loss. */
  readonly from?: Place;
  /** Nothing was known of the session when the consumer came back to this position: the Event shows whether any is missing. */
  readonly behind?: Place;
}

/** Most sessions that are owed a marker. */
export const MAX_OWED_SESSIONS = 20_000;
/** Most UTF-16 units of their names. */
export const MAX_OWED_LENGTH: number = 8 * 1024 * 1024;

/**
 * Markers of which there was no earliest position to name when they fell due. Each is sent ahead of the next Event of its session, with that
 * Event's position; the gap would pass unseen otherwise (AEP-0003 §5).
 */
export class OwedMarkers {
  readonly #bySession = new Map<string, Map<LiveSubscription, Debt>>();
  readonly #maxDoubts: number;
  /** UTF-16 units of the names of the sessions. */
  #length = 0;
  #doubts = 0;

  /** @param maxDoubts sessions nothing is known of, which a consumer can name at will; beyond it they are let go */
  constructor(maxDoubts: number) {
    this.#maxDoubts = maxDoubts;
  }

  get empty(): boolean {
    return this.#bySession.size === 0;
  }

  /** `false`: there is no room, so that a loss could pass unseen. An endpoint in front can name sessions without end. */
  add(session: string, subscription: LiveSubscription, debt: Debt = {}): boolean {
    const waiting = this.#bySession.get(session);
    const known = waiting?.get(subscription);
    if (debt.behind !== undefined) {
      if (known !== undefined || this.#doubts >= this.#maxDoubts) return true;
    } else if (known?.behind === undefined && known !== undefined && isEarlier(known.from, debt.from)) {
      // The earlier loss comes first, and its marker tells of the later one as well.
      return true;
    }
    if (waiting === undefined && (this.#bySession.size >= MAX_OWED_SESSIONS || this.#length + session.length > MAX_OWED_LENGTH)) return debt.behind !== undefined;
    if (debt.behind !== undefined) this.#doubts++;
    else if (known?.behind !== undefined) this.#doubts--;
    if (waiting === undefined) {
      this.#bySession.set(session, new Map([[subscription, debt]]));
      this.#length += session.length;
    } else waiting.set(subscription, debt);
    return true;
  }

  /** What has to go out ahead of these Events; forgets it. */
  due(events: Iterable<WireEvent>): readonly DueMarker[] {
    const due: DueMarker[] = [];
    for (const { event } of events) {
      if (this.#bySession.size === 0) break;
      const position = positionOf(event);
      const waiting = position === undefined ? undefined : this.#bySession.get(position.session);
      if (position === undefined || waiting === undefined) continue;
      for (const [subscription, { from, behind }] of waiting) {
        if (from !== undefined && comparePositions(position, from) < 0) continue;
        waiting.delete(subscription);
        if (behind !== undefined) this.#doubts--;
        if (behind === undefined || isMissing(event, position, behind)) due.push({ marker: position, subscription });
      }
      if (waiting.size === 0) this.#forget(position.session);
    }
    return due;
  }

  /** A subscription ended. */
  remove(subscription: LiveSubscription): void {
    for (const [session, waiting] of this.#bySession) {
      if (waiting.get(subscription)?.behind !== undefined) this.#doubts--;
      waiting.delete(subscription);
      if (waiting.size === 0) this.#forget(session);
    }
  }

  #forget(session: string): void {
    if (this.#bySession.delete(session)) this.#length -= session.length;
  }
}

function isEarlier(known: Place | undefined, other: Place | undefined): boolean {
  return known === undefined || (other !== undefined && comparePositions(known, other) <= 0);
}

/** Whether Events are missing between a position and the first Event that is heard of. */
function isMissing({ type }: AepEvent, { epoch, seq }: Place, behind: Place): boolean {
  if (type === 'session.started' || (epoch === 0 && seq === 0)) return false;
  if (comparePositions({ epoch, seq }, behind) <= 0) return false;
  return !(epoch === behind.epoch && seq === behind.seq + 1);
}
