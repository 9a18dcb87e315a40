import type { JsonValue } from '@aepkit/envelope';

import type { DeliveryMode } from './delivery-mode.js';
import type { StreamEntry } from './event-stream.js';
import { withMember } from './member-text.js';
import { MESSAGE_VERSION, type Message } from './message.js';
import type { WireError } from './wire-error.js';

/** What a message of ours is made of; the rest of its envelope follows from whoever sends it. */
export interface Outgoing {
  readonly type: string;
  readonly payload: JsonValue;
  readonly target?: string | undefined;
  readonly session_id?: string | undefined;
  readonly correlation_id?: string | undefined;
  readonly causation_id?: string | undefined;
}

/** Makes messages with the source, the ids and the clock of one party (C1). */
export function messageMaker(source: string, createId: () => string, now: () => number): (outgoing: Outgoing) => Message {
  return ({ type, payload, ...fields }) => {
    const optional = Object.entries(fields).filter(([, value]) => value !== undefined);
    return {
      aep_version: MESSAGE_VERSION,
      id: createId(),
      type,
      source,
      created_at: timeOf(now()),
      ...(Object.fromEntries(optional) as Readonly<Partial<Record<keyof typeof fields, string>>>),
      payload,
    };
  };
}

/** `event.acknowledged` (C4). */
export function acknowledgement(id: string, cursor: string | undefined): Outgoing {
  const payload = { acknowledged_event_id: id, ...(cursor === undefined ? {} : { cursor }) };
  return { type: 'event.acknowledged', payload, causation_id: id };
}

/** `event.rejected` (C4), without an id where none could be read. */
export function refusal(id: string | undefined, error: WireError): Outgoing {
  const payload = { ...(id === undefined ? {} : { acknowledged_event_id: id }), error: { ...error } };
  return { type: 'event.rejected', payload, causation_id: id };
}

/** `event.dead_lettered` (C4). */
export function deadLetter(id: string, subscriptionId: string, attempts: number, error: WireError): Outgoing {
  const payload = { original_event_id: id, subscription_id: subscriptionId, attempts, error: { ...error } };
  return { type: 'event.dead_lettered', payload };
}

/** `event.replayed` (C4). */
export function replayReport(subscriptionId: string, from: string, to: string, count: number): Outgoing {
  return { type: 'event.replayed', payload: { subscription_id: subscriptionId, from_cursor: from, to_cursor: to, events_replayed: count } };
}

/** RFC 3339 of a time in milliseconds. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * The text of a delivery: mode, sequence and cursor are those of this delivery, whatever the event came with; hints stay (S-O36).
 * Without a cursor where the transport has none. Consumers of one event share the text.
 */
export class DeliveryEncoder {
  #entry: StreamEntry | undefined;
  readonly #texts = new Map<string, string>();

  encode(entry: StreamEntry, mode: DeliveryMode, withCursor: boolean): string {
    if (this.#entry !== entry) {
      this.#entry = entry;
      this.#texts.clear();
    }
    const key = withCursor ? mode : `${mode} `;
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = textOf(entry, mode, withCursor)));
    return text;
  }
}

function textOf({ message, text, sequence, cursor }: StreamEntry, mode: DeliveryMode, withCursor: boolean): string {
  const { mode: _mode, sequence: _sequence, cursor: _cursor, ...hints } = message.delivery ?? {};
  const delivery = { ...hints, mode, sequence, ...(withCursor ? { cursor } : {}) };
  return text === undefined ? JSON.stringify({ ...message, delivery }) : withMember(text(), 'delivery', JSON.stringify(delivery));
}
