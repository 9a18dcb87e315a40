import { decodeUtf8, EnvelopeError, type ExactJsonValue, parseEvent, parseJson, type WireEvent } from '@aepkit/envelope';

import { type Frame, FRAME_TYPES } from './frame.js';
import type { FrameFault, FrameFaultCode } from './frame-fault.js';
import { DEFAULT_MAX_EVENT_BYTES } from './limits.js';
import { isRecord, ownText } from './own-member.js';
import { readFrame } from './read-frame.js';

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

/** Longest frame that is read, in UTF-16 units; longer ones are refused in-band. Ten thousand positions take less. */
const MAX_FRAME_LENGTH = 1024 * 1024;
/** Longest frame that is copied back, in UTF-16 units. */
const MAX_PING_LENGTH = 64 * 1024;
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
  const long = text.length > MAX_FRAME_LENGTH;
  const probable = long || text.includes('"aep"') ? readEvent(text, maxEventBytes) : undefined;
  if (probable?.type === 'event') return probable;
  if (long) return unreadable(text, probable?.detail ?? '', 'limit-exceeded');

  let value: ExactJsonValue;
  try {
    value = parseJson(text, { bigints: true, maxBytes: Infinity });
  } catch (error) {
    return unreadable(text, error, 'invalid-filter');
  }
  if (!isRecord(value)) return fault('invalid-message', '$: not an object');
  const type = ownText(value, 'type');
  if (type === undefined) return fault('invalid-message', '$.type: expected a string');
  if (!type.includes('.')) {
    // What is copied back may grow by its digits.
    if (type === 'ping' && text.length > MAX_PING_LENGTH) return { ...fault('invalid-request', `$: more than ${String(MAX_PING_LENGTH)} characters`), frame: type };
    return readFrame(type, value);
  }
  const read = probable ?? readEvent(text, maxEventBytes);
  return read.type === 'event' ? read : { ...read, ...causeOf(value) };
}

function readEvent(text: string, maxBytes: number): { readonly type: 'event'; readonly wire: WireEvent } | FrameFault {
  try {
    // Options are resolved with every call, so the usual limit goes without.
    return { type: 'event', wire: maxBytes === DEFAULT_MAX_EVENT_BYTES ? parseEvent(text) : parseEvent(text, { maxBytes }) };
  } catch (error) {
    return fault('invalid-event', error);
  }
}

/**
 * A text that the strict door refuses. What it was meant to be decides the answer, so it is read once more, leniently.
 * `subscribe`: the code where it is one; only the closed set of AEP-0003 §6.5 answers it.
 */
function unreadable(text: string, reason: unknown, subscribe: 'invalid-filter' | 'limit-exceeded'): FrameFault | { readonly type: 'unknown' } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('invalid-message', reason);
  }
  const type = isRecord(value) ? ownText(value, 'type') : undefined;
  if (!isRecord(value) || type === undefined) return fault('invalid-message', reason);
  if (type.includes('.')) return { ...fault('invalid-event', reason), ...causeOf(value) };
  if (!KNOWN.has(type)) return { type: 'unknown' };
  const id = shortText(value, 'id');
  const code = type === 'subscribe' ? subscribe : type === 'hello' ? 'invalid-hello' : 'invalid-request';
  return { ...fault(code, reason), frame: type, ...(id === undefined ? {} : { id }) };
}

const KNOWN: ReadonlySet<string> = new Set(FRAME_TYPES);

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
