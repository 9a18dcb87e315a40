import { decodeUtf8, EnvelopeError, type ExactJsonValue, parseEvent, parseJson, type WireEvent } from '@aepkit/envelope';

import type { Frame } from './frame.js';
import type { FrameFault, FrameFaultCode } from './frame-fault.js';
import { DEFAULT_MAX_EVENT_BYTES } from './limits.js';
import { isRecord, ownText } from './own-member.js';
import { readFrame } from './read-frame.js';
import { utf8Length } from './utf8-length.js';

/** Limits of {@link decodeMessage}. */
export interface DecodeLimits {
  /** Most bytes of one Event; beyond, it is `invalid-event`. Default {@link DEFAULT_MAX_EVENT_BYTES}. */
  readonly maxEventBytes?: number;
}

/**
 * What one text message is. `unknown`: a frame of a type that AEP 0.1 does not have; it is dropped without a word
 * (AEP-0003 §2).
 */
export type DecodedMessage =
  | { readonly type: 'event'; readonly wire: WireEvent }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'unknown' }
  | FrameFault;

/** Longest `id` that is copied into the answer to a message at fault, in UTF-16 units. */
const MAX_ECHO = 1024;

/**
 * Reads one text message: an Event where its `type` has a dot, a frame where it has none (AEP-0003 §2). Never throws for
 * what a message holds.
 *
 * An Event keeps its text. Frames are read as strictly as Events: a member named twice, a lone surrogate or too many levels
 * make a fault. Unknown members are ignored.
 *
 * @example
 * decodeMessage('{"type":"ping","t":1}')   // { type: 'frame', frame: { type: 'ping', t: 1 } }
 */
export function decodeMessage(message: string | Uint8Array, limits: DecodeLimits = {}): DecodedMessage {
  const { maxEventBytes = DEFAULT_MAX_EVENT_BYTES } = limits;
  let text: string;
  try {
    text = typeof message === 'string' ? message : decodeUtf8(message);
  } catch (error) {
    return fault('invalid-message', error);
  }
  // Most messages are Events. Which door is tried first changes the cost only: no text passes both.
  const probable = text.includes('"aep"') ? readEvent(text, maxEventBytes) : undefined;
  if (probable?.type === 'event') return probable;

  let value: ExactJsonValue;
  try {
    value = parseJson(text, { bigints: true });
  } catch (error) {
    return unreadable(text, error);
  }
  if (!isRecord(value)) return fault('invalid-message', '$: not an object');
  const type = ownText(value, 'type');
  if (type === undefined) return fault('invalid-message', '$.type: expected a string');
  if (!type.includes('.')) return readFrame(type, value);
  const read = probable ?? readEvent(text, maxEventBytes);
  return read.type === 'event' ? read : { ...read, ...causeOf(value) };
}

function readEvent(text: string, maxBytes: number): { readonly type: 'event'; readonly wire: WireEvent } | FrameFault {
  // A text is at most three bytes per unit, so most need no count.
  if (text.length * 3 > maxBytes && utf8Length(text) > maxBytes) return fault('invalid-event', `$: more than ${String(maxBytes)} bytes`);
  try {
    return { type: 'event', wire: parseEvent(text) };
  } catch (error) {
    return fault('invalid-event', error);
  }
}

/** A text that the strict door refuses. What it was meant to be decides the answer, so it is read once more, leniently. */
function unreadable(text: string, error: unknown): FrameFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('invalid-message', error);
  }
  const type = isRecord(value) ? ownText(value, 'type') : undefined;
  if (!isRecord(value) || type === undefined) return fault('invalid-message', error);
  if (type.includes('.')) return { ...fault('invalid-event', error), ...causeOf(value) };
  const id = shortText(value, 'id');
  return { ...fault(FAULTS.get(type) ?? 'invalid-request', error), frame: type, ...(id === undefined ? {} : { id }) };
}

const FAULTS: ReadonlyMap<string, FrameFaultCode> = new Map([
  ['hello', 'invalid-hello'],
  ['subscribe', 'invalid-filter'],
]);

function causeOf(value: Readonly<Record<string, unknown>>): { readonly cause?: string } {
  const cause = shortText(value, 'id');
  return cause === undefined ? {} : { cause };
}

function shortText(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const text = ownText(value, name);
  return text === undefined || text === '' || text.length > MAX_ECHO || !text.isWellFormed() ? undefined : text;
}

function fault(code: FrameFaultCode, reason: unknown): FrameFault {
  if (typeof reason === 'string') return { type: 'fault', code, detail: reason };
  if (reason instanceof EnvelopeError) return { type: 'fault', code, detail: reason.message };
  throw reason;
}
