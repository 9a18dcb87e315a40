import type { Access } from '@aepkit/access';
import type { Hub } from '@aepkit/hub';

import type { HttpRefusal } from './refusal.js';

/** Largest single Event, in bytes of its line or body, unless `maxEventBytes` says otherwise: 1 MiB. */
export const DEFAULT_MAX_EVENT_BYTES = 1_048_576;
/** Largest request body, in bytes, on the wire and again when inflated, unless `maxBodyBytes` says otherwise: 16 MiB. */
export const DEFAULT_MAX_BODY_BYTES = 16_777_216;
/** Most Events in one request, unless `maxLines` says otherwise. As many blank lines are skipped; more are too many. */
export const DEFAULT_MAX_LINES = 10_000;
/** Bytes of bodies that are being read or inflated, all requests together, unless `maxPendingBytes` says otherwise: 256 MiB. */
export const DEFAULT_MAX_PENDING_BYTES = 268_435_456;
/** How long a body may take to arrive, in milliseconds, unless `bodyTimeoutMs` says otherwise. */
export const DEFAULT_BODY_TIMEOUT_MS = 60_000;
/** How long a refused body is read off before the connection is cut, in milliseconds, unless `lingerMs` says otherwise. */
export const DEFAULT_LINGER_MS = 3_000;
/** How much of a refused body is read off before the connection is cut, in bytes, unless `lingerBytes` says otherwise: 64 MiB. */
export const DEFAULT_LINGER_BYTES = 67_108_864;
/** `Retry-After` of a 503 or 429, in seconds, unless `retryAfterSeconds` says otherwise. */
export const DEFAULT_RETRY_AFTER_SECONDS = 1;

/**
 * URL references of the routes an endpoint offers, as its discovery document states them (AEP-0003 §3.4). A client
 * resolves them against the URL of the document, of which there are two: so each starts with `/` or is a full URL.
 */
export interface HttpEndpoints {
  /** Default `/events`. Behind a path prefix: `/prefix/events`. */
  readonly events?: string;
  /** Left out of the document unless given. */
  readonly stream?: string;
  /** Left out of the document unless given. */
  readonly socket?: string;
}

/** Timers, as `httpBinding` uses them. */
export interface HttpTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** What {@link httpBinding} takes. Every bound takes `Infinity` for "off" unless it says otherwise. */
export interface HttpBindingOptions {
  /** Where Events go, and whose facts the discovery document states. */
  readonly hub: Pick<Hub, 'ingest' | 'facts'>;
  /** Who may emit, whether discovery is public, and which origins' pages get CORS headers. */
  readonly access: Pick<Access, 'admit' | 'checkOrigin' | 'checkDiscovery' | 'crossOrigin'>;
  /** Routes of this endpoint, for the discovery document. */
  readonly endpoints?: HttpEndpoints;
  /** Largest Event in bytes. Default {@link DEFAULT_MAX_EVENT_BYTES}. */
  readonly maxEventBytes?: number;
  /** Largest body in bytes, before and behind inflation. Default {@link DEFAULT_MAX_BODY_BYTES}. */
  readonly maxBodyBytes?: number;
  /** Most Events in one request. Default {@link DEFAULT_MAX_LINES}. */
  readonly maxLines?: number;
  /** Bytes held for bodies that are under way, all requests together; beyond it 503. Default {@link DEFAULT_MAX_PENDING_BYTES}. */
  readonly maxPendingBytes?: number;
  /** Longest time a body may take, in milliseconds; then 408. Default {@link DEFAULT_BODY_TIMEOUT_MS}. */
  readonly bodyTimeoutMs?: number;
  /** How long a refused body is read off, in milliseconds; 0 cuts at once. Default {@link DEFAULT_LINGER_MS}. */
  readonly lingerMs?: number;
  /** How much of a refused body is read off, in bytes. Default {@link DEFAULT_LINGER_BYTES}. */
  readonly lingerBytes?: number;
  /** `Retry-After` of 503 and 429, whole seconds. Default {@link DEFAULT_RETRY_AFTER_SECONDS}. */
  readonly retryAfterSeconds?: number;
  /** Called once for every request that is refused. For counters; what it throws is dropped. */
  readonly onRefusal?: (refusal: HttpRefusal) => void;
  /** Default: the global timers. */
  readonly timers?: HttpTimers;
}

