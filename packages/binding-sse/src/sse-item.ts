import type { Position, WireEvent } from '@aepkit/envelope';

/** How a request asks for what was missed. `live`: not at all. */
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
 * Why a stream ended.
 *
 * - `ended`: the endpoint ended it in good order; `detail` holds its goodbye, for example `slow-consumer` or `shutting-down`.
 * - `cut`: the connection broke.
 * - `no-answer`: there was no connection, or no answer in time.
 * - `silent`: not a byte for `heartbeatTimeoutMs`.
 * - `unavailable`: 429 or 5xx.
 * - `protocol`: what came is not an event stream that can be read on, for example a line that never ends.
 * - `complete`: a request with `live: false` got its whole replay; the run is over.
 * - `no-content`: 204; the endpoint wants no further request, the run is over.
 */
export type ClosedReason = 'ended' | 'cut' | 'no-answer' | 'silent' | 'unavailable' | 'protocol' | 'complete' | 'no-content';

/** What a {@link SseConsumer} gives. */
export type SseItem =
  /** A stream is open. `resume` tells how it asked for what was missed. */
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
  /** A message that is no Event of this version; it was skipped. */
  | { readonly type: 'invalid'; readonly code: string; readonly detail: string }
  /** The stream is over. The next attempt comes in `retryInMs`; without it there is none. */
  | { readonly type: 'closed'; readonly reason: ClosedReason; readonly detail?: string; readonly status?: number; readonly retryInMs?: number }
  /** The endpoint refuses for good; the run is over. `code` and `detail` are its words, untrusted. */
  | { readonly type: 'refused'; readonly status: number; readonly code: string; readonly detail: string };
