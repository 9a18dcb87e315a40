import type { Capture, JsonObject, Position } from '@aepkit/envelope';

import type { PositionStore } from './position-store.js';
import type { SseTimers } from './timers.js';

/** Longest silence before a stream counts as dead, in milliseconds: three heartbeats of an endpoint of ours. */
export const DEFAULT_HEARTBEAT_TIMEOUT_MS = 45_000;
/** How long an answer may take, in milliseconds. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 15_000;
/** Shortest wait before another attempt, in milliseconds. */
export const DEFAULT_MIN_BACKOFF_MS = 500;
/** Longest wait before another attempt, in milliseconds, `Retry-After` excepted. */
export const DEFAULT_MAX_BACKOFF_MS = 30_000;
/** Longest `Retry-After` that is obeyed, in milliseconds. */
export const DEFAULT_MAX_RETRY_AFTER_MS = 300_000;
/** `(source, id)` pairs that are remembered to drop repeats. */
export const DEFAULT_MAX_SEEN = 50_000;
/** `(source, session)` pairs whose position is remembered. */
export const DEFAULT_MAX_SESSIONS = 10_000;
/** Largest SSE message in bytes: 4 MiB. */
export const DEFAULT_MAX_MESSAGE_BYTES = 4_194_304;
/** Longest URL in characters; 8 KB are what nginx takes. */
export const DEFAULT_MAX_URL_CHARS = 7_500;

/** A `fetch`. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** What {@link SseConsumer} takes. Bounds take `Infinity` for "off" unless they say otherwise. */
export interface SseConsumerOptions {
  /** The stream, for example `http://127.0.0.1:4319/stream`. Parameters it has already are kept. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`; never part of the URL, an item or an error. */
  readonly token?: string;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An attr-match filter. A string is JSON, sent as it is. Default: everything. */
  readonly filter?: JsonObject | string;
  /** Only these sessions; becomes the `session` member of the filter, which must have none. */
  readonly sessions?: readonly string[];
  /** The most that is wanted of each Event. Default: as stored. */
  readonly capture?: Capture;
  /** Where a run without saved positions starts: everything held, or behind named positions. Default: what comes from now on. */
  readonly from?: 'all' | readonly Position[];
  /** `false`: the replay and nothing after it. Needs `from` or saved positions. Default `true`. */
  readonly live?: boolean;
  /** Positions that outlive the run. Default: none are kept. */
  readonly positions?: PositionStore;
  /** Ends the run. */
  readonly signal?: AbortSignal;
  /** Default {@link DEFAULT_HEARTBEAT_TIMEOUT_MS}. */
  readonly heartbeatTimeoutMs?: number;
  /** Default {@link DEFAULT_CONNECT_TIMEOUT_MS}. */
  readonly connectTimeoutMs?: number;
  /** Default {@link DEFAULT_MIN_BACKOFF_MS}. */
  readonly minBackoffMs?: number;
  /** Default {@link DEFAULT_MAX_BACKOFF_MS}. */
  readonly maxBackoffMs?: number;
  /** Default {@link DEFAULT_MAX_RETRY_AFTER_MS}. */
  readonly maxRetryAfterMs?: number;
  /** Default {@link DEFAULT_MAX_SEEN}. */
  readonly maxSeen?: number;
  /** Default {@link DEFAULT_MAX_SESSIONS}. */
  readonly maxSessions?: number;
  /** Default {@link DEFAULT_MAX_MESSAGE_BYTES}. */
  readonly maxMessageBytes?: number;
  /** Default {@link DEFAULT_MAX_URL_CHARS}. */
  readonly maxUrlChars?: number;
  /** Default: the global one. */
  readonly fetch?: FetchLike;
  /** Wall clock in milliseconds, for dates in `Retry-After`. Default `Date.now`. */
  readonly now?: () => number;
  /** A number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Default: the global timers. */
  readonly timers?: SseTimers;
}
