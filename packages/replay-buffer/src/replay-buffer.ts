import { comparePositions, type Position, type WireEvent } from '@aepkit/envelope';
import { Chunk } from './chunk.js';
import { resolveOptions, type ReplayBufferOptions, type ResolvedOptions } from './options.js';
import { replayLog } from './replay-log.js';
import type { Admission, Replayed, ReplayFrom, ReplayHint } from './replayed.js';
import { replaySessions, type SessionStart } from './replay-sessions.js';
import type { Place } from './session-buffer.js';
import { Store } from './store.js';

/** How full a {@link ReplayBuffer} is. */
export interface ReplayBufferStats {
  /** Sessions held, counted per `(source, session)`. */
  readonly sessions: number;
  /** Events held, foreign-emitter Events included. */
  readonly events: number;
  /** Bytes counted, those of the memory of evicted sessions included. */
  readonly bytes: number;
  /** Events evicted since the start. */
  readonly evicted: number;
}

/**
 * A bounded history of sessions (AEP-0003 §5), per `(source, session)` by position. Synchronous and without I/O.
 *
 * Eviction takes the lowest position of a session where its depth is exceeded, and the session that was written longest
 * ago, whole, where there are too many sessions or bytes; in bytes the session being written loses its lowest Events when
 * it is the last one left.
 *
 * @throws RangeError at construction, for a bound that is no whole number and not `Infinity`.
 * @example
 * const buffer = new ReplayBuffer({ perSession: 1000 });
 * buffer.admit(wire);
 * for (const chunk of buffer.replay({ positions: [{ session: 's1', epoch: 0, seq: 7 }] }, buffer.order)) send(chunk);
 */
export class ReplayBuffer {
  readonly #options: ResolvedOptions;
  readonly #store: Store;

  constructor(options: ReplayBufferOptions = {}) {
    this.#options = resolveOptions(options);
    this.#store = new Store(this.#options);
  }

  /** Replay depth per session, in Events; what `replay.buffer` advertises. */
  get perSession(): number {
    return this.#options.perSession;
  }

  /** The highest order number given so far; 0 at the start. Each admitted Event gets the next one. */
  get order(): number {
    return this.#store.order;
  }

  /** Takes an Event into the history, or says why not. The Event is one that `parseEvent` or `wireEvent` made. */
  admit(wire: WireEvent): Admission {
    return this.#store.admit(wire);
  }

  /**
   * Reads held Events in chunks, up to an order number: what is admitted behind it is not given out. Writers may write
   * between two chunks. Every session that was named, and for `all` every one that was held, gets a `session-end`; a
   * replay in order of admission has neither markers nor ends.
   *
   * @param hint sessions outside it give no Events and no markers
   * @throws ReplayEvictedError from the iterator, where an Event ahead of it was evicted between two chunks
   */
  replay(from: ReplayFrom, upTo: number, hint: ReplayHint = {}): Generator<readonly Replayed[], void, void> {
    const { sessions } = hint;
    const chunk = new Chunk(this.#options.chunk, this.#options.chunkText);
    const bound = Math.min(upTo, this.order);
    if (from === 'all') return replaySessions(this.#store, this.#heldSessions(sessions), bound, sessions, chunk);
    if ('after' in from) return replayLog(this.#store, from.after, bound, sessions, chunk);
    return replaySessions(this.#store, lowestPositions(from.positions), bound, sessions, chunk);
  }

  /**
   * Takes note that Events of a session ahead of a position are missing, as an endpoint says that this buffer is filled from (AEP-0003 §5):
   * whatever is below counts as evicted, held or not, so that a resume from there gets its marker.
   */
  missed({ session, epoch, seq }: Position): void {
    this.#store.missed(session, { epoch, seq });
  }

  stats(): ReplayBufferStats {
    const { recency, log, bytes, evictedEvents } = this.#store;
    return { sessions: recency.size, events: log.size, bytes, evicted: evictedEvents };
  }

  /** Those that go first come first, so that least is lost to eviction meanwhile. */
  #heldSessions(wanted: ReadonlySet<string> | undefined): Iterable<SessionStart> {
    const names = new Set<string>();
    for (const { group } of this.#store.recency) if (wanted === undefined || wanted.has(group.name)) names.add(group.name);
    return [...names].map((name) => [name, undefined] as const);
  }
}

/** A session that is named twice is resumed from the lower position. */
function lowestPositions(positions: readonly ({ readonly session: string } & Place)[]): Iterable<SessionStart> {
  const lowest = new Map<string, Place>();
  for (const position of positions) {
    const known = lowest.get(position.session);
    if (known === undefined || comparePositions(position, known) < 0) lowest.set(position.session, position);
  }
  return lowest;
}
