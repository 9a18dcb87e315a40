import type { WireEvent } from '@aepkit/envelope';
import { detached, holdText, restoreText } from './held-text.js';
import { EVENT_OVERHEAD_BYTES } from './overhead.js';
import { parseStored } from './parse-stored.js';
import type { Placed } from './place.js';
import { StoredEvent } from './stored-event.js';

/** Longer ids are copied; looking for one in the text has to stay cheap. */
const ID_CHARS_TO_SEEK = 64;

/** The id as a view of the text that is held anyway, or as a copy where it is spelled otherwise there. */
function heldId(id: string, text: string): { readonly id: string; readonly bytes: number } {
  const at = id.length <= ID_CHARS_TO_SEEK ? text.indexOf(id) : -1;
  return at < 0 ? { id: detached(id), bytes: 2 * id.length } : { id: text.slice(at, at + id.length), bytes: 0 };
}

/** Whose an Event is: one object for all of a session. */
export interface Owner {
  readonly session: string;
  readonly source: string;
}

/** One Event as it is held: its text, not the object, and what finds it again. */
export class HeldEvent implements Placed {
  readonly owner: Owner;
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
  readonly order: number;
  /** Bytes it counts. */
  readonly bytes: number;
  held: boolean;
  #text: string;
  readonly #packed: boolean;
  readonly #type: string | undefined;

  /** @param type its type, where it shall not be parsed to be passed on */
  constructor(owner: Owner, place: { readonly epoch: number; readonly seq: number }, order: number, wire: WireEvent, copy: boolean, type?: string) {
    const { text, packed, bytes } = holdText(wire.json, copy);
    this.owner = owner;
    this.epoch = place.epoch;
    this.seq = place.seq;
    this.order = order;
    this.bytes = bytes + EVENT_OVERHEAD_BYTES;
    this.id = wire.event.id;
    if (copy) {
      const id = heldId(wire.event.id, text);
      this.id = id.id;
      this.bytes += id.bytes;
    }
    this.held = true;
    this.#text = text;
    this.#packed = packed;
    this.#type = type;
  }

  get session(): string {
    return this.owner.session;
  }

  /** The Event as it came in. */
  wire(): WireEvent {
    const json = restoreText(this.#text, this.#packed);
    if (this.#type === undefined) return { event: parseStored(json), json };
    const { session, source } = this.owner;
    return new StoredEvent(json, { type: this.#type, source, session, epoch: this.epoch, seq: this.seq });
  }

  /** Gives up the text; a replay may still point here. */
  release(): void {
    this.held = false;
    this.#text = '';
  }
}
