import { comparePositions, type Position } from '@aepkit/envelope';
import type { LogMark, Replayed } from '@aepkit/hub';
import { Chunk, shareOf } from './chunk.js';
import { KeptEvent } from './kept-event.js';
import { Lane, mergeLanes } from './lane.js';
import { compareSpots, type Place, type Spot } from './place.js';
import { NEWEST } from './positions.js';
import { ANCHORED, SEQUENCED } from './schema.js';
import type { SessionReads, SessionRow } from './session-reads.js';

/** A session name and the position behind which it is wanted; none: all of it that the depth covers. */
export type SessionStart = readonly [name: string, behind: Place | undefined];

/** What a replay of sessions is limited by. */
export interface ReplayBounds {
  /** Replay depth per session. */
  readonly buffer: number;
  readonly upTo: LogMark;
  readonly wanted: ReadonlySet<string> | undefined;
}

/**
 * Gives out session by session, each by position: of each `(source, session)` the last Events up to the depth, as of the
 * mark (AEP-0003 §5). Nothing that is committed meanwhile moves that window, and nothing in it can be lost.
 */
export function* replaySessions(
  reads: SessionReads,
  starts: Iterable<SessionStart>,
  bounds: ReplayBounds,
): Generator<readonly Replayed[], void, void> {
  const chunk = new Chunk<Replayed>();
  for (const [session, behind] of starts) {
    let owed = false;
    if (bounds.wanted === undefined || bounds.wanted.has(session)) {
      const windows: Window[] = [];
      for (const row of reads.named(session, bounds.upTo)) {
        windows.push(windowOf(reads, row, behind, bounds));
        if (windows.length % SOURCES_PER_STEP === 0) yield [];
      }
      const lanes: Lane[] = [];
      for (const lane of lanesOf(reads, windows, bounds.upTo)) {
        if (lane.head !== undefined) lanes.push(lane);
        if (lanes.length % SOURCES_PER_STEP === SOURCES_PER_STEP - 1) yield [];
      }
      if (windows.some((window) => window.exhausted)) {
        const first = lowestPosition(lanes);
        if (first === undefined) owed = true;
        else chunk.add({ type: 'exhausted', session, epoch: first.epoch, seq: first.seq });
      }
      for (const { json, pos, type, epoch, seq, owner } of mergeLanes(lanes, compareSpots)) {
        if (json === null) continue;
        const head = owner.sequenced && owner.source !== undefined ? { type, source: owner.source, session, epoch, seq } : undefined;
        chunk.add({ type: 'event', event: new KeptEvent(json, pos, head) }, json.length);
        if (chunk.full) yield chunk.take();
      }
    }
    chunk.add(owed ? { type: 'session-end', session, owed } : { type: 'session-end', session });
    if (chunk.full) yield chunk.take();
  }
  if (!chunk.empty) yield chunk.take();
}

/** A session that is named twice is resumed from the lower position. */
export function lowestPositions(positions: readonly Position[]): readonly SessionStart[] {
  const lowest = new Map<string, Place>();
  for (const position of positions) {
    const known = lowest.get(position.session);
    if (known === undefined || comparePositions(position, known) < 0) lowest.set(position.session, position);
  }
  return [...lowest];
}

/** The part of one `(source, session)` that a replay gives out. */
interface Window {
  readonly session: number;
  readonly source: string;
  /** Events are missing between the position that was asked for and the first one here. */
  readonly exhausted: boolean;
  /** Sequenced Events behind this spot. */
  readonly behind: Spot;
  /** Foreign-emitter Events behind this spot; none: there are none. */
  readonly anchorsBehind: Spot | undefined;
}

/** A name may be shared by any number of sources; what one step looks into is bounded. */
const SOURCES_PER_STEP = 64;
const START: Spot = { epoch: -1, seq: -1, pos: -1 };

