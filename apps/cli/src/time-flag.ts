import { isRfc3339 } from '@aepkit/envelope';

import { CliError, EXIT } from './exit-code.js';

const UNITS_MS: Readonly<Record<string, number | undefined>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Milliseconds since 1970 of a time that a flag names: an RFC 3339 time, a date (its first moment, local time), or how long ago, such as
 * `90s`, `30m`, `2h`, `7d`, `1w`.
 */
export function timeOfFlag(flag: string, text: string, now: number = Date.now()): number {
  const ago = /^(\d{1,9})([smhdw])$/.exec(text);
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = ago !== null ? now - Number(ago[1]) * (UNITS_MS[ago[2] ?? ''] ?? NaN) : date ? Date.parse(`${text}T00:00:00`) : isRfc3339(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new CliError(`--${flag} is a time such as 2026-01-31T08:00:00Z or 2026-01-31, or how long ago: 90s, 30m, 2h, 7d`, EXIT.usage);
  return Math.max(0, Math.floor(time));
}
