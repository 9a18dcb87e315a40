import type { WireEvent } from '@aepkit/envelope';
import { detached, holdText, restoreText } from './held-text.js';
import { EVENT_OVERHEAD_BYTES } from './overhead.js';
import { parseStored } from './parse-stored.js';
import type { Placed } from './place.js';

/** Longer ids are copied; looking for one in the text has to stay cheap. */
const ID_CHARS_TO_SEEK = 64;

/** The id as a view of the text that is held anyway, or as a copy where it is spelled otherwise there. */
function heldId(id: string, text: string): { readonly id: string; readonly bytes: number } {
  const at = id.length <= ID_CHARS_TO_SEEK ? text.indexOf(id) : -1;
  return at < 0 ? { id: detached(id), bytes: 2 * id.length } : { id: text.slice(at, at + id.length), bytes: 0 };
}

/** One Event as it is held: its text, not the object, and what finds it again. */
export class HeldEvent implements Placed {
  readonly session: string;
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
  readonly order: number;
  /** Bytes it counts. */
  readonly bytes: number;
  held: boolean;
  #text: string;
  readonly #packed: boolean;

  constructor(session: string, place: { readonly epoch: number; readonly seq: number }, order: number, wire: WireEvent, copy: boolean) {
    const { text, packed, bytes } = holdText(wire.json, copy);
    this.session = session;
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
  }

  /** The Event as it came in. */
  wire(): WireEvent {
    const json = restoreText(this.#text, this.#packed);
    return { event: parseStored(json), json };
  }

  /** Gives up the text; a replay may still point here. */
  release(): void {
    this.held = false;
    this.#text = '';
  }
}
