import type { Capture, JsonObject, Position } from '@aepkit/envelope';
import { DEFAULT_MAX_SEEN, DEFAULT_MAX_SESSIONS, type PositionStore, sessionFilter } from '@aepkit/resume';

import { globalTimers, type SseTimers } from './timers.js';

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
  /**
   * How to come back where the filter does not name the sessions. `all`: ask for everything held and drop what is known, so that
   * nothing is missed; in a run that began live, sessions it has never seen come whole. `positions`: ask for known sessions only;
   * each time a `gap` tells that others may have gone on. Default `all`.
   */
  readonly resume?: 'all' | 'positions';
  /**
   * Give out again what was had before and was sent again, as a hop has to that is not the last consumer (AEP-0003 §5); never what
   * a replay brings again. Default `false`.
   */
  readonly redeliveries?: boolean;
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

/** {@link SseConsumerOptions}, merged and checked. */
export interface ResolvedConsumerOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly filter: string | undefined;
  /** The sessions the filter names, where it names them all. */
  readonly sessions: ReadonlySet<string> | undefined;
  readonly capture: Capture | undefined;
  readonly from: 'all' | readonly Position[] | undefined;
  readonly live: boolean;
  readonly resume: 'all' | 'positions';
  readonly redeliveries: boolean;
  readonly store: PositionStore | undefined;
  readonly signal: AbortSignal | undefined;
  readonly heartbeatTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly maxRetryAfterMs: number;
  readonly maxSeen: number;
  readonly maxSessions: number;
  readonly maxMessageBytes: number;
  readonly maxUrlChars: number;
  readonly fetch: FetchLike;
  readonly now: () => number;
  readonly random: () => number;
  readonly timers: SseTimers;
}

/** Merges the defaults and throws `RangeError` or `TypeError` for what makes no sense. */
export function resolveConsumerOptions(options: SseConsumerOptions): ResolvedConsumerOptions {
  const minBackoffMs = above0('minBackoffMs', options.minBackoffMs ?? DEFAULT_MIN_BACKOFF_MS);
  const maxBackoffMs = above0('maxBackoffMs', options.maxBackoffMs ?? DEFAULT_MAX_BACKOFF_MS);
  if (minBackoffMs > maxBackoffMs) throw new RangeError('minBackoffMs must not be above maxBackoffMs');
  const { filter, sessions } = sessionFilter(options);
  return {
    url: baseUrl(options.url),
    headers: {
      ...Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
      accept: 'text/event-stream',
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    },
    filter,
    sessions,
    capture: options.capture,
    from: options.from,
    live: options.live ?? true,
    resume: options.resume ?? 'all',
    redeliveries: options.redeliveries ?? false,
    store: options.positions,
    signal: options.signal,
    heartbeatTimeoutMs: above0('heartbeatTimeoutMs', options.heartbeatTimeoutMs ?? DEFAULT_HEARTBEAT_TIMEOUT_MS),
    connectTimeoutMs: above0('connectTimeoutMs', options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS),
    minBackoffMs,
    maxBackoffMs,
    maxRetryAfterMs: above0('maxRetryAfterMs', options.maxRetryAfterMs ?? DEFAULT_MAX_RETRY_AFTER_MS),
    maxSeen: above0('maxSeen', options.maxSeen ?? DEFAULT_MAX_SEEN),
    maxSessions: above0('maxSessions', options.maxSessions ?? DEFAULT_MAX_SESSIONS),
    maxMessageBytes: above0('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES),
    maxUrlChars: above0('maxUrlChars', options.maxUrlChars ?? DEFAULT_MAX_URL_CHARS),
    // A browser's `fetch` must not be called as a method of something else.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    timers: options.timers ?? globalTimers,
  };
}

/** Without a fragment, and without the parameters this client sets by itself. */
function baseUrl(given: string | URL): string {
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('url must be http or https');
  if (url.username !== '' || url.password !== '') throw new TypeError('url must hold no credentials; use token');
  for (const name of ['filter', 'capture', 'from', 'live']) {
    if (url.searchParams.has(name)) throw new TypeError(`url must not hold the parameter ${name}; use the option`);
  }
  url.hash = '';
  return url.href;
}

function above0(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} must be above 0`);
  return value;
}
