import type { AepEvent, EventHead, WireEvent } from '@aepkit/envelope';
import { parseStored } from './parse-stored.js';

/** An Event out of the buffer, parsed when somebody looks at it: a consumer without a filter needs its text and its head alone. */
export class StoredEvent implements WireEvent {
  readonly json: string;
  readonly head: EventHead;
  #event: AepEvent | undefined;

  constructor(json: string, head: EventHead) {
    this.json = json;
    this.head = head;
    this.#event = undefined;
  }

  get event(): AepEvent {
    return (this.#event ??= parseStored(this.json));
  }
}
