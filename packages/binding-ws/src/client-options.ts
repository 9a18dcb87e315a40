import { type JsonObject, SUPPORTED_VERSIONS } from '@aepkit/envelope';
import { DEFAULT_MAX_SEEN, DEFAULT_MAX_SESSIONS } from '@aepkit/resume';

import type { ErrorFrame, Identity, Role } from './frame.js';
import { DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
import type { CommandDelivery, SocketStatus } from './socket-client.js';
import { globalTimers, type SocketTimers } from './socket-timers.js';
import type { WebSocketConstructor } from './web-socket-like.js';

/** Time for the connection and the `hello` of the endpoint, in milliseconds. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 15_000;
/** Time between two pings of the client, in milliseconds (AEP-0003 §3.5). */
export const DEFAULT_PING_INTERVAL_MS = 30_000;
/** Longest silence before the endpoint counts as dead, in milliseconds (AEP-0003 §3.5). */
export const DEFAULT_SILENCE_TIMEOUT_MS = 90_000;
/** Shortest wait before another attempt, in milliseconds. */
export const DEFAULT_MIN_BACKOFF_MS = 500;
/** Longest wait before another attempt, in milliseconds. */
export const DEFAULT_MAX_BACKOFF_MS = 30_000;
/** How long an ended connection may take to leave, in milliseconds. */
export const DEFAULT_LEAVE_MS = 2_000;
/** Time for the answer to a `roster` request, in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 10_000;
/** Positions in one `subscribe`: what endpoints take at least (AEP-0003 §6.5). Beyond, `all` is asked for. */
export const DEFAULT_MAX_POSITIONS = 1_000;
/** Bytes of Events received and not yet taken, per subscription, each counted as 512 more than its text: 16 MiB. */
export const DEFAULT_MAX_RECEIVED_BYTES = 16_777_216;
/** Bytes of Events given to `send` and not yet confirmed, each counted as 512 more than its text: 16 MiB. */
export const DEFAULT_MAX_QUEUED_BYTES = 16_777_216;
/** Bytes of Events sent ahead of a confirmation: 1 MiB. */
export const DEFAULT_MAX_UNCONFIRMED_BYTES = 1_048_576;
/** Connections of one client, the first included. */
export const DEFAULT_MAX_SOCKETS = 8;

/** What {@link connectSocket} takes. Bounds take `Infinity` for "off" unless they say otherwise. */
export interface SocketClientOptions {
  /** The socket, for example `ws://127.0.0.1:4319/socket`; `http` and `https` are read as `ws` and `wss`. */
  readonly url: string | URL;
  /** Never part of an item, an error or a frame. How it goes out says `tokenIn`. */
  readonly token?: string;
  /**
   * `header`: as `Authorization: Bearer`, which needs a WebSocket that takes headers, such as `ws`. `query`: as `access_token` in the
   * URL, the only way that browsers have; URLs end up in logs of proxies (AEP-0003 §8.1). Default: `header` in Node, else `query`.
   */
  readonly tokenIn?: 'header' | 'query';
  /** Further request headers, for a WebSocket that takes them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `consumer`, or `both` with an `identity.agent`. */
  readonly role?: Role;
  /** Who speaks. Emitters owe `agent`; `instance` tells its processes apart. */
  readonly identity?: Identity;
  /** Declarations of the first connection, as they are: `emits`, `control`, ... (AEP-0003 §4). */
  readonly capabilities?: JsonObject;
  /** Versions that are offered, newest first. Default: those of `@aepkit/envelope`. */
  readonly versions?: readonly string[];
  /**
   * Gets the commands that the endpoint hands to this peer as their target (AEP-0004 §4). With it, subscriptions have connections of
   * their own, so that a command somebody else is to carry out is never taken for one of these. What it throws is dropped.
   */
  readonly onCommand?: CommandDelivery;
  /** Told of the first connection: open, closed, refused. What it throws is dropped. */
  readonly onStatus?: (status: SocketStatus) => void;
  /** Told of every `error` frame with a `cause`: a command or an Event was refused. What it throws is dropped. */
  readonly onRefused?: (refusal: ErrorFrame & { readonly cause: string }) => void;
  /** Whether to try again after a refusal of the connection for good, in case somebody repairs it. Default `false`. */
  readonly retryRefused?: boolean;
  /** Default {@link DEFAULT_CONNECT_TIMEOUT_MS}. */
  readonly connectTimeoutMs?: number;
  /** Default {@link DEFAULT_PING_INTERVAL_MS}. */
  readonly pingIntervalMs?: number;
  /** Default {@link DEFAULT_SILENCE_TIMEOUT_MS}. */
  readonly silenceTimeoutMs?: number;
  /** Default {@link DEFAULT_MIN_BACKOFF_MS}. */
  readonly minBackoffMs?: number;
  /** Default {@link DEFAULT_MAX_BACKOFF_MS}. */
  readonly maxBackoffMs?: number;
  /** Default {@link DEFAULT_LEAVE_MS}. */
  readonly leaveMs?: number;
  /** Default {@link DEFAULT_REQUEST_TIMEOUT_MS}. */
  readonly requestTimeoutMs?: number;
  /** `(source, id)` pairs that a subscription remembers to drop repeats. Default {@link DEFAULT_MAX_SEEN}. */
  readonly maxSeen?: number;
  /** `(source, session)` pairs whose position a subscription remembers. Default {@link DEFAULT_MAX_SESSIONS}. */
  readonly maxSessions?: number;
  /** Default {@link DEFAULT_MAX_POSITIONS}. */
  readonly maxPositions?: number;
  /** Default {@link DEFAULT_MAX_RECEIVED_BYTES}. */
  readonly maxReceivedBytes?: number;
  /** Default {@link DEFAULT_MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
  /** Default {@link DEFAULT_MAX_UNCONFIRMED_BYTES}. */
  readonly maxUnconfirmedBytes?: number;
  /** Largest Event that is sent, in bytes. Default 1 MiB, what endpoints take. */
  readonly maxEventBytes?: number;
  /** Largest message that is read, in bytes. Default 4 MiB. */
  readonly maxMessageBytes?: number;
  /** Default {@link DEFAULT_MAX_SOCKETS}. */
  readonly maxSockets?: number;
  /** Default: `ws` in Node, else the global one. */
  readonly webSocket?: WebSocketConstructor;
  /** A number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Default: the global timers. */
  readonly timers?: SocketTimers;
}

/** {@link SocketClientOptions}, merged and checked. */
export interface SocketClientSettings {
  /** Holds the token where `tokenIn` is `query`: never shown. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly role: Role;
  readonly identity: Identity | undefined;
  readonly capabilities: JsonObject | undefined;
  readonly versions: readonly string[];
  readonly onCommand: CommandDelivery | undefined;
  readonly onStatus: ((status: SocketStatus) => void) | undefined;
  readonly onRefused: ((refusal: ErrorFrame & { readonly cause: string }) => void) | undefined;
  readonly retryRefused: boolean;
  readonly connectTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly silenceTimeoutMs: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly leaveMs: number;
  readonly requestTimeoutMs: number;
  readonly maxSeen: number;
  readonly maxSessions: number;
  readonly maxPositions: number;
  readonly maxReceivedBytes: number;
  readonly maxQueuedBytes: number;
  readonly maxUnconfirmedBytes: number;
  readonly maxEventBytes: number;
  readonly maxMessageBytes: number;
  readonly maxSockets: number;
  readonly webSocket: WebSocketConstructor;
  readonly random: () => number;
  readonly timers: SocketTimers;
}

/** What differs between Node and browsers. */
export interface SocketPlatform {
  readonly webSocket: WebSocketConstructor | undefined;
  readonly tokenIn: 'header' | 'query';
}

/** Merges the defaults and throws `RangeError` or `TypeError` for what makes no sense. */
export function resolveClientOptions(options: SocketClientOptions, platform: SocketPlatform): SocketClientSettings {
  const { token, identity, tokenIn = platform.tokenIn } = options;
  const webSocket = options.webSocket ?? platform.webSocket;
  if (webSocket === undefined) throw new TypeError('there is no WebSocket here; pass one as webSocket');
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token must be visible ASCII');
  const role = options.role ?? (identity?.agent === undefined ? 'consumer' : 'both');
  if (role !== 'consumer' && (identity?.agent ?? '') === '') throw new TypeError(`a peer with role ${role} needs identity.agent`);
  const versions = options.versions ?? SUPPORTED_VERSIONS;
  if (versions.length === 0) throw new RangeError('versions must name a version');
  const minBackoffMs = above0('minBackoffMs', options.minBackoffMs ?? DEFAULT_MIN_BACKOFF_MS);
  const maxBackoffMs = above0('maxBackoffMs', options.maxBackoffMs ?? DEFAULT_MAX_BACKOFF_MS);
  if (minBackoffMs > maxBackoffMs) throw new RangeError('minBackoffMs must not be above maxBackoffMs');
  const pingIntervalMs = above0('pingIntervalMs', options.pingIntervalMs ?? DEFAULT_PING_INTERVAL_MS);
  const silenceTimeoutMs = above0('silenceTimeoutMs', options.silenceTimeoutMs ?? DEFAULT_SILENCE_TIMEOUT_MS);
  if (pingIntervalMs > silenceTimeoutMs) throw new RangeError('pingIntervalMs must not be above silenceTimeoutMs');
  return {
    url: socketUrl(options.url, tokenIn === 'query' ? token : undefined),
    headers: { ...options.headers, ...(token === undefined || tokenIn === 'query' ? {} : { authorization: `Bearer ${token}` }) },
    role,
    identity,
    capabilities: options.capabilities,
    versions,
    onCommand: options.onCommand,
    onStatus: options.onStatus,
    onRefused: options.onRefused,
    retryRefused: options.retryRefused ?? false,
    connectTimeoutMs: above0('connectTimeoutMs', options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS),
    pingIntervalMs,
    silenceTimeoutMs,
    minBackoffMs,
    maxBackoffMs,
    leaveMs: above0('leaveMs', options.leaveMs ?? DEFAULT_LEAVE_MS),
    requestTimeoutMs: above0('requestTimeoutMs', options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS),
    maxSeen: above0('maxSeen', options.maxSeen ?? DEFAULT_MAX_SEEN),
    maxSessions: above0('maxSessions', options.maxSessions ?? DEFAULT_MAX_SESSIONS),
    maxPositions: above0('maxPositions', options.maxPositions ?? DEFAULT_MAX_POSITIONS),
    maxReceivedBytes: above0('maxReceivedBytes', options.maxReceivedBytes ?? DEFAULT_MAX_RECEIVED_BYTES),
    maxQueuedBytes: above0('maxQueuedBytes', options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES),
    maxUnconfirmedBytes: above0('maxUnconfirmedBytes', options.maxUnconfirmedBytes ?? DEFAULT_MAX_UNCONFIRMED_BYTES),
    maxEventBytes: above0('maxEventBytes', options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES),
    maxMessageBytes: above0('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES),
    maxSockets: above0('maxSockets', options.maxSockets ?? DEFAULT_MAX_SOCKETS),
    webSocket,
    random: options.random ?? Math.random,
    timers: options.timers ?? globalTimers,
  };
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['http:', 'ws:'],
  ['https:', 'wss:'],
  ['ws:', 'ws:'],
  ['wss:', 'wss:'],
]);

function socketUrl(given: string | URL, token: string | undefined): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    // The error of the platform holds the text, and that may hold a token.
    throw new TypeError('url is no URL');
  }
  const scheme = SCHEMES.get(url.protocol);
  if (scheme === undefined) throw new TypeError('url must be ws, wss, http or https');
  if (url.username !== '' || url.password !== '') throw new TypeError('url must hold no credentials; use token');
  if (url.searchParams.has('access_token')) throw new TypeError('url must not hold the parameter access_token; use token');
  url.hash = '';
  url.protocol = scheme;
  if (token !== undefined) url.searchParams.set('access_token', token);
  return url.href;
}

function above0(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} must be above 0`);
  return value;
}
