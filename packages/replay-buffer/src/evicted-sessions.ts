import { comparePositions } from '@aepkit/envelope';
import { detached } from './held-text.js';
import { EVICTED_OVERHEAD_BYTES } from './overhead.js';
import type { Place } from './session-buffer.js';

interface EvictedSession {
  readonly bySource: Map<string, Place>;
  order: number;
}

/**
 * The highest positions of sessions that were evicted whole, so that a resume into one is marked and late Events of it are
 * not admitted (AEP-0003 §5). Bounded; the one that was evicted first is forgotten first.
 */
export class EvictedSessions {
  readonly #count: number;
  readonly #maxBytes: number;
  readonly #sessions = new Map<string, EvictedSession>();
  #size = 0;
  #bytes = 0;
  #forgottenOrder = 0;

  constructor(count: number, maxBytes: number) {
    this.#count = count;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The highest evicted position of one `(source, session)`. */
  get(session: string, source: string): Place | undefined {
    return this.#sessions.get(session)?.bySource.get(source);
  }

  /** Whether a position is remembered under this name. */
  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** The highest evicted positions under one session name. */
  places(session: string): Iterable<Place> {
    return this.#sessions.get(session)?.bySource.values() ?? [];
  }

  /** An order number that no evicted Event of the session exceeds. */
  order(session: string): number {
    return Math.max(this.#sessions.get(session)?.order ?? 0, this.#forgottenOrder);
  }

  /** The position is above any that is remembered: what is not would have been late. */
  remember(session: string, source: string, place: Place, order: number): void {
    const known = this.#sessions.get(session) ?? { bySource: new Map<string, Place>(), order: 0 };
    if (!known.bySource.has(source)) {
      this.#size += 1;
      this.#bytes += costOf(session, source);
    }
    known.bySource.set(detached(source), { epoch: place.epoch, seq: place.seq });
    known.order = Math.max(known.order, order);
    this.#sessions.delete(session);
    this.#sessions.set(detached(session), known);
    // One is kept even where its name alone is larger than the bound.
    while (this.#size > this.#count || (this.#bytes > this.#maxBytes && this.#size > 1)) this.#forgetFirst();
  }

  /** As {@link EvictedSessions.remember}, where the position may be below one that is remembered. */
  raise(session: string, source: string, place: Place): void {
    const known = this.get(session, source);
    if (known === undefined || comparePositions(known, place) < 0) this.remember(session, source, place, 0);
  }

  /** The session is held again, and its buffer keeps the position. */
  take(session: string, source: string): Place | undefined {
    const known = this.#sessions.get(session);
    const place = known?.bySource.get(source);
    if (known === undefined || place === undefined) return undefined;
    this.#drop(session, known, source);
    return place;
  }

  #forgetFirst(): void {
    for (const [session, known] of this.#sessions) {
      for (const source of known.bySource.keys()) {
        this.#forgottenOrder = Math.max(this.#forgottenOrder, known.order);
        this.#drop(session, known, source);
        return;
      }
    }
  }

  #drop(session: string, known: EvictedSession, source: string): void {
    known.bySource.delete(source);
    this.#size -= 1;
    this.#bytes -= costOf(session, source);
    if (known.bySource.size === 0) this.#sessions.delete(session);
  }
}

function costOf(session: string, source: string): number {
  return EVICTED_OVERHEAD_BYTES + 2 * (session.length + source.length);
}
