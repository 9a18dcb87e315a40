import type { Position, WireEvent } from '@aepkit/envelope';

/** How a subscription asks for what was missed. `live`: not at all. */
export type ResumeMode = 'live' | 'positions' | 'all';

/**
 * Why Events may be missing.
 *
 * - `exhausted`: the endpoint said that it no longer holds what follows `after`.
 * - `not-held`: everything held was replayed, and neither the Event at `after` nor its direct successor was among it.
 * - `not-listed`: the request could not name every session, and the endpoint refused `all`; sessions that it did not name
 *   may have gone on.
 */
export type GapReason = 'exhausted' | 'not-held' | 'not-listed';

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
  /** The endpoint has taken the subscription. `resume` tells how it asked for what was missed. */
  | { readonly type: 'open'; readonly resume: ResumeMode }
  /**
   * An Event that has not been given before; with `replaces`, one that has, now with more in it (a higher `capture`); with `redelivered`,
   * one that has and was sent again, where `redeliveries` asks for these. `position` is absent on Events that have none.
   */
  | { readonly type: 'event'; readonly event: WireEvent; readonly position?: Position; readonly replaces: boolean; readonly redelivered?: true }
  /** The endpoint's own words: of this session it holds nothing before this position. A `gap` follows. */
  | { readonly type: 'exhausted'; readonly session: string; readonly epoch: number; readonly seq: number }
  /** Events may be missing: of the session behind `after` and before `earliest`, as far as these are known. */
  | {
      readonly type: 'gap';
      readonly reason: GapReason;
      readonly session?: string;
      readonly source?: string;
      readonly after?: { readonly epoch: number; readonly seq: number };
      readonly earliest?: { readonly epoch: number; readonly seq: number };
    }
  /** A message that is no Event or frame of this version; it was skipped. */
  | { readonly type: 'invalid'; readonly code: string; readonly detail: string }
  /** The connection is over; the subscription comes back by itself. */
  | Closed
  /** The subscription is over. */
  | Refused;
