import type { AepEvent } from './event.js';

/** A place in the order of a session; what a consumer resumes from (AEP-0001 §7). */
export interface Position {
  readonly session: string;
  readonly epoch: number;
  readonly seq: number;
}

/** What an absent `epoch` counts as: 0 (AEP-0001 §5.1). */
export const DEFAULT_EPOCH = 0;

/** The epoch of an Event, 0 where it has none (AEP-0001 §5.1). Reads own properties only and writes nothing. */
export function epochOf(event: { readonly epoch?: number }): number {
  return (Object.hasOwn(event, 'epoch') ? event.epoch : undefined) ?? DEFAULT_EPOCH;
}

/**
 * The position of an Event, or `undefined` for one that takes no place in the order of its session: agent-scoped Events,
 * commands and `attention.routed` (AEP-0001 §5.2).
 */
export function positionOf(event: AepEvent): Position | undefined {
  const session = Object.hasOwn(event, 'session') ? event.session : undefined;
  const seq = Object.hasOwn(event, 'seq') ? event.seq : undefined;
  if (session === undefined || seq === undefined) return undefined;
  // JSON can spell zero as -0; a position must not tell the two apart.
  return { session, epoch: epochOf(event) + 0, seq: seq + 0 };
}

/**
 * Orders positions of one session: `epoch` first, then `seq` (AEP-0001 §7.3). −1, 0 or 1. The two are never packed into
 * one number, both reach up to 2^53−1.
 */
export function comparePositions(
  a: { readonly epoch: number; readonly seq: number },
  b: { readonly epoch: number; readonly seq: number },
): -1 | 0 | 1 {
  if (a.epoch !== b.epoch) return a.epoch < b.epoch ? -1 : 1;
  if (a.seq !== b.seq) return a.seq < b.seq ? -1 : 1;
  return 0;
}
