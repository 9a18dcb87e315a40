import { createId } from '@aepkit/envelope';

import { StreamError } from './errors.js';
import type { EventStream, StreamEntry, StreamPlace, StreamReader } from './event-stream.js';
import { bound } from './limits.js';
import type { Message } from './message.js';

/** Events that a memory stream holds, at most. */
export const DEFAULT_STREAM_EVENTS = 10_000;
/** Bytes that a memory stream holds, at most: 64 MiB, counted as JSON text and a constant for each event. */
export const DEFAULT_STREAM_BYTES = 67_108_864;
/** Entries that a reader gives at a time. */
const CHUNK_EVENTS = 256;
const ENTRY_BYTES = 256;

/** Options of {@link memoryStream}. */
export interface MemoryStreamOptions {
  /**
   * Names the stream in cursors. Default: a fresh one, since what another process held is gone; with the same name again, old cursors
   * would be taken for places in the new stream.
   */
  readonly id?: string;
  /** `Infinity`: off. Default {@link DEFAULT_STREAM_EVENTS}. */
  readonly maxEvents?: number;
  /** `Infinity`: off. Default {@link DEFAULT_STREAM_BYTES}. */
  readonly maxBytes?: number;
}

/**
 * An {@link EventStream} in memory: the last events, and cursors `<id>:<sequence>` for them (C6). What is evicted cannot be read
 * again, and a cursor behind which something is missing is refused rather than served with a gap (S-O18).
 *
 * Throws RangeError for a bad option.
 *
 * @example
 * const producer = new SubscriptionProducer({ source: 'memory:main', stream: memoryStream({ maxEvents: 100 }) });
 */
export function memoryStream(options: MemoryStreamOptions = {}): EventStream & { append(message: Message, text?: string): StreamPlace } {
  const id = options.id ?? `stream_${createId()}`;
  const maxEvents = bound('maxEvents', options.maxEvents ?? DEFAULT_STREAM_EVENTS, 0);
  const maxBytes = bound('maxBytes', options.maxBytes ?? DEFAULT_STREAM_BYTES, 0);
  const listeners = new Set<(entries: readonly StreamEntry[]) => void>();
  const held = new Map<number, StreamEntry>();
  let newest = 0;
  let oldest = 1;
  let bytes = 0;

  const cursorOf = (order: number): string => `${id}:${String(order)}`;
  const placeOf = (order: number): StreamPlace => ({ order, cursor: cursorOf(order) });
  const evict = (): void => {
    while (oldest <= newest && (newest - oldest + 1 > maxEvents || bytes > maxBytes)) {
      bytes -= (held.get(oldest)?.bytes ?? 0) + ENTRY_BYTES;
      held.delete(oldest);
      oldest += 1;
    }
  };
  const read = (after: StreamPlace): StreamReader => {
    const upTo = placeOf(newest);
    let at = after.order;
    return {
      upTo,
      next() {
        if (at >= upTo.order) return undefined;
        if (at + 1 < oldest) throw new StreamError('evicted', 'the next event is no longer held');
        const entries: StreamEntry[] = [];
        for (; at < upTo.order && entries.length < CHUNK_EVENTS; at += 1) {
          const entry = held.get(at + 1);
          if (entry !== undefined) entries.push(entry);
        }
        return entries;
      },
      close: () => undefined,
    };
  };

  return {
    head: () => placeOf(newest),
    onAppend(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open(cursor) {
      const order = orderIn(cursor, id);
      return order === undefined || order > newest || order + 1 < oldest ? undefined : read(placeOf(order));
    },
    read,
    append(message, text) {
      newest += 1;
      const place = placeOf(newest);
      // With its text it is held twice.
      const size = text === undefined ? JSON.stringify(message).length : 2 * text.length;
      const entry: StreamEntry = { ...place, sequence: newest, message, bytes: size, held: true, ...(text === undefined ? {} : { text: () => text }) };
      held.set(newest, entry);
      bytes += size + ENTRY_BYTES;
      evict();
      for (const listener of [...listeners]) listener([entry]);
      return place;
    },
  };
}

/** The number behind `<id>:`, in its only spelling. */
function orderIn(cursor: string, id: string): number | undefined {
  if (!cursor.startsWith(`${id}:`)) return undefined;
  const digits = cursor.slice(id.length + 1);
  const order = Number(digits);
  return Number.isSafeInteger(order) && order >= 0 && String(order) === digits ? order : undefined;
}
