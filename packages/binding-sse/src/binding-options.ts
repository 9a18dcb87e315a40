import type { Access } from '@aepkit/access';
import type { Hub } from '@aepkit/hub';

import type { SseRefusal } from './refusal.js';
import { backgroundTimers, MAX_DELAY_MS, type SseTimers } from './timers.js';

/** Longest silence on a stream before a `: ping`, in milliseconds, unless `heartbeatMs` says otherwise (AEP-0003 §3.3). */
export const DEFAULT_HEARTBEAT_MS = 15_000;
/** Bytes that may wait in one response before it counts as full, unless `highWaterMarkBytes` says otherwise: 64 KiB. */
export const DEFAULT_HIGH_WATER_MARK_BYTES = 65_536;
/** How long an ended stream may take to leave before it is destroyed, in milliseconds, unless `closeGraceMs` says otherwise. */
export const DEFAULT_CLOSE_GRACE_MS = 2_000;
/** How long what is left of a complete replay may stand still, in milliseconds, unless `drainMs` says otherwise. */
export const DEFAULT_DRAIN_MS = 30_000;
/** Longest query string in characters, unless `maxQueryChars` says otherwise. Node takes 16 KiB of request head in all. */
export const DEFAULT_MAX_QUERY_CHARS = 65_536;
/** `Retry-After` of a 503, in seconds, unless `retryAfterSeconds` says otherwise. */
export const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** What {@link sseBinding} takes. Every bound takes `Infinity` for "off". */
export interface SseBindingOptions {
  /** Where streams subscribe. */
  readonly hub: Pick<Hub, 'connect'>;
  /** Who may observe, and which other origins' pages may read. */
  readonly access: Pick<Access, 'admit' | 'crossOrigin'>;
  /** Longest silence before a `: ping`, in milliseconds. Default {@link DEFAULT_HEARTBEAT_MS}; at most 30000 or `Infinity`. */
  readonly heartbeatMs?: number;
  /** Bytes waiting in one response from which on it is full. Default {@link DEFAULT_HIGH_WATER_MARK_BYTES}. */
  readonly highWaterMarkBytes?: number;
  /** How long an ended stream may take to leave, in milliseconds; then it is destroyed. Default {@link DEFAULT_CLOSE_GRACE_MS}. */
  readonly closeGraceMs?: number;
  /** How long the rest of a complete replay may stand still, in milliseconds; then it is destroyed. Default {@link DEFAULT_DRAIN_MS}. */
  readonly drainMs?: number;
  /** Longest query string in characters; beyond it 400 `limit-exceeded`. Default {@link DEFAULT_MAX_QUERY_CHARS}. */
  readonly maxQueryChars?: number;
  /** `Retry-After` of a 503, whole seconds. Default {@link DEFAULT_RETRY_AFTER_SECONDS}. */
  readonly retryAfterSeconds?: number;
  /** Called once for every request that is refused. For counters; what it throws is dropped. */
  readonly onRefusal?: (refusal: SseRefusal) => void;
  /** Default: the global timers, keeping no process alive. */
  readonly timers?: SseTimers;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
}

/** {@link SseBindingOptions}, merged and checked. */
export interface ResolvedBindingOptions {
  readonly hub: Pick<Hub, 'connect'>;
  readonly access: Pick<Access, 'admit' | 'crossOrigin'>;
  readonly heartbeatMs: number;
  readonly highWaterMarkBytes: number;
  readonly closeGraceMs: number;
  readonly drainMs: number;
  readonly maxQueryChars: number;
  readonly retryAfterSeconds: number;
  readonly onRefusal: (refusal: SseRefusal) => void;
  readonly timers: SseTimers;
  readonly now: () => number;
}

/** Merges the defaults and throws `RangeError` or `TypeError` for what makes no sense. */
export function resolveBindingOptions(options: SseBindingOptions): ResolvedBindingOptions {
  const heartbeatMs = positive('heartbeatMs', options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS);
  if (heartbeatMs > 30_000 && heartbeatMs !== Infinity) throw new RangeError('heartbeatMs must be at most 30000 or Infinity (AEP-0003 §3.3)');
  const retryAfterSeconds = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS;
  if (!Number.isSafeInteger(retryAfterSeconds) || retryAfterSeconds < 0) throw new RangeError('retryAfterSeconds must be a whole number of at least 0');
  return {
    hub: options.hub,
    access: options.access,
    heartbeatMs,
    highWaterMarkBytes: positive('highWaterMarkBytes', options.highWaterMarkBytes ?? DEFAULT_HIGH_WATER_MARK_BYTES),
    closeGraceMs: wait('closeGraceMs', options.closeGraceMs ?? DEFAULT_CLOSE_GRACE_MS),
    drainMs: wait('drainMs', options.drainMs ?? DEFAULT_DRAIN_MS),
    maxQueryChars: positive('maxQueryChars', options.maxQueryChars ?? DEFAULT_MAX_QUERY_CHARS),
    retryAfterSeconds,
    onRefusal: options.onRefusal ?? (() => undefined),
    timers: options.timers ?? backgroundTimers,
    now: options.now ?? (() => performance.now()),
  };
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new RangeError(`${name} must be above 0`);
  return value;
}

function wait(name: string, value: number): number {
  if (!(value >= 0) || (value > MAX_DELAY_MS && value !== Infinity)) {
    throw new RangeError(`${name} must be from 0 to ${MAX_DELAY_MS}, or Infinity`);
  }
  return value;
}
