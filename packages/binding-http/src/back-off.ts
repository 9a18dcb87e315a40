const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}, .{1,40} GMT$/;

/** Reads a `Retry-After` header, which is seconds or a date. Gives milliseconds from `now`, or `undefined` where it says nothing. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What {@link backOffMs} works with. */
export interface BackOff {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly random: () => number;
}

/**
 * The pause ahead of the next attempt: between half and the whole of a span that doubles with each attempt, so that
 * clients that failed together do not come back together. Never less than the endpoint asked for.
 */
export function backOffMs(attempt: number, asked: number | undefined, options: BackOff): number {
  const span = Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** Math.min(attempt - 1, 52));
  const pause = span / 2 + (options.random() * span) / 2;
  return Math.round(asked === undefined ? pause : asked + pause);
}
