import { EnvelopeError, validateEvent, wireEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';

import { EmitterError } from './errors.js';
import { utf8Length } from './utf8-length.js';

/** An Event with its text and the size of that. */
export interface SizedWire {
  readonly wire: WireEvent;
  /** Bytes of the text. */
  readonly bytes: number;
}

/**
 * What `wireEvent` makes of an Event, without reading the text back: everything in the Event is a fresh copy that nobody else holds, and
 * `data` has been through a snapshot, so it is what a receiver will read. Throws EnvelopeError, and {@link EmitterError} `too-large`.
 */
export function wireOf(event: AepEvent, maxBytes: number): SizedWire {
  // A `bigint` is for the careful way: JSON.stringify knows none.
  if (Object.values(event).some((value) => typeof value === 'bigint')) return sized(wireEvent(event, { maxBytes: Infinity }), maxBytes);
  const issue = validateEvent(event);
  if (issue !== undefined) throw new EnvelopeError(issue);
  return sized({ event, json: JSON.stringify(event) }, maxBytes);
}

function sized(wire: WireEvent, maxBytes: number): SizedWire {
  const bytes = utf8Length(wire.json);
  if (bytes > maxBytes) throw new EmitterError('too-large', `the Event has ${bytes} bytes, more than ${maxBytes}`);
  return { wire, bytes };
}
