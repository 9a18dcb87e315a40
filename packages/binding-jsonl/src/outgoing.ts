import { wireEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';

import { JsonlWriteError } from './errors.js';

/** What can be written: an Event as it was received, or one built in code. */
export type Writable = WireEvent | AepEvent;

/** An Event on its way into a file: a copy, so that a change of the caller's object changes neither text nor size. */
export interface OutgoingLine extends WireEvent {
  /** Bytes of its text and its line feed. */
  readonly size: number;
}

/** Lines of Events, all of them or none. Throws `EnvelopeError` for an Event built in code that is none, and {@link JsonlWriteError}. */
export function outgoingLines(events: Writable | readonly Writable[], maxLineBytes: number): OutgoingLine[] {
  return Array.isArray(events)
    ? (events as readonly Writable[]).map((event) => outgoingLine(event, maxLineBytes))
    : [outgoingLine(events as Writable, maxLineBytes)];
}

/** A line holds one Event and ends in its only line feed (AEP-0003 §3.1). */
function outgoingLine(event: Writable, maxLineBytes: number): OutgoingLine {
  const wire = isWire(event) ? event : wireEvent(event, { maxBytes: Infinity });
  const { json } = wire;
  if (json === '' || json.includes('\n') || json.includes('\r')) {
    throw new JsonlWriteError('not-one-line', 'the text of the Event is not one line');
  }
  const size = Buffer.byteLength(json) + 1;
  if (size - 1 > maxLineBytes) throw new JsonlWriteError('too-large', `the Event is larger than ${String(maxLineBytes)} bytes`);
  return { event: wire.event, json, size };
}

/** An extension attribute is never an object, so an `AepEvent` cannot look like this. */
function isWire(event: Writable): event is WireEvent {
  return typeof event.event === 'object' && typeof event.json === 'string';
}
