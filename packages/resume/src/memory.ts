import { captureOf, captureRank, comparePositions, dedupeKey, positionOf, sessionKey, type Position, type WireEvent } from '@aepkit/envelope';

import { FifoMap } from './fifo-map.js';
import type { SavedPosition } from './position-store.js';
import type { ResumeMode } from './resume-item.js';

/** `(source, id)` pairs that are remembered to drop repeats. */
export const DEFAULT_MAX_SEEN = 50_000;
/** `(source, session)` pairs whose position is remembered. */
export const DEFAULT_MAX_SESSIONS = 10_000;

/** What {@link Memory} takes. `Infinity` switches a bound off. */
export interface MemoryOptions {
  /** `(source, id)` pairs; of Events without a position, as many again. Default {@link DEFAULT_MAX_SEEN}. */
  readonly maxSeen?: number;
  /** `(source, session)` pairs. Default {@link DEFAULT_MAX_SESSIONS}. */
  readonly maxSessions?: number;
}

/**
 * What a consumer makes of an Event that came in. `redelivered`: it was had before, and no replay brings it again, so that its emitter has
 * sent it again; `duplicate`: it was had before, as the replay of this connection may bring it.
 */
export type Verdict = 'new' | 'replaces' | 'redelivered' | 'duplicate';

/** Events between two places of one session that a replay of everything did not bring. */
export interface Missing {
  readonly source: string;
  readonly session: string;
  readonly after: { readonly epoch: number; readonly seq: number };
  readonly earliest: { readonly epoch: number; readonly seq: number };
}

interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** How far one session of one source is. */
interface Track {
  readonly source: string;
  readonly session: string;
  /** The highest position that was received. */
  high: Place;
  /** Below it this run never was: it began live, behind. Absent where the run asked for what came before. */
  low: Place | undefined;
  /** At or below it ids have been forgotten, or were never known to this run: only the position tells a repeat. */
  blurred: Place | undefined;
  /** Whether this connection has brought anything of this track at or below `high` as it was at its start; `end`: at it. */
  touched: 'no' | 'yes' | 'end';
  /** Whether this connection is past `high` as it was at its start: what comes below from here on is no replay. */
  passed: boolean;
  /** `high` at the start of this connection; absent where the track began on it. */
  resumed: Place | undefined;
}

interface Seen {
  readonly rank: number;
  /** The connection that brought it last. */
  connection: number;
  readonly track: Track | undefined;
  readonly place: Place | undefined;
}

/**
 * What a consumer remembers of the Events it has taken: recent `(source, id)` pairs, and a position per `(source, session)`.
 * Both are bounded.
 *
 * An id that is remembered decides by itself. Where it is forgotten, the position decides, and only while a replay of
 * everything is under way: there a position that was processed is a repeat. Live, an Event below the highest position is late
 * backfill until its id says otherwise (AEP-0003 §7).
 *
 * On each connection: {@link Memory.connected}, then per Event {@link Memory.judge} and, where it was taken, {@link Memory.taken}.
 *
 * @example
 * const { verdict, missing } = memory.judge(event);
 * if (missing !== undefined) report(missing);
 * if (verdict === 'new' || verdict === 'replaces') {
 *   await handle(event);
 *   memory.taken(event);
 * }
 */
export class Memory {
  /** The least recently used one goes first. */
  readonly #tracks: FifoMap<Track>;
  #latest: Track | undefined;
  /** Tracks that moved, of those still known: nobody may ever ask. */
  readonly #changed = new Set<Track>();
  // Events without a position are kept apart: of these, nothing but the id tells a repeat.
  readonly #seen: FifoMap<Seen>;
  readonly #seenWithoutPosition: FifoMap<Seen>;
  /** Positions the caller named; their sources are not known. */
  readonly #given = new Map<string, Place>();
  #resume: ResumeMode = 'live';
  /** Where the replay of this connection starts, for the sessions that it was asked for by name. */
  #asked: ReadonlyMap<string, Place> = new Map();
  #connection = 0;
  #beganLive = false;

