import { bearer, httpTarget } from './http-target.js';
import { GLOBAL_TIMERS, type ClientTimers } from './deadline.js';

/** Most Events in one request, unless `maxBatchEvents` says otherwise. */
export const DEFAULT_MAX_BATCH_EVENTS = 1_000;
/** Largest request body, in bytes, unless `maxBatchBytes` says otherwise: 4 MiB. A larger single Event goes alone. */
export const DEFAULT_MAX_BATCH_BYTES = 4_194_304;
/** Bytes of Events waiting in one emitter, unless `maxQueuedBytes` says otherwise: 64 MiB. */
export const DEFAULT_MAX_QUEUED_BYTES = 67_108_864;
/** Requests made for one batch, the first included, unless `maxAttempts` says otherwise. */
export const DEFAULT_MAX_ATTEMPTS = 8;
/** How long one batch is tried, in milliseconds, unless `maxRetryMs` says otherwise. */
export const DEFAULT_MAX_RETRY_MS = 60_000;
/** Longest time one request may take, in milliseconds, unless `requestTimeoutMs` says otherwise. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
/** First pause between two attempts, in milliseconds, before jitter, unless `baseDelayMs` says otherwise. Doubles each time. */
export const DEFAULT_BASE_DELAY_MS = 200;
/** Longest pause that back-off comes to, in milliseconds, unless `maxDelayMs` says otherwise. `Retry-After` may ask for more. */
export const DEFAULT_MAX_DELAY_MS = 10_000;

/** The part of `fetch` this package uses. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** One attempt that failed and is going to be made again. */
export interface HttpRetry {
  /** How many attempts were made so far. */
  readonly attempt: number;
  /** Status of the answer; absent where there was none. */
  readonly status?: number;
  /** The pause ahead, in milliseconds. */
  readonly delayMs: number;
}

/** What {@link HttpEmitter} takes. */
export interface HttpEmitterOptions {
  /** Where to POST, for example `http://127.0.0.1:4319/events` or `discovery.endpoints.events`. No user name or password in it. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`. Never part of an error. */
  readonly token?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Most Events per request. Default {@link DEFAULT_MAX_BATCH_EVENTS}. */
  readonly maxBatchEvents?: number;
  /** Most bytes per request. Default {@link DEFAULT_MAX_BATCH_BYTES}. */
  readonly maxBatchBytes?: number;
  /** Most bytes waiting here. `Infinity`: off. Default {@link DEFAULT_MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
  /** Attempts per batch, the first included. `Infinity`: off. Default {@link DEFAULT_MAX_ATTEMPTS}. */
  readonly maxAttempts?: number;
  /** Time per batch, in milliseconds. `Infinity`: off. Default {@link DEFAULT_MAX_RETRY_MS}. */
  readonly maxRetryMs?: number;
  /** Time per request, in milliseconds. `Infinity`: off. Default {@link DEFAULT_REQUEST_TIMEOUT_MS}. */
  readonly requestTimeoutMs?: number;
  /** First pause, in milliseconds. Default {@link DEFAULT_BASE_DELAY_MS}. */
  readonly baseDelayMs?: number;
  /** Longest pause, in milliseconds. Default {@link DEFAULT_MAX_DELAY_MS}. */
  readonly maxDelayMs?: number;
  /** Called ahead of every pause. For counters; what it throws is dropped. */
  readonly onRetry?: (retry: HttpRetry) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Default: the global timers. */
  readonly timers?: ClientTimers;
}

/** {@link HttpEmitterOptions} with every default filled in. The token is in `authorization` alone. */
export interface EmitterSettings
  extends Required<Omit<HttpEmitterOptions, 'url' | 'token' | 'onRetry'>> {
  readonly url: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly onRetry: ((retry: HttpRetry) => void) | undefined;
  /** Takes the token out of a text that came from outside. */
  readonly scrub: (text: string) => string;
}

/** Fills in defaults. Throws RangeError for a number out of place and TypeError for a URL or token that cannot be used. */
export function resolveEmitterOptions(options: HttpEmitterOptions): EmitterSettings {
  const { token } = options;
  return {
    url: httpTarget(options.url),
    authorization: bearer(token),
    scrub: token === undefined ? (text) => text : (text) => text.replaceAll(token, '[token]'),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    maxBatchEvents: bound('maxBatchEvents', options.maxBatchEvents ?? DEFAULT_MAX_BATCH_EVENTS, 1),
    maxBatchBytes: bound('maxBatchBytes', options.maxBatchBytes ?? DEFAULT_MAX_BATCH_BYTES, 1),
    maxQueuedBytes: bound('maxQueuedBytes', options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES, 1),
    maxAttempts: bound('maxAttempts', options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS, 1),
    maxRetryMs: bound('maxRetryMs', options.maxRetryMs ?? DEFAULT_MAX_RETRY_MS, 0),
    requestTimeoutMs: bound('requestTimeoutMs', options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS, 1),
    baseDelayMs: bound('baseDelayMs', options.baseDelayMs ?? DEFAULT_BASE_DELAY_MS, 0),
    maxDelayMs: bound('maxDelayMs', options.maxDelayMs ?? DEFAULT_MAX_DELAY_MS, 0),
    onRetry: options.onRetry,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    timers: options.timers ?? GLOBAL_TIMERS,
  };
}

function bound(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number, ${String(least)} or more, or Infinity`);
  }
  return value;
}
