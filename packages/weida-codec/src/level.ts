import { type Uint } from './uint.js';

/** The completion levels that weida defines; 16 and above are stages of an application (weida §6.2). */
export const LEVEL: { readonly none: 0; readonly transportReceipt: 1; readonly accepted: 2; readonly stored: 3; readonly replicated: 4; readonly processed: 5 } = Object.freeze({ none: 0, transportReceipt: 1, accepted: 2, stored: 3, replicated: 4, processed: 5 });

/** A completion level that weida defines: 0 to 5. */
export type CompletionLevel = (typeof LEVEL)[keyof typeof LEVEL];

/** The lowest level that belongs to an application: 16. */
export const APPLICATION_LEVEL_FLOOR = 16;

/** Whether a report may be ordered for it: 0 to 5, and 16 and above; 6 to 15 are kept for later versions. */
export function isLevel(level: Uint): boolean {
  return level <= LEVEL.processed || level >= APPLICATION_LEVEL_FLOOR;
}

/** Whether `achieved` may hold it: 0 to 5. */
export function isCompletionLevel(level: Uint): level is CompletionLevel {
  return level <= LEVEL.processed;
}