function windowOf(reads: SessionReads, row: SessionRow, behind: Place | undefined, { buffer, upTo }: ReplayBounds): Window {
  const session = row.key;
  const { positions } = reads;
  // To count what follows costs what is sent; to look for the start of the window costs the depth.
  const evicted = behind !== undefined && positions.countAfter(session, SEQUENCED, behind, upTo, buffer + 1) > buffer;
  const lost = behind !== undefined && row.lost !== undefined && comparePositions(behind, row.lost) < 0;
  const whole = behind === undefined || evicted || lost;
  const first = whole ? positions.fromTop(session, SEQUENCED, buffer, upTo) : undefined;
  return {
    session,
    source: row.source,
    exhausted: evicted || lost || (behind !== undefined && isBeforeStart(reads, row, behind, upTo)),
    behind: whole ? (first === undefined ? START : justBefore(first)) : { ...behind, pos: NEWEST },
    anchorsBehind: anchorsOf(reads, session, behind, { buffer, upTo }),
  };
}

/**
 * Where the start of a session is not known, Events may be missing that nobody here ever saw: a position ahead of the
 * earliest one has to precede it directly (AEP-0003 §5).
 */
function isBeforeStart({ positions }: SessionReads, { key, startKnown, lost }: SessionRow, behind: Place, upTo: LogMark): boolean {
  if (startKnown || lost !== undefined) return false;
  const earliest = positions.lowest(key, SEQUENCED, upTo);
  if (earliest === undefined || comparePositions(behind, earliest) >= 0) return false;
  return behind.epoch !== earliest.epoch || behind.seq + 1 !== earliest.seq;
}

/**
 * Foreign-emitter Events are counted apart, as many again, and leave with their anchor (AEP-0003 §5). One whose anchor is
 * the position that was asked for stands behind it.
 */
function anchorsOf(
  { positions }: SessionReads,
  session: number,
  behind: Place | undefined,
  { buffer, upTo }: { readonly buffer: number; readonly upTo: LogMark },
): Spot | undefined {
  if (positions.fromTop(session, ANCHORED, 1, upTo) === undefined) return undefined;
  const limits: Spot[] = [START];
  if (behind !== undefined) limits.push({ epoch: behind.epoch, seq: behind.seq, pos: -1 });
  const depth = positions.fromTop(session, ANCHORED, buffer, upTo);
  if (depth !== undefined) limits.push(justBefore(depth));
  const lowestHeld = positions.fromTop(session, SEQUENCED, buffer, upTo);
  if (lowestHeld !== undefined) limits.push({ epoch: lowestHeld.epoch, seq: lowestHeld.seq, pos: -1 });
  return limits.reduce((highest, limit) => (compareSpots(limit, highest) > 0 ? limit : highest));
}

function justBefore(spot: Spot): Spot {
  return { ...spot, pos: spot.pos - 1 };
}

function lanesOf(reads: SessionReads, windows: readonly Window[], upTo: LogMark): readonly Lane[] {
  const anchored = windows.filter(({ anchorsBehind }) => anchorsBehind !== undefined).length;
  const share = shareOf(windows.length + anchored);
  const lanes: Lane[] = [];
  for (const { session, source, behind, anchorsBehind } of windows) {
    lanes.push(new Lane(reads.rows(session, SEQUENCED, upTo), behind, share, { source, sequenced: true }));
    if (anchorsBehind !== undefined) lanes.push(new Lane(reads.rows(session, ANCHORED, upTo), anchorsBehind, share, { source, sequenced: false }));
  }
  return lanes;
}

/** `earliest` of a marker: the first position that follows, whichever source it is of. */
function lowestPosition(lanes: readonly Lane[]): Place | undefined {
  let lowest: Place | undefined;
  for (const { head, owner } of lanes) {
    if (owner.sequenced && head !== undefined && (lowest === undefined || comparePositions(head, lowest) < 0)) lowest = head;
  }
  return lowest;
}
