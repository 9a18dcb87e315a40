import { positionOf, type WireEvent } from '@aepkit/envelope';

import type { Verdict } from './memory.js';
import type { EventItem } from './resume-item.js';

/** The item for an Event that is given out. A `duplicate` is none. */
export function eventItem(event: WireEvent, verdict: Exclude<Verdict, 'duplicate'>): EventItem {
  const position = positionOf(event.event);
  const replaces = verdict === 'replaces';
  if (verdict === 'redelivered') return position === undefined ? { type: 'event', event, replaces, redelivered: true } : { type: 'event', event, replaces, redelivered: true, position };
  return position === undefined ? { type: 'event', event, replaces } : { type: 'event', event, replaces, position };
}
