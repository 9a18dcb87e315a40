import { parseEvent, type AepEvent, type EventHead } from '@aepkit/envelope';
import type { LogMark } from '@aepkit/hub';
import { HistoryError } from './errors.js';
import type { StoredEvent } from './history.js';

const NO_LIMITS = { maxBytes: Infinity, maxDepth: Infinity } as const;

/**
 * An Event out of the store, parsed when somebody looks at it: a consumer without a filter only needs the text. The door was
 * passed when it was kept, so it is not checked again.
 */
export class KeptEvent implements StoredEvent {
  readonly json: string;
  readonly mark: LogMark;
  readonly head?: EventHead;
  #event: AepEvent | undefined;

  constructor(json: string, mark: LogMark, head?: EventHead) {
    this.json = json;
    this.mark = mark;
    if (head !== undefined) this.head = head;
    this.#event = undefined;
  }

  get event(): AepEvent {
    return (this.#event ??= parseKept(this.json));
  }
}

function parseKept(json: string): AepEvent {
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
