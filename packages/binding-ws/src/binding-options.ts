import type { Access } from '@aepkit/access';
import type { Hub } from '@aepkit/hub';

import { DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
import type { WsRefusal } from './refuse-upgrade.js';
import { backgroundTimers, MAX_DELAY_MS, type WsTimers } from './timers.js';

/** How long a peer may take for its `hello`, in milliseconds, unless `helloTimeoutMs` says otherwise. */
export const DEFAULT_HELLO_TIMEOUT_MS = 10_000;
/** How often each peer is pinged, in milliseconds, unless `pingMs` says otherwise (AEP-0003 §3.5). */
export const DEFAULT_PING_MS = 30_000;
/** Longest silence of a peer, in milliseconds, unless `idleTimeoutMs` says otherwise (AEP-0003 §3.5). */
export const DEFAULT_IDLE_TIMEOUT_MS = 90_000;
/** How long a probed peer may stay silent, in milliseconds, unless `probeTimeoutMs` says otherwise. */
export const DEFAULT_PROBE_TIMEOUT_MS = 5_000;
/** How long one message may take to arrive, in milliseconds, unless `messageTimeoutMs` says otherwise. */
export const DEFAULT_MESSAGE_TIMEOUT_MS = 60_000;
/** How long Events wait for room where the hub is overloaded, in milliseconds, unless `overloadTimeoutMs` says otherwise. */
export const DEFAULT_OVERLOAD_TIMEOUT_MS = 10_000;
/** How long an ended connection may take to leave before it is destroyed, in milliseconds, unless `closeGraceMs` says otherwise: a slow reader gets its `closing` if it reads on by then. */
export const DEFAULT_CLOSE_GRACE_MS = 10_000;
/** Largest `hello` in bytes, unless `maxHelloBytes` says otherwise: 64 KiB. What it declares is kept as long as the connection. */
export const DEFAULT_MAX_HELLO_BYTES = 65_536;
/** Bytes of messages that wait, or whose commit does, from which on a connection is not read, unless `maxUncommittedBytes` says otherwise: 4 MiB. */
export const DEFAULT_MAX_UNCOMMITTED_BYTES: number = 4 * 1024 * 1024;
/** Bytes that may wait in one socket before its consumer counts as full, unless `highWaterMarkBytes` says otherwise: 64 KiB. */
export const DEFAULT_HIGH_WATER_MARK_BYTES = 65_536;
/** Bytes that wait in one socket from which on its peer is not read and gets no command, unless `maxBufferedBytes` says otherwise: 1 MiB. */
export const DEFAULT_MAX_BUFFERED_BYTES: number = 1024 * 1024;
/** Bytes of unfinished messages over all connections, unless `maxUnfinishedBytes` says otherwise: 64 MiB. */
export const DEFAULT_MAX_UNFINISHED_BYTES: number = 64 * 1024 * 1024;
/** Largest roster reply in bytes, unless `maxRosterBytes` says otherwise: 4 MiB. */
export const DEFAULT_MAX_ROSTER_BYTES: number = 4 * 1024 * 1024;
/** Connections that have not said `hello`, unless `maxOpening` says otherwise. */
export const DEFAULT_MAX_OPENING = 1_000;
/** Messages of one connection that cannot be read before it is closed, unless `maxFaults` says otherwise. */
export const DEFAULT_MAX_FAULTS = 16;
/** Longest URL of an upgrade in characters, unless `maxUrlChars` says otherwise. */
export const DEFAULT_MAX_URL_CHARS = 8_192;
/** `Retry-After` of a 503, in seconds, unless `retryAfterSeconds` says otherwise. */
export const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** A fault behind a connection, for the app's log. */
export interface WsIncident {
  /** The connection, by the id the hub knows it by. */
  readonly connection: string;
  readonly error: unknown;
}

/** What {@link webSocketBinding} takes. Every bound takes `Infinity` for "off". */
export interface WebSocketBindingOptions {
  readonly hub: Pick<Hub, 'connect' | 'ingest' | 'facts'>;
  /** Who may connect, and from which pages. */
  readonly access: Pick<Access, 'authenticate'>;
  /** `identity` of our `hello`. Default: agent `aepkit`, instance the id of the hub. */
  readonly identity?: { readonly agent: string; readonly instance?: string };
  /** Milliseconds. Default {@link DEFAULT_HELLO_TIMEOUT_MS}. */
  readonly helloTimeoutMs?: number;
  /** Milliseconds. Default {@link DEFAULT_PING_MS}. */
  readonly pingMs?: number;
  /** Milliseconds, above `pingMs`. Default {@link DEFAULT_IDLE_TIMEOUT_MS}. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds. Default {@link DEFAULT_PROBE_TIMEOUT_MS}. */
  readonly probeTimeoutMs?: number;
  /** Milliseconds. Default {@link DEFAULT_MESSAGE_TIMEOUT_MS}. */
  readonly messageTimeoutMs?: number;
  /** Milliseconds. Default {@link DEFAULT_OVERLOAD_TIMEOUT_MS}. */
  readonly overloadTimeoutMs?: number;
  /** Milliseconds. Default {@link DEFAULT_CLOSE_GRACE_MS}. */
  readonly closeGraceMs?: number;
  /** Largest text message in bytes; beyond it 1009. Default {@link DEFAULT_MAX_MESSAGE_BYTES}, or what the largest Event takes. */
  readonly maxMessageBytes?: number;
  /** Largest Event in bytes; beyond it `invalid-event`. Default {@link DEFAULT_MAX_EVENT_BYTES}. */
  readonly maxEventBytes?: number;
  /** Bytes. Default {@link DEFAULT_MAX_HELLO_BYTES}. */
  readonly maxHelloBytes?: number;
  /** Bytes. Default {@link DEFAULT_MAX_UNCOMMITTED_BYTES}. */
  readonly maxUncommittedBytes?: number;
  /** Bytes. Default {@link DEFAULT_HIGH_WATER_MARK_BYTES}. */
  readonly highWaterMarkBytes?: number;
  /** Bytes. Default {@link DEFAULT_MAX_BUFFERED_BYTES}. */
  readonly maxBufferedBytes?: number;
  /** Bytes. Default {@link DEFAULT_MAX_UNFINISHED_BYTES}. */
  readonly maxUnfinishedBytes?: number;
  /** Bytes; beyond it `limit-exceeded`. Default {@link DEFAULT_MAX_ROSTER_BYTES}. */
  readonly maxRosterBytes?: number;
  /** Default {@link DEFAULT_MAX_OPENING}. */
  readonly maxOpening?: number;
  /** Default {@link DEFAULT_MAX_FAULTS}. */
  readonly maxFaults?: number;
  /** Characters. Default {@link DEFAULT_MAX_URL_CHARS}. */
  readonly maxUrlChars?: number;
  /** Whole seconds. Default {@link DEFAULT_RETRY_AFTER_SECONDS}. */
  readonly retryAfterSeconds?: number;
  /** Called once for every upgrade that is refused. For counters; what it throws is dropped. */
  readonly onRefusal?: (refusal: WsRefusal) => void;
  /** Told of faults that end a connection with `internal-error`. What it throws is dropped. */
  readonly onIncident?: (incident: WsIncident) => void;
  /** Default: the global timers, keeping no process alive. */
  readonly timers?: WsTimers;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
}

/** {@link WebSocketBindingOptions}, merged and checked. */
export type ResolvedBindingOptions = Required<Omit<WebSocketBindingOptions, 'identity'>> & Pick<WebSocketBindingOptions, 'identity'>;

const WAITS = {
  helloTimeoutMs: DEFAULT_HELLO_TIMEOUT_MS,
  pingMs: DEFAULT_PING_MS,
  idleTimeoutMs: DEFAULT_IDLE_TIMEOUT_MS,
  probeTimeoutMs: DEFAULT_PROBE_TIMEOUT_MS,
  messageTimeoutMs: DEFAULT_MESSAGE_TIMEOUT_MS,
  overloadTimeoutMs: DEFAULT_OVERLOAD_TIMEOUT_MS,
  closeGraceMs: DEFAULT_CLOSE_GRACE_MS,
} as const;

const BOUNDS = {
  maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES,
  maxEventBytes: DEFAULT_MAX_EVENT_BYTES,
  maxHelloBytes: DEFAULT_MAX_HELLO_BYTES,
  maxUncommittedBytes: DEFAULT_MAX_UNCOMMITTED_BYTES,
  highWaterMarkBytes: DEFAULT_HIGH_WATER_MARK_BYTES,
  maxBufferedBytes: DEFAULT_MAX_BUFFERED_BYTES,
  maxUnfinishedBytes: DEFAULT_MAX_UNFINISHED_BYTES,
  maxRosterBytes: DEFAULT_MAX_ROSTER_BYTES,
  maxOpening: DEFAULT_MAX_OPENING,
  maxFaults: DEFAULT_MAX_FAULTS,
  maxUrlChars: DEFAULT_MAX_URL_CHARS,
} as const;

/** Merges the defaults and throws `RangeError` or `TypeError` for what makes no sense. */
export function resolveBindingOptions(options: WebSocketBindingOptions): ResolvedBindingOptions {
  const waits = { ...WAITS } as Record<keyof typeof WAITS, number>;
  for (const name of Object.keys(WAITS) as (keyof typeof WAITS)[]) waits[name] = wait(name, options[name] ?? WAITS[name]);
  const bounds = { ...BOUNDS } as Record<keyof typeof BOUNDS, number>;
  for (const name of Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]) bounds[name] = bound(name, options[name] ?? BOUNDS[name]);
  if (options.maxMessageBytes === undefined) bounds.maxMessageBytes = Math.max(bounds.maxMessageBytes, bounds.maxEventBytes);
  if (waits.idleTimeoutMs <= waits.pingMs && waits.idleTimeoutMs !== Infinity) {
    throw new RangeError('idleTimeoutMs must be above pingMs, or a healthy peer is cut between two pings');
  }
  if (options.identity?.agent === '') throw new TypeError('identity.agent must not be empty');
  const retryAfterSeconds = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS;
  if (!Number.isSafeInteger(retryAfterSeconds) || retryAfterSeconds < 0) throw new RangeError('retryAfterSeconds must be a whole number of at least 0');
  return {
    hub: options.hub,
    access: options.access,
    ...(options.identity === undefined ? {} : { identity: options.identity }),
    ...waits,
    ...bounds,
    retryAfterSeconds,
    onRefusal: options.onRefusal ?? (() => undefined),
    onIncident: options.onIncident ?? (() => undefined),
    timers: options.timers ?? backgroundTimers,
    now: options.now ?? (() => performance.now()),
  };
}

function bound(name: string, value: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value > 0)) throw new RangeError(`${name} must be a whole number above 0, or Infinity`);
  return value;
}

function wait(name: string, value: number): number {
  if (typeof value !== 'number' || !(value > 0) || (value > MAX_DELAY_MS && value !== Infinity)) throw new RangeError(`${name} must be above 0 and at most ${String(MAX_DELAY_MS)}, or Infinity`);
  return value;
}
