import { captureRank, type Capture } from '@aepkit/envelope';

import { GateError } from './errors.js';

export const NONE = 0;
export const METADATA = 1;
export const REDACTED = 2;
export const FULL = 3;

/** Rank of a level, 0 to 3. Throws for a word that is no level: a gate that guessed would widen what is let through. */
export function levelRank(level: Capture): number {
  const rank = captureRank(level);
  if (rank < 0) throw new GateError('unknown-level', 'a capture level is one of none, metadata, redacted, full');
  return rank;
}
