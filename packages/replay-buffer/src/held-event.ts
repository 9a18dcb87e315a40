import { parseEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';
import { detached, holdText, restoreText } from './held-text.js';
import { EVENT_OVERHEAD_BYTES } from './overhead.js';
import type { Placed } from './place.js';

const NO_LIMITS = { maxBytes: Infinity, maxDepth: Infinity } as const;
/** Longer ids are copied; looking for one in the text has to stay cheap. */
const ID_CHARS_TO_SEEK = 64;

/** The id as a view of the text that is held anyway, or as a copy where it is spelled otherwise there. */
function heldId(id: string, text: string): { readonly id: string; readonly bytes: number } {
  const at = id.length <= ID_CHARS_TO_SEEK ? text.indexOf(id) : -1;
  return at < 0 ? { id: detached(id), bytes: 2 * id.length } : { id: text.slice(at, at + id.length), bytes: 0 };
}

function hasBigint(event: AepEvent): boolean {
  for (const name in event) if (typeof event[name] === 'bigint') return true;
  return false;
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
  /** 1: the text is packed. 2: it has integers that `JSON.parse` would round. */
  readonly #form: number;

  constructor(session: string, place: { readonly epoch: number; readonly seq: number }, order: number, wire: WireEvent, copy: boolean) {
    const { text, packed, bytes } = holdText(wire.json, copy);
    const id = copy ? heldId(wire.event.id, text) : { id: wire.event.id, bytes: 0 };
    this.session = session;
    this.id = id.id;
    this.epoch = place.epoch;
    this.seq = place.seq;
    this.order = order;
    this.bytes = bytes + id.bytes + EVENT_OVERHEAD_BYTES;
    this.held = true;
    this.#text = text;
    this.#form = (packed ? 1 : 0) | (hasBigint(wire.event) ? 2 : 0);
  }

  /** The Event as it came in. */
  wire(): WireEvent {
    const json = restoreText(this.#text, (this.#form & 1) !== 0);
    const event = (this.#form & 2) === 0 ? (JSON.parse(json) as AepEvent) : parseEvent(json, NO_LIMITS).event;
    return { event, json };
  }

  /** Gives up the text; a replay may still point here. */
  release(): void {
    this.held = false;
    this.#text = '';
  }
}
