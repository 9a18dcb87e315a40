import type { ResumeItem } from '@aepkit/resume';

/**
 * Why a connection ended.
 *
 * - `ended`: the endpoint ended it in good order; `detail` holds the reason of its `closing`, for example `slow-consumer` or `shutdown`.
 * - `cut`: it broke.
 * - `no-answer`: there was no connection, or no `hello` in time.
 * - `silent`: nothing came for `idleTimeoutMs`.
 * - `unavailable`: 429 or 5xx, or close code 1013.
 * - `protocol`: one side did what AEP-0003 forbids, for example a binary message.
 * - `overrun`: Events came faster than they were taken, and the socket cannot be paused; the client comes back when they are.
 */
export type ClosedReason = 'ended' | 'cut' | 'no-answer' | 'silent' | 'unavailable' | 'protocol' | 'overrun';

/** How a connection ended. The next attempt comes in `retryInMs`; without it there is none yet. */
export interface Closed {
  readonly type: 'closed';
  readonly reason: ClosedReason;
  readonly detail?: string;
  /** The HTTP status of a refused upgrade, where the socket tells. */
  readonly status?: number;
  /** The close code, where there was one. */
  readonly code?: number;
  readonly retryInMs?: number;
}

/** The endpoint refuses for good. `code` and `detail` are its words, untrusted. */
export interface Refused {
  readonly type: 'refused';
  readonly code: string;
  readonly detail: string;
  /** The HTTP status of a refused upgrade, where the socket tells. */
  readonly status?: number;
}

/** What a subscription gives. */
export type SocketItem =
  /** The subscription is taken, an Event, something that is missing, or a message that was skipped. */
  | ResumeItem
  /** The connection is over; the subscription comes back by itself. */
  | Closed
  /** The subscription is over. */
  | Refused;
