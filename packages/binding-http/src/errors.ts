/**
 * Why {@link HttpEmitter.send} gave up. Only `network`, `unavailable` and `overloaded` have been tried again.
 *
 * - `invalid-event`: 400, the endpoint read the request and found an Event it does not take; `index` names it.
 * - `unauthorized`: 401, no token or a wrong one.
 * - `forbidden`: 403, the token may not emit, or the request holds a command; `reason` says which.
 * - `too-large`: 413 for a single Event; a batch is halved first.
 * - `unsupported-media-type`: 415.
 * - `unsupported-version`: 426; `versions` holds what the endpoint speaks.
 * - `refused`: another 4xx, for example 404 from a wrong URL.
 * - `unexpected-answer`: neither 202 nor an error, for example a redirect or a page of a proxy.
 * - `overloaded`: 429 until the attempts or the time ran out.
 * - `unavailable`: 5xx until the attempts or the time ran out.
 * - `network`: no answer until the attempts or the time ran out.
 * - `aborted`: the caller's signal.
 * - `queue-full`: too much is waiting in this emitter; nothing was sent.
 */
export type HttpEmitErrorCode =
  | 'invalid-event'
  | 'unauthorized'
  | 'forbidden'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unsupported-version'
  | 'refused'
  | 'unexpected-answer'
  | 'overloaded'
  | 'unavailable'
  | 'network'
  | 'aborted'
  | 'queue-full';

/** What an {@link HttpEmitError} may carry besides its code. */
export interface HttpEmitErrorFacts {
  readonly status?: number;
  readonly reason?: string;
  readonly detail?: string;
  readonly index?: number;
  readonly versions?: readonly string[];
  readonly retryAfterMs?: number;
  readonly accepted?: number;
  readonly attempts?: number;
  readonly cause?: unknown;
}

/** Thrown by {@link HttpEmitter.send}. Never holds a token. */
export class HttpEmitError extends Error {
  override readonly name = 'HttpEmitError';
  readonly code: HttpEmitErrorCode;
  /** Status of the last answer; absent where there was none. */
  readonly status: number | undefined;
  /** The `error` member of the answer. */
  readonly reason: string | undefined;
  /** The `detail` member of the answer: text of the endpoint, untrusted. */
  readonly detail: string | undefined;
  /** Zero-based place of the offending Event among those given to `send`, where the endpoint named one. */
  readonly index: number | undefined;
  /** With `unsupported-version`: the versions the endpoint speaks. */
  readonly versions: readonly string[] | undefined;
  /** How long the endpoint asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** How many of the Events given to `send` were acknowledged before this: always the first ones. */
  readonly accepted: number;
  /** Requests made for the batch that failed. */
  readonly attempts: number;

  constructor(code: HttpEmitErrorCode, message: string, facts: HttpEmitErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.reason = facts.reason;
    this.detail = facts.detail;
    this.index = facts.index;
    this.versions = facts.versions;
    this.retryAfterMs = facts.retryAfterMs;
    this.accepted = facts.accepted ?? 0;
    this.attempts = facts.attempts ?? 0;
  }
}

/**
 * Why {@link discover} failed.
 *
 * - `network`: no answer, or none in time.
 * - `unauthorized`: 401 or 403; the document is gated and the token missing or wrong.
 * - `not-found`: another status than 200: there is no discovery document here.
 * - `invalid-document`: 200 with something else, or a document whose known members have a wrong type.
 * - `aborted`: the caller's signal.
 */
export type DiscoverErrorCode = 'network' | 'unauthorized' | 'not-found' | 'invalid-document' | 'aborted';

/** Thrown by {@link discover}. Never holds a token. */
export class DiscoverError extends Error {
  override readonly name = 'DiscoverError';
  readonly code: DiscoverErrorCode;
  /** Status of the answer; absent where there was none. */
  readonly status: number | undefined;

  constructor(code: DiscoverErrorCode, message: string, facts: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
  }
}
