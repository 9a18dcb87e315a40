/** How long to wait before an attempt, in milliseconds: doubling from `min` to `max`, the upper half of it by chance. */
export function backoff(attempt: number, min: number, max: number, random: () => number): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** Reads a `Retry-After` header, seconds or a date; milliseconds, or `undefined` when it is neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^[0-9]{1,10}$/.test(text)) return Number(text) * 1000;
  // Three letters of a weekday: `Date.parse` takes far more than the header allows.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
