import { comparePositions, positionOf, sessionKey, type WireEvent } from '@aepkit/envelope';

import { FifoMap } from './fifo-map.js';
import { DEFAULT_MAX_SESSIONS } from './memory.js';
import type { SavedPosition } from './position-store.js';

/**
 * How far each session of each source has been processed, for a client that holds what it received until it is taken: there {@link Memory}
 * says what was received, and this is what outlives the program. Bounded: the pair that moved longest ago is forgotten first.
 */
export class ProcessedPositions {
  readonly #places: FifoMap<SavedPosition>;
  readonly #changed = new Map<string, SavedPosition>();

  constructor(maxSessions: number = DEFAULT_MAX_SESSIONS) {
    this.#places = new FifoMap(maxSessions, (gone) => void this.#changed.delete(sessionKey(gone)));
  }

  /** Takes what an earlier run saved. */
  restore(saved: readonly SavedPosition[]): void {
    for (const position of saved) this.#places.set(sessionKey(position), position);
  }

  /** The Event has been processed. */
  processed({ event }: WireEvent): void {
    const position = positionOf(event);
    if (position === undefined) return;
    const { session, epoch, seq } = position;
    const saved = { source: event.source, session, epoch, seq };
    const key = sessionKey(saved);
    const known = this.#places.get(key);
    // Late backfill moves nothing (AEP-0003 §7).
    if (known !== undefined && comparePositions(known, position) >= 0) return;
    this.#changed.set(key, saved);
    this.#places.set(key, saved);
  }

  /** All of them. */
  list(): SavedPosition[] {
    return this.#places.values();
  }

  /** What has moved since the last call. */
  takeChanged(): SavedPosition[] {
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return changed;
  }
}
