import { comparePositions } from '@aepkit/envelope';
import type { Chunk } from './chunk.js';
import { ReplayEvictedError } from './errors.js';
import type { Anchor } from './foreign-event.js';
import type { HeldEvent } from './held-event.js';
import { Lane } from './lane.js';
import { comparePlaces } from './place.js';
import type { Replayed } from './replayed.js';
import type { Place, SessionBuffer, SessionGroup } from './session-buffer.js';
import type { Store } from './store.js';

/** A session and the position behind which it is wanted; none: all of it. */
export type SessionStart = readonly [session: string, behind: Place | undefined];

type AnyLane = Lane<HeldEvent> | Lane<Anchor>;

/**
 * Gives out session by session, each by position. What is missing ahead of a session is looked at when its turn comes, so
 * that eviction while others were given out shows in its marker.
 */
export function* replaySessions(
  store: Store,
  starts: Iterable<SessionStart>,
  upTo: number,
  sessions: ReadonlySet<string> | undefined,
  chunk: Chunk,
): Generator<readonly Replayed[], void, void> {
  for (const [session, behind] of starts) {
    const wanted = sessions === undefined || sessions.has(session);
    const group = wanted ? store.groups.get(session) : undefined;
    let owed = false;
    if (wanted && behind !== undefined && store.predates(session, behind)) {
      const first = firstBehind(group, behind, upTo);
      if (first === undefined) owed = true;
      else chunk.add({ type: 'exhausted', session, epoch: first.epoch, seq: first.seq });
    }
    if (group !== undefined) yield* replayGroup(group, behind, upTo, chunk);
    const unheard = wanted && behind !== undefined && !owed && !store.heardOf(session);
    if (unheard) chunk.add({ type: 'session-end', session, owed: true, behind: { epoch: behind.epoch, seq: behind.seq } });
    else chunk.add(owed ? { type: 'session-end', session, owed } : { type: 'session-end', session });
    if (chunk.full) yield chunk.take();
  }
  if (!chunk.empty) yield chunk.take();
}

/** Merges the buffers of one name by position (AEP-0003 §5), and the Events that are anchored in them. */
function* replayGroup(group: SessionGroup, behind: Place | undefined, upTo: number, chunk: Chunk): Generator<readonly Replayed[], void, void> {
  let lanes: AnyLane[] = [...group.buffers.values()].flatMap((buffer) => [
    eventsBehind(buffer, behind, upTo),
    anchorsFrom(buffer, behind, upTo),
  ]);
  for (;;) {
    let lowest: AnyLane | undefined;
    let item: HeldEvent | Anchor | undefined;
    for (const lane of lanes) {
      const { next } = lane;
      if (next !== undefined && (item === undefined || comparePlaces(next, item) < 0)) {
        lowest = lane;
        item = next;
      }
    }
    if (lowest === undefined || item === undefined) return;
    lowest.advance();
    chunk.add({ type: 'event', event: ('event' in item ? item.event : item).wire() });
    if (!chunk.full) continue;
    yield chunk.take();
    if (!lanes.every((lane) => lane.resume())) throw new ReplayEvictedError();
    lanes = lanes.filter((lane) => lane.next !== undefined);
  }
}

function eventsBehind({ events }: SessionBuffer, behind: Place | undefined, upTo: number): Lane<HeldEvent> {
  return new Lane(events, (event) => behind !== undefined && comparePositions(event, behind) <= 0, (event) => event.order <= upTo);
}

/** An anchor at the position itself stands behind it. One that is anchored several times is given out at the highest. */
function anchorsFrom({ anchors }: SessionBuffer, behind: Place | undefined, upTo: number): Lane<Anchor> {
  return new Lane(
    anchors,
    (anchor) => behind !== undefined && comparePositions(anchor, behind) < 0,
    (anchor) => anchor.order <= upTo && anchor.event.last === anchor,
  );
}

/** The first Event behind a position; one beyond the bound of the replay where nothing within it follows. */
function firstBehind(group: SessionGroup | undefined, behind: Place, upTo: number): Place | undefined {
  for (const bound of [upTo, Infinity]) {
    let first: Place | undefined;
    for (const buffer of group?.buffers.values() ?? []) {
      const { next } = eventsBehind(buffer, behind, bound);
      if (next !== undefined && (first === undefined || comparePositions(next, first) < 0)) first = next;
    }
    if (first !== undefined) return first;
  }
  return undefined;
}
