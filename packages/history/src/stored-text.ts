import { parseEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';
import { HistoryError } from './errors.js';

const NO_LIMITS = { maxBytes: Infinity, maxDepth: Infinity } as const;

/**
 * An Event from its kept text, parsed when somebody looks at it: a consumer without a filter only needs the text. The door
 * was passed when it was kept, so it is not checked again.
 */
export function storedText(json: string): WireEvent {
  let event: AepEvent | undefined;
  return {
    json,
    get event() {
      event ??= parseStored(json);
      return event;
    },
  };
}

function parseStored(json: string): AepEvent {
  try {
    const event = JSON.parse(json) as AepEvent;
    // Extension attributes beyond ±(2^53−1) are exact in an Event; JSON.parse rounds them.
    return Object.values(event).some((value) => typeof value === 'number' && !Number.isSafeInteger(value))
      ? parseEvent(json, NO_LIMITS).event
      : event;
  } catch (error) {
    throw new HistoryError('corrupt', 'the store holds a text that is not an Event', { cause: error });
  }
}
