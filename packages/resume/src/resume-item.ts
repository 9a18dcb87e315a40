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
 * An Event that has not been given before; with `replaces`, one that has, now with more in it (a higher `capture`); with `redelivered`,
 * one that has and was sent again, where the consumer asks for these. `position` is absent on Events that have none.
 */
export interface EventItem {
  readonly type: 'event';
  readonly event: WireEvent;
  readonly position?: Position;
  readonly replaces: boolean;
  readonly redelivered?: true;
}

/** The endpoint's own words: of this session it holds nothing before this position. A `gap` follows. */
export interface ExhaustedItem {
  readonly type: 'exhausted';
  readonly session: string;
  readonly epoch: number;
  readonly seq: number;
}

/** Events may be missing: of the session behind `after` and before `earliest`, as far as these are known. */
export interface GapItem {
  readonly type: 'gap';
  readonly reason: GapReason;
  readonly session?: string;
  readonly source?: string;
  readonly after?: { readonly epoch: number; readonly seq: number };
  readonly earliest?: { readonly epoch: number; readonly seq: number };
}

/** What a client gives whatever the transport. How a connection ends and how an endpoint refuses is its binding's own. */
export type ResumeItem =
  /** The endpoint has taken the request. `resume` tells how it asked for what was missed. */
  | { readonly type: 'open'; readonly resume: ResumeMode }
  | EventItem
  | ExhaustedItem
  | GapItem
  /** A message that is nothing of this version; it was skipped. */
  | { readonly type: 'invalid'; readonly code: string; readonly detail: string };
