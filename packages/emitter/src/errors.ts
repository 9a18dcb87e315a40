import type { PayloadIssue } from '@aepkit/taxonomy';

/**
 * Why something was refused. Nothing was sent, and no position was used.
 *
 * About the Event:
 * - `unknown-type`: the type is neither registered nor a vendor type with a category of AEP-0001 §6, or it is reserved.
 * - `unknown-name`: an option or attribute by a name that nobody knows; the message says which one may be meant.
 * - `wrong-scope`: the type is not one that this call may emit: an `agent.*` type on a session, another type on the agent, a command.
 * - `invalid-identifier`: a subject, run, step, session, cause or agent is empty, too long, not a text, or holds control characters or half of a character.
 * - `invalid-extension`: an extension attribute has an illegal name or value, or the name of a core attribute.
 * - `invalid-attribute`: `time`, `severity`, `capture` or `traceparent` cannot stand in an Event.
 * - `invalid-payload`: `data` does not follow the schema of its type, or has no JSON form; `issues` or `path` say where.
 * - `too-large`: `data` or the Event is larger than its bound.
 * - `missing-run`, `missing-step`, `missing-subject`, `missing-cause`: the type cannot do without it.
 *
 * About the session:
 * - `second-terminal`: the session, run, tool call or request has ended before.
 * - `second-ack`: the command was acknowledged before.
 * - `unknown-request`: the subject is no request for attention that was raised in this session.
 * - `wrong-answer`: the answer does not fit the request.
 * - `invalid-delta`: a change of state is no RFC 6902 patch, follows no snapshot of its key in this process, or does not reach a later revision.
 * - `session-ended`: the session is over, and the Event is not marked as a late one.
 * - `no-epoch-memory`: a session by name, and nothing that says which epochs it has used (AEP-0001 §7.2).
 * - `invalid-epoch`: the epoch memory gave what it must not give.
 * - `too-many-sessions`, `too-many-requests`: a bound of this emitter.
 * - `not-for-models`: a program knows of this kind of fact itself (AEP-0001 §9).
 *
 * About the emitter:
 * - `queue-full`: with `whenFull: 'throw'`, the queue is full of Events that are never dropped.
 * - `closed`: the emitter was closed, or the session was released.
 */
export type EmitterErrorCode = (typeof EMITTER_ERROR_CODES)[number];

/** Every {@link EmitterErrorCode}. */
export const EMITTER_ERROR_CODES = [
  'unknown-type',
  'unknown-name',
  'wrong-scope',
  'invalid-identifier',
  'invalid-extension',
  'invalid-attribute',
  'invalid-payload',
  'too-large',
  'missing-run',
  'missing-step',
  'missing-subject',
  'missing-cause',
  'second-terminal',
  'second-ack',
  'unknown-request',
  'wrong-answer',
  'invalid-delta',
  'session-ended',
  'no-epoch-memory',
  'invalid-epoch',
  'too-many-sessions',
  'too-many-requests',
  'not-for-models',
  'queue-full',
  'closed',
] as const;

/** What an {@link EmitterError} may carry besides its code. */
export interface EmitterErrorFacts {
  readonly path?: string;
  readonly issues?: readonly PayloadIssue[];
  readonly cause?: unknown;
}

/** Thrown by everything that emits. Recognise it by `name` and `code`; the message never holds a value of the caller's. */
export class EmitterError extends Error {
  override readonly name = 'EmitterError';
  readonly code: EmitterErrorCode;
  /** Where in the Event: `$.subject`, `$.data.tool`. */
  readonly path: string;
  /** With `invalid-payload`: what its schema and AEP-0002 say against it. */
  readonly issues: readonly PayloadIssue[];

  constructor(code: EmitterErrorCode, says: string, facts: EmitterErrorFacts = {}) {
    const path = facts.path ?? '$';
    super(`${path}: ${says}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.path = path;
    this.issues = facts.issues ?? [];
  }
}

/** What a {@link TransportError} says. */
export interface TransportErrorFacts {
  readonly retryable: boolean;
  readonly accepted?: number;
  readonly index?: number;
  readonly retryAfterMs?: number;
  readonly code?: string;
  readonly cause?: unknown;
}

/**
 * What a transport rejects with. Any other error counts as one that may pass.
 *
 * A refusal that concerns the endpoint and not the Events (a wrong token, a wrong address) is `retryable`: what waits is kept
 * for the time when somebody has repaired it.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Whether the same Events may be taken later. False: one of them never will be, `index` says which. */
  readonly retryable: boolean;
  /** How many of the batch were taken before, always the first ones. */
  readonly accepted: number;
  /** Zero-based place in the batch of the Event that is refused for good. */
  readonly index: number | undefined;
  /** How long to wait at least. */
  readonly retryAfterMs: number | undefined;
  /** A short name for what went wrong, for `trouble` in the outcome of `flush`; where absent, that of `cause` stands there. */
  readonly code: string | undefined;

  constructor(says: string, facts: TransportErrorFacts) {
    super(says, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.retryable = facts.retryable;
    this.accepted = facts.accepted ?? 0;
    this.index = facts.index;
    this.retryAfterMs = facts.retryAfterMs;
    this.code = facts.code;
  }
}

/**
 * What a transport said, cleared of nonsense. Recognised by name, since a transport may come with its own copy of this package.
 * `undefined` for an error that says nothing: it may pass.
 */
export function transportFacts(error: unknown, events: number): Pick<TransportError, 'retryable' | 'accepted' | 'index' | 'retryAfterMs'> | undefined {
  if (!(error instanceof Error) || error.name !== 'TransportError') return undefined;
  const { retryable, accepted, index, retryAfterMs } = error as Partial<TransportError>;
  const taken = typeof accepted === 'number' && Number.isInteger(accepted) ? Math.max(0, Math.min(accepted, events)) : 0;
  const known = typeof index === 'number' && Number.isInteger(index) && index >= taken && index < events;
  return {
    retryable: retryable !== false,
    accepted: taken,
    // One that was alone is meant without a word.
    index: known ? index : events - taken === 1 ? taken : undefined,
    retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : undefined,
  };
}

/**
 * Why an epoch store on disk cannot be used.
 *
 * - `not-a-store`: the path is no folder, or holds something that no store made.
 * - `unavailable`: the file system failed; `cause` has its error.
 * - `closed`: the store was closed.
 */
export type EpochStoreErrorCode = 'not-a-store' | 'unavailable' | 'closed';

/** Thrown by the epoch store of `./epoch-file`. */
export class EpochStoreError extends Error {
  override readonly name = 'EpochStoreError';
  readonly code: EpochStoreErrorCode;

  constructor(code: EpochStoreErrorCode, says: string, options?: ErrorOptions) {
    super(says, options);
    this.code = code;
  }
}