/** {@link HttpBindingOptions} with every default filled in. */
export interface ResolvedOptions extends Required<Omit<HttpBindingOptions, 'onRefusal' | 'endpoints'>> {
  readonly endpoints: HttpEndpoints;
  readonly onRefusal: ((refusal: HttpRefusal) => void) | undefined;
}

const LONGEST_TIMER_MS = 2_147_483_647;

type BodyOptionName = 'maxBodyBytes' | 'maxPendingBytes' | 'bodyTimeoutMs' | 'timers';

/** Fills in the defaults of what bounds a body alone. Throws RangeError or TypeError. */
export function resolveBodyOptions(options: Pick<HttpBindingOptions, BodyOptionName>): Required<Pick<HttpBindingOptions, BodyOptionName>> {
  const resolved = bodyOptions(options);
  if (resolved.maxPendingBytes < resolved.maxBodyBytes) throw new RangeError('maxPendingBytes has to hold one body at least');
  return resolved;
}

function bodyOptions(options: Pick<HttpBindingOptions, BodyOptionName>): Required<Pick<HttpBindingOptions, BodyOptionName>> {
  return {
    maxBodyBytes: count('maxBodyBytes', options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, 1),
    maxPendingBytes: count('maxPendingBytes', options.maxPendingBytes ?? DEFAULT_MAX_PENDING_BYTES, 1),
    bodyTimeoutMs: milliseconds('bodyTimeoutMs', options.bodyTimeoutMs ?? DEFAULT_BODY_TIMEOUT_MS, 1),
    timers: options.timers ?? GLOBAL_TIMERS,
  };
}

/** Fills in defaults. Throws RangeError for a number out of place and TypeError for anything else. */
export function resolveOptions(options: HttpBindingOptions): ResolvedOptions {
  const resolved: ResolvedOptions = {
    ...bodyOptions(options),
    hub: options.hub,
    access: options.access,
    endpoints: resolveEndpoints(options.endpoints ?? {}),
    maxEventBytes: count('maxEventBytes', options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES, 1),
    maxLines: count('maxLines', options.maxLines ?? DEFAULT_MAX_LINES, 1),
    lingerMs: milliseconds('lingerMs', options.lingerMs ?? DEFAULT_LINGER_MS, 0),
    lingerBytes: count('lingerBytes', options.lingerBytes ?? DEFAULT_LINGER_BYTES, 0),
    retryAfterSeconds: options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS,
    onRefusal: options.onRefusal,
  };
  if (!Number.isSafeInteger(resolved.retryAfterSeconds) || resolved.retryAfterSeconds < 0) {
    throw new RangeError('retryAfterSeconds is a whole number, 0 or more');
  }
  if (resolved.maxPendingBytes < Math.min(resolved.maxBodyBytes, resolved.maxEventBytes)) {
    throw new RangeError('maxPendingBytes has to hold one body at least');
  }
  return resolved;
}

const GLOBAL_TIMERS: HttpTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => {
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

function count(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number, ${String(least)} or more, or Infinity`);
  }
  return value;
}

function milliseconds(name: string, value: number, least: number): number {
  if (value !== Infinity && value > LONGEST_TIMER_MS) throw new RangeError(`${name} is at most ${String(LONGEST_TIMER_MS)}, or Infinity`);
  return count(name, value, least);
}

function resolveEndpoints(endpoints: HttpEndpoints): HttpEndpoints {
  const { events = '/events', stream, socket } = endpoints;
  for (const [name, reference] of Object.entries({ events, stream, socket })) {
    if (reference === undefined) continue;
    const isPath = reference.startsWith('/') && !reference.startsWith('//');
    const isUrl = URL.canParse(reference) && /^(?:https?|wss?):$/.test(new URL(reference).protocol);
    if (!isPath && !isUrl) throw new TypeError(`endpoints.${name} starts with "/" or is a full http, https, ws or wss URL`);
  }
  return {
    events,
    ...(stream === undefined ? {} : { stream }),
    ...(socket === undefined ? {} : { socket }),
  };
}
