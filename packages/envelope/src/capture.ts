/** How much content an Event holds, from `none` up to `full` (AEP-0001 §8.2). */
export type Capture = 'none' | 'metadata' | 'redacted' | 'full';

/** The four levels in ascending order; the index is the rank. */
export const CAPTURES: readonly Capture[] = Object.freeze(['none', 'metadata', 'redacted', 'full'] as const);

/** What an absent `capture` counts as: `metadata` (AEP-0001 §5.1). */
export const DEFAULT_CAPTURE: Capture = 'metadata';

/**
 * The capture level of an Event, `metadata` where it has none (AEP-0001 §5.1). Reads own properties only and writes nothing.
 */
export function captureOf(event: { readonly capture?: Capture }): Capture {
  return (Object.hasOwn(event, 'capture') ? event.capture : undefined) ?? DEFAULT_CAPTURE;
}

/** Rank of a level, 0 (`none`) to 3 (`full`); −1 for a word that is none. */
export function captureRank(capture: Capture): number {
  return CAPTURES.indexOf(capture);
}

/** Orders levels: negative when `a` holds less than `b`, 0 when equal, positive when more (AEP-0001 §8.2). */
export function compareCapture(a: Capture, b: Capture): number {
  return captureRank(a) - captureRank(b);
}
