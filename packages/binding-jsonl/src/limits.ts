/** Longest line, in bytes without its line end, unless `maxLineBytes` says otherwise: 1 MiB, the most an Event may have elsewhere. */
export const DEFAULT_MAX_LINE_BYTES = 1_048_576;

/** Longest span of a timer; anything above counts as no timer at all. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Checks a limit that may be turned off. Throws RangeError. */
export function bound(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number, ${String(least)} or more, or Infinity`);
  }
  return value;
}

/** Checks a number that cannot be turned off. Throws RangeError. */
export function count(name: string, value: number, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (!(Number.isSafeInteger(value) && value >= least && value <= most)) {
    throw new RangeError(`${name} is a whole number from ${String(least)} to ${String(most)}`);
  }
  return value;
}
