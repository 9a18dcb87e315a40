/**
 * Why a call of the client fails. What goes wrong with a subscription does not throw: it comes out as an item.
 *
 * - `closed`: the client was closed.
 * - `refused`: the endpoint refuses the connection for good, one of the Events, or the request; `reason` is its code.
 * - `disconnected`: there is no connection, or it broke before the endpoint confirmed.
 * - `queue-full`: more waits than `maxQueuedBytes`; nothing of the call was taken.
 * - `too-large`: an Event is above `maxEventBytes`, or the endpoint closed the connection over it.
 * - `not-offered`: the endpoint did not declare what is asked for, so no answer would come (AEP-0003 §4.1).
 * - `timeout`: no answer in time.
 * - `duplicate-id`: a subscription of this client has this id.
 * - `already-running`: a subscription is read by one iteration.
 * - `store-failed`: a position store could not be read or written; `cause` holds its error.
 */
export type SocketClientErrorCode = (typeof SOCKET_CLIENT_ERROR_CODES)[number];

/** Every {@link SocketClientErrorCode}. */
export const SOCKET_CLIENT_ERROR_CODES = [
  'closed',
  'refused',
  'disconnected',
  'queue-full',
  'too-large',
  'not-offered',
  'timeout',
  'duplicate-id',
  'already-running',
  'store-failed',
] as const;

/** What a {@link SocketClientError} may carry besides its code. */
export interface SocketClientErrorFacts {
  /** The endpoint's code. */
  readonly reason?: string | undefined;
  /** Zero-based place in the call of the first Event it is about. */
  readonly index?: number | undefined;
  readonly cause?: unknown;
}

/** Thrown by the client. Holds no token and no URL; text of the endpoint in it is untrusted. */
export class SocketClientError extends Error {
  override readonly name = 'SocketClientError';
  readonly code: SocketClientErrorCode;
  readonly reason: string | undefined;
  readonly index: number | undefined;

  constructor(code: SocketClientErrorCode, message: string, { reason, index, cause }: SocketClientErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.index = index;
  }
}
