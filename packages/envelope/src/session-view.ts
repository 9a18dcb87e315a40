import { dedupeKey } from './dedupe-key.js';
import type { AepEvent } from './event.js';
import { comparePositions, positionOf } from './position.js';

/**
 * Puts the Events of one session into the order that every consumer should show (AEP-0001 §5.2, §7.2), whatever order they came in.
 *
 * Repeats of a `(source, id)` are dropped, first come first kept. Sequenced Events stand by `(epoch, seq)`, two on one position in
 * order of arrival. An Event without a position (a command, `attention.routed`) stands behind the Event its `cause` names and ahead of
 * each that names it as `cause`; between these limits its `time` decides, and then arrival. Sequenced Events never move to make room.
 *
 * The caller chooses the Events: those of one `(source, session)`, and the foreign ones that address the session. Costs grow with the
 * number of Events, times the number of foreign ones in the worst case.
 *
 * @example
 * ```ts
 * for (const event of sessionView(received)) show(event);
 * ```
 */
export function sessionView(events: Iterable<AepEvent>): AepEvent[] {
  const sequenced: AepEvent[] = [];
  const foreign: AepEvent[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    const key = dedupeKey(event);
    if (seen.has(key)) continue;
    seen.add(key);
    if (positionOf(event) === undefined) foreign.push(event);
    else sequenced.push(event);
  }
  sequenced.sort((a, b) => comparePositions(place(a), place(b)));
  return foreign.length === 0 ? sequenced : weave(sequenced, foreign);
}

const START = { epoch: 0, seq: 0 };

function place(event: AepEvent): { readonly epoch: number; readonly seq: number } {
  return positionOf(event) ?? START;
}

/** Puts each foreign Event into a gap: gap `n` lies ahead of the sequenced Event `n`. */
function weave(sequenced: readonly AepEvent[], foreign: readonly AepEvent[]): AepEvent[] {
  const placeOf = new Map<string, number>();
  const firstEffect = new Map<string, number>();
  for (const [place, { id, cause }] of sequenced.entries()) {
    if (!placeOf.has(id)) placeOf.set(id, place);
    if (cause !== undefined && !firstEffect.has(cause)) firstEffect.set(cause, place);
  }
  const times = sequenced.map(timeOf);
  const gaps: AepEvent[][] = Array.from({ length: sequenced.length + 1 }, () => []);
  const gapOf = new Map<string, number>();
  for (const event of inCausalOrder(foreign)) {
    const { id, cause } = event;
    const behind = cause === undefined ? undefined : placeOf.get(cause);
    const lowest = behind === undefined ? (cause === undefined ? 0 : (gapOf.get(cause) ?? 0)) : behind + 1;
    const highest = Math.max(lowest, firstEffect.get(id) ?? sequenced.length);
    const time = timeOf(event);
    let gap = lowest;
    while (gap < highest && (times[gap] ?? Infinity) <= time) gap += 1;
    gapOf.set(id, gap);
    gaps[gap]?.push(event);
  }
  return gaps.flatMap((gap, place) => {
    const next = sequenced[place];
    return next === undefined ? gap : [...gap, next];
  });
}

/** By time, and by arrival where that is equal, each behind the foreign Event that its cause names. */
function inCausalOrder(foreign: readonly AepEvent[]): AepEvent[] {
  const byTime = foreign.map((event) => ({ event, time: timeOf(event) })).sort((a, b) => a.time - b.time);
  const byId = new Map(byTime.map(({ event }) => [event.id, event]));
  const placed = new Set<AepEvent>();
  const order: AepEvent[] = [];
  for (const { event } of byTime) {
    // Causes first. A chain that bites its own tail ends where it meets itself.
    const chain: AepEvent[] = [];
    const met = new Set<AepEvent>();
    for (let link: AepEvent | undefined = event; link !== undefined && !placed.has(link) && !met.has(link); ) {
      met.add(link);
      chain.push(link);
      link = link.cause === undefined ? undefined : byId.get(link.cause);
    }
    for (const link of chain.reverse()) {
      placed.add(link);
      order.push(link);
    }
  }
  return order;
}

// A leap second is a time that Date does not know.
function timeOf(event: AepEvent): number {
  const time = Date.parse(event.time.replace(/:60(?=[.Zz+-])/, ':59'));
  return Number.isNaN(time) ? 0 : time;
}