  /** Throws `RangeError` for a bound below 1. */
  constructor({ maxSeen = DEFAULT_MAX_SEEN, maxSessions = DEFAULT_MAX_SESSIONS }: MemoryOptions = {}) {
    if (!(maxSeen >= 1)) throw new RangeError('maxSeen must be at least 1');
    if (!(maxSessions >= 1)) throw new RangeError('maxSessions must be at least 1');
    this.#seen = new FifoMap(maxSeen, blur);
    this.#seenWithoutPosition = new FifoMap(maxSeen, blur);
    this.#tracks = new FifoMap(maxSessions, (track) => void this.#changed.delete(track));
  }

  /** Takes what an earlier run processed. */
  restore(saved: readonly SavedPosition[]): void {
    for (const { source, session, epoch, seq } of saved) {
      const place = { epoch, seq };
      const known = this.#tracks.get(sessionKey({ source, session }));
      if (known === undefined || comparePositions(known.high, place) < 0) this.#addTrack(source, session, place).blurred = place;
    }
  }

  /**
   * The run starts behind these positions, and of all other sessions with what comes from now on: what precedes their first
   * Event is not wanted.
   */
  startBehind(positions: readonly Position[]): void {
    this.#beganLive = true;
    for (const { session, epoch, seq } of positions) {
      const known = this.#given.get(session);
      if (known === undefined || comparePositions(known, { epoch, seq }) > 0) this.#given.set(session, { epoch, seq });
    }
  }

  /** A connection begins, and replays what is behind these positions, everything held, or nothing. */
  connected(resume: ResumeMode, positions: readonly Position[]): void {
    this.#resume = resume;
    this.#asked = new Map(positions.map((position) => [position.session, position]));
    this.#connection += 1;
    for (const track of this.#tracks.values()) {
      track.touched = 'no';
      track.passed = false;
      track.resumed = track.high;
    }
  }

  /**
   * What an Event is. Changes nothing but what this connection is known to have brought, and not even that where the Event may have come
   * for somebody else: `ordered` false.
   */
  judge(wire: WireEvent, ordered = true): { readonly verdict: Verdict; readonly missing?: Missing } {
    const position = positionOf(wire.event);
    const track = position === undefined ? undefined : this.#tracks.get(sessionKey({ source: wire.event.source, session: position.session }));
    const missing = !ordered || position === undefined || track === undefined ? undefined : this.#arrive(track, position);
    const verdict = this.#verdict(wire, position, track);
    return missing === undefined ? { verdict } : { verdict, missing };
  }

  /** Takes the id alone: whose Event it was is not known, so that no position may move past what is still to come. */
  noted(wire: WireEvent): void {
    const seen = positionOf(wire.event) === undefined ? this.#seenWithoutPosition : this.#seen;
    this.#remember(seen, dedupeKey(wire.event), { rank: captureRank(captureOf(wire.event)), connection: this.#connection, track: undefined, place: undefined });
  }

  /** A repeat has come in its order: where only its id was taken before, its position moves now. */
  confirmed(wire: WireEvent): void {
    const seen = this.#seen.get(dedupeKey(wire.event));
    if (seen !== undefined && seen.place === undefined && positionOf(wire.event) !== undefined) this.taken(wire);
  }

