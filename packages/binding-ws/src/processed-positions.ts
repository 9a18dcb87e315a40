import { comparePositions, positionOf, sessionKey, type WireEvent } from '@aepkit/envelope';

import { SocketClientError } from './errors.js';
import type { PositionStore, SavedPosition } from './position-store.js';

/**
 * How far each session of each source has been processed: what outlives the program. Behind what was received by as much as waits to be
 * taken. Bounded: the pair that moved longest ago is forgotten first.
 */
export class ProcessedPositions {
  readonly #maxSessions: number;
  readonly #store: PositionStore | undefined;
  readonly #places = new Map<string, SavedPosition>();
  #changed = new Map<string, SavedPosition>();
  #saving: Promise<void> | undefined;
  #failure: SocketClientError | undefined;
  #told = false;

  constructor(maxSessions: number, store: PositionStore | undefined) {
    this.#maxSessions = maxSessions;
    this.#store = store;
  }

  /** What an earlier program saved. Rejects with `store-failed`. */
  async load(): Promise<readonly SavedPosition[]> {
    try {
      const saved = (await this.#store?.load()) ?? [];
      for (const position of saved) this.#put(position);
      return saved;
    } catch (cause) {
      throw new SocketClientError('store-failed', 'Positions could not be loaded.', { cause });
    }
  }

  /** The Event has been processed. Throws what saving failed with, once. */
  processed({ event }: WireEvent): void {
    const position = positionOf(event);
    if (position !== undefined) {
      const { session, epoch, seq } = position;
      const known = this.#places.get(sessionKey({ source: event.source, session }));
      // Late backfill moves nothing (AEP-0003 §7).
      if (known === undefined || comparePositions(known, position) < 0) {
        const saved = { source: event.source, session, epoch, seq };
        this.#put(saved);
        if (this.#store !== undefined) {
          this.#changed.set(sessionKey(saved), saved);
          this.#saving ??= this.#save();
        }
      }
    }
    this.#tell();
  }

  /** All of them. */
  list(): SavedPosition[] {
    return [...this.#places.values()];
  }

  /** Waits until everything is saved. Rejects with `store-failed`, unless that was told before. */
  async flush(): Promise<void> {
    await this.#saving;
    if (this.#failure === undefined) await this.#save();
    this.#tell();
  }

  #put(position: SavedPosition): void {
    const key = sessionKey(position);
    this.#places.delete(key);
    this.#places.set(key, position);
    if (this.#places.size <= this.#maxSessions) return;
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= this.#maxSessions) break;
      this.#places.delete(oldest);
    }
  }

  async #save(): Promise<void> {
    // What this turn changes goes into one call, and `#saving` is set before it can be cleared.
    await Promise.resolve();
    try {
      while (this.#changed.size > 0) {
        const changed = [...this.#changed.values()];
        this.#changed = new Map();
        await this.#store?.save(changed);
      }
    } catch (cause) {
      this.#failure ??= new SocketClientError('store-failed', 'Positions could not be saved.', { cause });
    } finally {
      this.#saving = undefined;
    }
  }

  #tell(): void {
    if (this.#failure === undefined || this.#told) return;
    this.#told = true;
    throw this.#failure;
  }
}
