import { readdirSync } from 'node:fs';

import { matchEntry } from './match-entry.js';

/**
 * Whether lines wait in a folder; false where there is no folder. For programs that start, look and end: this entry loads next to nothing.
 *
 * @example
 * ```ts
 * import { hasLines } from '@aepkit/spool/peek';
 * ```
 */
export function hasLines(path: string): boolean {
  try {
    return readdirSync(path).some((name) => matchEntry(name) !== null);
  } catch {
    return false;
  }
}
