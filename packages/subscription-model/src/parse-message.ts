import { EnvelopeError, isRfc3339, parseJson, type JsonValue } from '@aepkit/envelope';

import { isDeliveryMode } from './delivery-mode.js';
import { MessageError, type MessageFacts } from './errors.js';
import { bound, DEFAULT_MAX_DEPTH, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
import { MESSAGE_VERSION, type Message } from './message.js';

/** Options of {@link parseMessage}. */
export interface ParseMessageOptions {
  /** Most bytes of UTF-8. `Infinity`: off. Default {@link DEFAULT_MAX_MESSAGE_BYTES}. */
  readonly maxMessageBytes?: number;
}

/** Two dotted segments at least (C1). No two ways to read one text, so that it takes linear time. */
const TYPE = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$/;
const OPTIONAL_TEXTS = ['target', 'topic', 'session_id', 'conversation_id', 'task_id', 'correlation_id', 'causation_id', 'payload_schema'] as const;

/**
 * Reads one message (C1) from JSON text, strictly: a member named twice, a lone surrogate, bad UTF-8 and more than 64 levels are
 * refused. Unknown fields stay.
 *
 * Throws {@link MessageError}, whose `facts` say what could be read of the message; RangeError for a bad limit.
 *
 * @example
 * const { type, payload } = parseMessage(line);
 */
export function parseMessage(input: string | Uint8Array, options: ParseMessageOptions = {}): Message {
  const maxBytes = bound('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES);
  let value: JsonValue;
  try {
    value = parseJson(input, { maxBytes, maxDepth: DEFAULT_MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const code = error.code === 'too-large' ? error.code : 'invalid-json';
    throw new MessageError(code, error.path, code === 'too-large' ? `more than ${maxBytes} bytes` : `not strict JSON (${error.code})`, {}, { cause: error });
  }
  return checkMessage(value);
}

/** The same verdict on a value that is parsed already; gives the value itself. Throws {@link MessageError}. */
export function checkMessage(value: unknown): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MessageError('not-an-object', '$', 'a message is an object');
  const fields = value as Readonly<Record<string, unknown>>;
  const facts = factsOf(fields);
  const own = (name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const refuse = (code: MessageError['code'], name: string, detail: string): never => {
    throw new MessageError(code, `$.${name}`, detail, facts);
  };
  const needText = (name: string): string => {
    const text = own(name);
    if (text === undefined) refuse('missing-field', name, `${name} is missing`);
    if (typeof text !== 'string' || text === '') refuse('invalid-field', name, `${name} is a text that is not empty`);
    return text as string;
  };

  // The version comes first: another one may have other fields.
  if (needText('aep_version') !== MESSAGE_VERSION) refuse('unsupported-version', 'aep_version', 'another version of the draft');
  needText('id');
  if (!TYPE.test(needText('type'))) refuse('invalid-type', 'type', 'type is dotted segments in lower case, two at least');
  needText('source');
  if (!isRfc3339(needText('created_at'))) refuse('invalid-field', 'created_at', 'created_at is a date and time of RFC 3339');
  if (own('payload') === undefined) refuse('missing-field', 'payload', 'payload is missing');
  for (const name of OPTIONAL_TEXTS) {
    const text = own(name);
    if (text !== undefined && typeof text !== 'string') refuse('invalid-field', name, `${name} is a text`);
  }
  const expires = own('expires_at');
  if (expires !== undefined && expires !== null && !(typeof expires === 'string' && isRfc3339(expires))) {
    refuse('invalid-field', 'expires_at', 'expires_at is a date and time of RFC 3339, or null');
  }
  const fault = deliveryFault(own('delivery'));
  if (fault !== undefined) refuse('invalid-field', fault, `${fault} has a value it cannot have`);
  return value as Message;
}

function deliveryFault(delivery: unknown): string | undefined {
  if (delivery === undefined) return undefined;
  if (typeof delivery !== 'object' || delivery === null || Array.isArray(delivery)) return 'delivery';
  const { mode, sequence, cursor } = delivery as Readonly<Record<string, unknown>>;
  if (mode !== undefined && !isDeliveryMode(mode)) return 'delivery.mode';
  if (sequence !== undefined && !(typeof sequence === 'number' && Number.isInteger(sequence) && sequence >= 0)) return 'delivery.sequence';
  return cursor === undefined || typeof cursor === 'string' ? undefined : 'delivery.cursor';
}

/** What an answer needs, of a message that may be broken. */
function factsOf(fields: Readonly<Record<string, unknown>>): MessageFacts {
  const facts: Record<string, string> = {};
  for (const name of ['id', 'type', 'session_id', 'correlation_id'] as const) {
    const text = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof text === 'string' && text !== '') facts[name] = text;
  }
  return facts;
}
