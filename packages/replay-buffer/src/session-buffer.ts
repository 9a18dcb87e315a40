import { comparePositions, type AepEvent } from '@aepkit/envelope';
import type { Anchor } from './foreign-event.js';
import type { HeldEvent, Owner } from './held-event.js';
import { SESSION_OVERHEAD_BYTES } from './overhead.js';
import { comparePlaces } from './place.js';
import { SortedList } from './sorted-list.js';

/** A position whose session goes without saying. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** Every buffer of one session name (AEP-0001 §4.1: sources that share a name own different sessions). */
export interface SessionGroup {
  readonly name: string;
  readonly buffers: Map<string, SessionBuffer>;
  /** Highest order number that was evicted under this name; 0: none. */
  evictedOrder: number;
}

/** What is held of one `(source, session)`. Never empty. */
export class SessionBuffer {
  readonly group: SessionGroup;
  readonly source: string;
  readonly owner: Owner;
  readonly events: SortedList<HeldEvent> = new SortedList<HeldEvent>(comparePlaces);
  readonly anchors: SortedList<Anchor> = new SortedList<Anchor>(comparePlaces);
  /** Neighbours by recency of the last write. */
  older: SessionBuffer | undefined;
  newer: SessionBuffer | undefined;
  #evictedTo: Place | undefined;
  readonly #startKnown: boolean;

  constructor(group: SessionGroup, owner: Owner, evictedTo: Place | undefined, first: AepEvent, place: Place) {
    this.group = group;
    this.source = owner.source;
    this.owner = owner;
    this.older = undefined;
    this.newer = undefined;
    this.#evictedTo = evictedTo;
    // The start counts as known where the first Event ever admitted is one that nothing can precede (AEP-0003 §5).
    this.#startKnown = first.type === 'session.started' || (place.epoch === 0 && place.seq === 0);
  }

  get evictedTo(): Place | undefined {
    return this.#evictedTo;
  }

  /** Bytes counted for the buffer itself. */
  get bytes(): number {
    return sessionBytes(this.group.name, this.source);
  }

  /** Positions up to this one are gone, or are not served; `earliest` only ever moves up. */
  raiseEvicted(place: Place): void {
    if (this.#evictedTo === undefined || comparePositions(place, this.#evictedTo) > 0) {
      this.#evictedTo = { epoch: place.epoch, seq: place.seq };
    }
  }

  /**
   * Whether Events behind a position are missing: it is older than what was evicted; or, where we cannot know what came
   * ahead of the earliest held Event, it does not directly precede that one.
   */
  predates(place: Place): boolean {
    if (this.#evictedTo !== undefined) return comparePositions(place, this.#evictedTo) < 0;
    const { first } = this.events;
    return !this.#startKnown && first !== undefined && comparePositions(place, first) < 0 && !precedes(place, first);
  }
}

/** Bytes counted for one `(source, session)`. */
export function sessionBytes(session: string, source: string): number {
  return SESSION_OVERHEAD_BYTES + 2 * (session.length + source.length);
}

function precedes(a: Place, b: Place): boolean {
  return a.epoch === b.epoch && a.seq + 1 === b.seq;
}

