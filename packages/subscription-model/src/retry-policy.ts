import { bound } from './limits.js';

/** Most deliveries of one event to one session, the first included (C5). */
export const DEFAULT_MAX_ATTEMPTS = 3;
/** Wait before the second delivery, behind the time for an acknowledgement (C5). */
export const DEFAULT_BACKOFF_MS = 1_000;
/** What every further wait is multiplied with (C5). */
export const DEFAULT_BACKOFF_MULTIPLIER = 2;
/** Longest wait (C5). */
export const DEFAULT_MAX_BACKOFF_MS = 30_000;
/** Time for an acknowledgement (C4). */
export const DEFAULT_ACK_TIMEOUT_MS = 30_000;

/** When an event that nobody acknowledged is delivered again (C4, C5). The producer's policy; hints on events are forwarded, not followed. */
export interface RetryPolicy {
  /** `Infinity`: never given up. Default {@link DEFAULT_MAX_ATTEMPTS}. */
  readonly maxAttempts?: number;
  /** Default {@link DEFAULT_BACKOFF_MS}. */
  readonly backoffMs?: number;
  /** At least 1. Default {@link DEFAULT_BACKOFF_MULTIPLIER}. */
  readonly backoffMultiplier?: number;
  /** Default {@link DEFAULT_MAX_BACKOFF_MS}. */
  readonly maxBackoffMs?: number;
  /** `Infinity`: an event is only delivered again when it is rejected. Default {@link DEFAULT_ACK_TIMEOUT_MS}. */
  readonly ackTimeoutMs?: number;
}

/** Fills in defaults. Throws RangeError. */
export function resolveRetry(policy: RetryPolicy = {}): Required<RetryPolicy> {
  const resolved = {
    maxAttempts: bound('retry.maxAttempts', policy.maxAttempts ?? DEFAULT_MAX_ATTEMPTS),
    backoffMs: bound('retry.backoffMs', policy.backoffMs ?? DEFAULT_BACKOFF_MS, 0),
    backoffMultiplier: policy.backoffMultiplier ?? DEFAULT_BACKOFF_MULTIPLIER,
    maxBackoffMs: bound('retry.maxBackoffMs', policy.maxBackoffMs ?? DEFAULT_MAX_BACKOFF_MS, 0),
    ackTimeoutMs: bound('retry.ackTimeoutMs', policy.ackTimeoutMs ?? DEFAULT_ACK_TIMEOUT_MS),
  };
  if (!(Number.isFinite(resolved.backoffMultiplier) && resolved.backoffMultiplier >= 1)) {
    throw new RangeError('retry.backoffMultiplier is a number, 1 or more');
  }
  return resolved;
}

/** Milliseconds between the time for an acknowledgement and delivery `attempt + 1` (C5). */
export function backoffMs(policy: Required<RetryPolicy>, attempt: number): number {
  // No delay times no end is no number.
  if (policy.backoffMs === 0) return 0;
  return Math.min(policy.backoffMs * policy.backoffMultiplier ** (attempt - 1), policy.maxBackoffMs);
}