  /** The Event has been taken in its order: only now may its position move. */
  taken(wire: WireEvent): void {
    const { event } = wire;
    const position = positionOf(event);
    if (position === undefined) {
      this.#remember(this.#seenWithoutPosition, dedupeKey(event), { rank: captureRank(captureOf(event)), connection: this.#connection, track: undefined, place: undefined });
      return;
    }
    const place = { epoch: position.epoch, seq: position.seq };
    const key = sessionKey({ source: event.source, session: position.session });
    let track = this.#tracks.get(key);
    if (track === undefined) {
      track = this.#addTrack(event.source, position.session, place);
      if (this.#beganLive && !this.#given.has(position.session)) track.low = place;
      this.#changed.add(track);
    } else {
      if (track.low !== undefined && comparePositions(place, track.low) < 0) track.low = place;
      if (comparePositions(place, track.high) > 0) {
        track.high = place;
        this.#changed.add(track);
      }
      if (track !== this.#latest) this.#tracks.set(key, track);
    }
    this.#latest = track;
    this.#remember(this.#seen, dedupeKey(event), { rank: captureRank(captureOf(event)), connection: this.#connection, track, place });
  }

  /** How far each session of each source is. */
  positions(): SavedPosition[] {
    return this.#tracks.values().map(saved);
  }

  /** What has moved since the last call. */
  takeChanged(): SavedPosition[] {
    const changed = Array.from(this.#changed, saved);
    this.#changed.clear();
    return changed;
  }

  /**
   * Where to resume, one position per session, the latest used first: the lowest of its sources, since positions on the wire
   * know no source (AEP-0003 §5).
   */
  resumePositions(): Position[] {
    const lowest = new Map<string, Place>();
    for (const { session, high } of this.#tracks.values().reverse()) {
      const known = lowest.get(session);
      if (known === undefined || comparePositions(high, known) < 0) lowest.set(session, high);
    }
    for (const [session, place] of this.#given) if (!lowest.has(session)) lowest.set(session, place);
    return Array.from(lowest, ([session, place]) => ({ session, ...place }));
  }

  #verdict(wire: WireEvent, position: Position | undefined, track: Track | undefined): Verdict {
    const { event } = wire;
    const seen = (position === undefined ? this.#seenWithoutPosition : this.#seen).get(dedupeKey(event));
    if (seen !== undefined) {
      if (captureRank(captureOf(event)) > seen.rank) return 'replaces';
      const again = seen.connection === this.#connection || this.#isLive(position, track);
      seen.connection = this.#connection;
      return again ? 'redelivered' : 'duplicate';
    }
    if (position === undefined || this.#resume !== 'all') return 'new';
    if (track === undefined) {
      const given = this.#given.get(position.session);
      return given !== undefined && comparePositions(position, given) <= 0 ? 'duplicate' : 'new';
    }
    if (track.passed) return 'new';
    if (track.blurred !== undefined && comparePositions(position, track.blurred) <= 0) return 'duplicate';
    return track.low !== undefined && comparePositions(position, track.low) < 0 ? 'duplicate' : 'new';
  }

  /** Whether the replay of this connection cannot be what brings an Event that was had before. */
  #isLive(position: Position | undefined, track: Track | undefined): boolean {
    if (this.#resume === 'live' || track?.passed === true) return true;
    if (this.#resume === 'all' || position === undefined) return false;
    const asked = this.#asked.get(position.session);
    return asked === undefined || comparePositions(position, asked) <= 0;
  }

  /** A replay of everything draws no marker (AEP-0003 §5), so whether it reached back far enough is found out here. */
  #arrive(track: Track, position: Position): Missing | undefined {
    const { resumed } = track;
    if (resumed === undefined || track.passed) return undefined;
    const order = comparePositions(position, resumed);
    const before = track.touched;
    // A replay rises, so what falls behind its end came live.
    track.passed = order > 0 || (order < 0 && before === 'end');
    if (before !== 'end' && order <= 0) track.touched = order === 0 ? 'end' : 'yes';
    const follows = position.epoch === resumed.epoch && position.seq === resumed.seq + 1;
    if (order <= 0 || before !== 'no' || follows || this.#resume !== 'all') return undefined;
    return { source: track.source, session: track.session, after: resumed, earliest: { epoch: position.epoch, seq: position.seq } };
  }

  #addTrack(source: string, session: string, high: Place): Track {
    const track: Track = { source, session, high, low: undefined, blurred: this.#given.get(session), touched: 'no', passed: false, resumed: undefined };
    this.#tracks.set(sessionKey({ source, session }), track);
    this.#latest = track;
    return track;
  }

  #remember(seen: FifoMap<Seen>, key: string, entry: Seen): void {
    const known = seen.get(key);
    seen.set(key, known === undefined || known.rank <= entry.rank ? entry : { ...entry, rank: known.rank });
  }
}

/** An id is forgotten: from here on its position has to tell. */
function blur({ track, place }: Seen): void {
  if (track === undefined || place === undefined) return;
  if (track.blurred === undefined || comparePositions(track.blurred, place) < 0) track.blurred = place;
}

function saved({ source, session, high }: Track): SavedPosition {
  return { source, session, epoch: high.epoch, seq: high.seq };
}
