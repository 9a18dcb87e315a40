import { readdirSync } from 'node:fs';

/**
 * Whether lines wait in a folder; false where there is no folder. For programs that start, look and end: this entry loads nothing else.
 *
 * @example
 * ```ts
 * import { hasLines } from '@aepkit/spool/peek';
 * ```
 */
export function hasLines(path: string): boolean {
  try {
    return readdirSync(path).some((name) => name.endsWith('.lines') && !name.startsWith('skip-'));
  } catch {
    return false;
  }
}
