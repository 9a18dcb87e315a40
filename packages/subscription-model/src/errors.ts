import type { WireErrorCode } from './wire-error.js';

/**
 * Why a filter was refused. On the wire each is `subscription_rejected` with the code in `details.reason` (§2, §3.3).
 *
 * - `invalid-json`: the text is not strict JSON: syntax, encoding, a member named twice, a lone surrogate.
 * - `not-an-object`: the filter is not a plain JSON object.
 * - `no-criterion`: none of `types`, `source`, `target` and `topic` is there.
 * - `invalid-value`: a field is neither a string nor an array of strings, or an option is not a string.
 * - `empty-list`: a field is an array without an element.
 * - `invalid-pattern`: a type pattern is empty, has an empty segment, or a `*` beside other characters in one segment.
 * - `unknown-mode`: `delivery_mode` is none of the three.
 * - `too-deep`: more levels of arrays and objects than 64.
 * - `too-large`: more bytes than `maxFilterBytes`.
 * - `too-many-values`: more values over all fields than `maxValues`.
 * - `too-many-segments`: a pattern has more segments than `maxSegments`.
 */
export type FilterErrorCode =
  | 'invalid-json'
  | 'not-an-object'
  | 'no-criterion'
  | 'invalid-value'
  | 'empty-list'
  | 'invalid-pattern'
  | 'unknown-mode'
  | 'too-deep'
  | 'too-large'
  | 'too-many-values'
  | 'too-many-segments';

/** A filter that was refused as a whole (§6: validated before a subscription is created). */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  /** What is wrong. */
  readonly code: FilterErrorCode;
  /** Where: `$` is the filter itself, `$.types[1]` a value. */
  readonly path: string;
  /** The sentence for the wire, without the path. Holds names of fields, never values. */
  readonly detail: string;

  constructor(code: FilterErrorCode, path: string, detail: string, options?: ErrorOptions) {
    super(`${path}: ${detail}`, options);
    this.code = code;
    this.path = path;
    this.detail = detail;
  }
}

/**
 * Why a text or a value is not a message (C1).
 *
 * - `too-large`: more bytes than `maxMessageBytes`.
 * - `invalid-json`: not strict JSON: syntax, UTF-8, depth, a member named twice, a lone surrogate.
 * - `not-an-object`: JSON, but not an object.
 * - `unsupported-version`: `aep_version` names another version.
 * - `missing-field`: a required field is absent.
 * - `invalid-field`: a field has a value it cannot have.
 * - `invalid-type`: `type` is not dotted lower-case segments, two at least.
 */
export type MessageErrorCode =
  | 'too-large'
  | 'invalid-json'
  | 'not-an-object'
  | 'unsupported-version'
  | 'missing-field'
  | 'invalid-field'
  | 'invalid-type';

/** What could be read of a message that was refused: enough to answer it. */
export interface MessageFacts {
  readonly id?: string;
  readonly type?: string;
  readonly session_id?: string;
  readonly correlation_id?: string;
}

/** Thrown where a text or a value is not a message of this draft. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
  /** What is wrong. */
  readonly code: MessageErrorCode;
  /** Where: `$` is the whole. */
  readonly path: string;
  /** The code that an `event.rejected` about it carries (C3). */
  readonly wireCode: WireErrorCode;
  /** What could be read of it. */
  readonly facts: MessageFacts;

  constructor(code: MessageErrorCode, path: string, detail: string, facts: MessageFacts = {}, options?: ErrorOptions) {
    super(`${path}: ${detail}`, options);
    this.code = code;
    this.path = path;
    this.wireCode = MESSAGE_WIRE_CODES[code];
    this.facts = facts;
  }
}

const MESSAGE_WIRE_CODES: Readonly<Record<MessageErrorCode, WireErrorCode>> = {
  'too-large': 'protocol_error',
  'invalid-json': 'protocol_error',
  'not-an-object': 'invalid_envelope',
  'unsupported-version': 'unsupported_version',
  'missing-field': 'invalid_envelope',
  'invalid-field': 'invalid_envelope',
  'invalid-type': 'invalid_event_type',
};

/**
 * Why a stream cannot give or take events.
 *
 * - `evicted`: the next event is no longer held.
 * - `not-appendable`: the stream is filled elsewhere, so nothing can be published here.
 * - `reserved-type`: an event of a control family (`session`, `subscription`, `capabilities`, `event`) is not published.
 */
export type StreamErrorCode = 'evicted' | 'not-appendable' | 'reserved-type';

/** Thrown by streams and by `publish`. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  /** What is wrong. */
  readonly code: StreamErrorCode;

  constructor(code: StreamErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

/**
 * Why a call on a consumer was refused.
 *
 * - `already-open`: the session is still there.
 * - `unknown-subscription`: not a subscription of this consumer.
 */
export type ConsumerErrorCode = 'already-open' | 'unknown-subscription';

/** Thrown by a consumer for a call that its state does not allow. What a peer does wrong is an item, never an error. */
export class ConsumerError extends Error {
  override readonly name = 'ConsumerError';
  /** What is wrong. */
  readonly code: ConsumerErrorCode;

  constructor(code: ConsumerErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
