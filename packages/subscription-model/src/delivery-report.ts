import { memberOf, textOf } from './capabilities.js';
import type { ConsumerItem } from './consumer-item.js';
import type { Message } from './message.js';

/** The item of an `event.replayed` or `event.redelivered` (C4). */
export function deliveryReport({ type, payload }: Message): ConsumerItem {
  const count = (name: string): number | undefined => {
    const value = memberOf(payload, name);
    return typeof value === 'number' ? value : undefined;
  };
  if (type === 'event.redelivered') {
    return { type: 'redelivered', eventId: textOf(payload, 'original_event_id') ?? '', attempt: count('attempt') };
  }
  return {
    type: 'replayed',
    fromCursor: textOf(payload, 'from_cursor'),
    toCursor: textOf(payload, 'to_cursor'),
    count: count('events_replayed'),
  };
}
