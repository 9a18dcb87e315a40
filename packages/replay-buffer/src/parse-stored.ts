import { parseEvent, type AepEvent } from '@aepkit/envelope';

const NO_LIMITS = { maxBytes: Infinity, maxDepth: Infinity } as const;

/** The Event that a held text says. It passed the door when it came, so nothing is checked again. */
export function parseStored(json: string): AepEvent {
  const event = JSON.parse(json) as AepEvent;
  // Extension attributes beyond ±(2^53−1) are exact in an Event; JSON.parse rounds them.
  for (const name in event) {
    const value = event[name];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return parseEvent(json, NO_LIMITS).event;
  }
  return event;
}
