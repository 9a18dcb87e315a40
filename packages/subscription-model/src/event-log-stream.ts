import type { WireEvent } from '@aepkit/envelope';

import { StreamError } from './errors.js';
import type { EventLogLike, LogBatch, LogStep } from './event-log.js';
import type { EventStream, StreamEntry, StreamPlace, StreamReader } from './event-stream.js';
import { bound } from './limits.js';
import { memberText, withMember } from './member-text.js';
import type { Message } from './message.js';
import { messageOfEvent } from './message-of-event.js';

/** Marks of past commits that are remembered, at most. */
export const DEFAULT_MAX_MARKS = 1_024;

/** Options of {@link eventLogStream}. */
export interface EventLogStreamOptions {
  /** Names the stream in cursors. The same for as long as the log is the same: consumers come back with cursors of earlier days. */
  readonly id: string;
  /** An Event as a message; `undefined` leaves it out. Default `messageOfEvent`. */
  readonly toMessage?: (event: WireEvent['event']) => Message | undefined;
  /** How many marks of commits are remembered to keep cursors close to them. Default {@link DEFAULT_MAX_MARKS}. */
  readonly maxMarks?: number;
}

/** So many admitted Events behind a mark. */
interface Spot {
  readonly mark: number;
  readonly ahead: number;
}

/**
 * Serves cursors out of the history of an endpoint (§5): an {@link EventStream} on a log that is filled elsewhere. A cursor is
 * `<id>:<mark>+<n>`, the n-th admitted Event behind a mark, and holds for as long as the log keeps what follows that mark, over
 * restarts where the log is durable.
 *
 * Duplicates are left out; what the log does not replay goes out once as best effort.
 *
 * @example
 * const producer = new SubscriptionProducer({ source: 'harness:relay', stream: eventLogStream(history, { id: 'history_1' }) });
 */
export function eventLogStream(log: EventLogLike, options: EventLogStreamOptions): EventStream {
  const { id, toMessage = messageOfEvent } = options;
  const maxMarks = bound('maxMarks', options.maxMarks ?? DEFAULT_MAX_MARKS, 1);
  const listeners = new Set<(entries: readonly StreamEntry[]) => void>();
  const marks: number[] = [];
  let mark = log.mark();
  let order = 0;
  let ignore: (() => void) | undefined;

  const cursorOf = (spot: Spot): string => `${id}:${String(spot.mark)}+${String(spot.ahead)}`;
  const entryOf = (event: WireEvent, at: { order: number; spot: Spot; most: number; held: boolean }): StreamEntry | undefined => {
    const message = toMessage(event.event);
    if (message === undefined) return undefined;
    // Marks count Events, and perhaps more than these: the next one is the most that a place before it can be.
    const sequence = Math.min(at.spot.mark + at.spot.ahead, at.most);
    const entry = { order: at.order, cursor: cursorOf(at.spot), message, sequence, bytes: event.json.length, held: at.held };
    if (event.event.data === undefined || message.payload !== event.event.data) return entry;
    // The payload is the data of the Event: it goes out as it is spelled there.
    return { ...entry, text: () => withMember(JSON.stringify({ ...message, payload: null }), 'payload', memberText(event.json, 'data') ?? 'null') };
  };

  const commit = (batch: LogBatch): void => {
    const entries: StreamEntry[] = [];
    let ahead = 0;
    for (const [at, event] of batch.events.entries()) {
      const admission = batch.admissions[at];
      if (admission === 'duplicate') continue;
      const held = admission === 'admitted';
      if (held) {
        ahead += 1;
        order += 1;
      }
      const entry = entryOf(event, { order, spot: { mark, ahead }, most: batch.mark, held });
      if (entry !== undefined) entries.push(entry);
    }
    if (batch.mark > mark) marks.push(mark);
    if (marks.length > maxMarks) marks.shift();
    mark = batch.mark;
    if (entries.length > 0) for (const listener of [...listeners]) listener(entries);
  };

  const head = (): StreamPlace => ({ order, cursor: cursorOf({ mark, ahead: 0 }) });

  const readerFrom = (from: Spot, startOrder: number): StreamReader => {
    const upTo = head();
    // Read from mark to mark, so that cursors given out on the way depend on a recent one.
    const stops = [...marks.filter((known) => known > from.mark && known < mark), mark];
    let base = from.mark;
    let skip = from.ahead;
    let ahead = 0;
    let at = startOrder;
    let steps: AsyncIterator<readonly LogStep[]> | undefined;
    const entriesOf = (chunk: readonly LogStep[], most: number): StreamEntry[] => {
      const entries: StreamEntry[] = [];
      for (const step of chunk) {
        if (step.type !== 'event') continue;
        ahead += 1;
        if (skip > 0) {
          skip -= 1;
          continue;
        }
        at += 1;
        const entry = entryOf(step.event, { order: at, spot: { mark: base, ahead }, most, held: true });
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    };
    return {
      upTo,
      async next() {
        for (let stop = stops[0]; stop !== undefined; stop = stops[0]) {
          steps ??= log.replay({ type: 'mark', mark: base }, stop)[Symbol.asyncIterator]();
          const { done, value } = await nextOf(steps);
          if (done !== true) return entriesOf(value, stop);
          steps = undefined;
          base = stop;
          ahead = 0;
          stops.shift();
        }
        if (skip > 0) throw new StreamError('evicted', 'the cursor names a place that the log does not have');
        return undefined;
      },
      close() {
        stops.length = 0;
        void steps?.return?.().catch(() => undefined);
      },
    };
  };

  return {
    head,
    onAppend(listener) {
      if (listeners.size === 0) {
        mark = log.mark();
        ignore = log.onCommit(commit);
      }
      listeners.add(listener);
      return () => {
        // The log outlives its producers, and must not keep them.
        if (listeners.delete(listener) && listeners.size === 0) ignore?.();
      };
    },
    async open(cursor) {
      const spot = spotIn(cursor, id);
      if (spot === undefined || spot.mark > mark || (spot.mark === mark && spot.ahead > 0)) return undefined;
      const probe = readerFrom(spot, NaN);
      try {
        // Whether the place itself is there, and what follows it.
        for (let chunk = await probe.next(); chunk?.length === 0; ) chunk = await probe.next();
      } catch (error) {
        if (error instanceof StreamError && error.code === 'evicted') return undefined;
        throw error;
      } finally {
        probe.close();
      }
      // Read again when its turn comes: a replay that waits for others must not hold events meanwhile.
      return readerFrom(spot, NaN);
    },
    read: (after) => readerFrom(spotIn(after.cursor, id) ?? { mark, ahead: 0 }, after.order),
  };
}

async function nextOf(steps: AsyncIterator<readonly LogStep[]>): Promise<IteratorResult<readonly LogStep[], unknown>> {
  try {
    return await steps.next();
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'replay-evicted') {
      throw new StreamError('evicted', 'the next event is no longer held', { cause: error });
    }
    throw error;
  }
}

function spotIn(cursor: string, id: string): Spot | undefined {
  if (!cursor.startsWith(`${id}:`)) return undefined;
  const match = /^(0|[1-9][0-9]{0,15})\+(0|[1-9][0-9]{0,15})$/.exec(cursor.slice(id.length + 1));
  return match === null ? undefined : { mark: Number(match[1]), ahead: Number(match[2]) };
}
