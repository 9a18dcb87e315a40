const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
/** `2026-01-02T03:04:05.678Z`: what `toISOString` writes, and most emitters. */
const ISO_LENGTH = 24;
const LAST_OF_MINUTE_MS = 59_999;
const DAY_LENGTH = 10;

/** The day that was asked for last, and its start: Events come in runs of one day. */
let lastDay = '';
let lastMidnight = 0;

/**
 * The instant of an RFC 3339 date-time in milliseconds since 1970, further digits cut off. A leap second counts as the last
 * millisecond ahead of it, so that it never sorts behind what comes after it.
 */
export function timeMs(text: string): number {
  if (text.length === ISO_LENGTH && text.charCodeAt(23) === 0x5a && text.charCodeAt(19) === 0x2e) {
    const inMinute = two(text, 17) * 1000 + two(text, 20) * 10 + two(text, 21) % 10;
    return midnight(text) + two(text, 11) * 3_600_000 + two(text, 14) * 60_000 + Math.min(inMinute, LAST_OF_MINUTE_MS);
  }
  const match = DATE_TIME.exec(text);
  if (match === null) return 0;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute));
  const ms = Math.min(Number(second) * 1000 + Number(fraction.slice(1, 4).padEnd(3, '0')), LAST_OF_MINUTE_MS);
  return date.getTime() + ms - offsetMs(zone);
}

/** The number that two digits spell. */
function two(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

function midnight(text: string): number {
  if (lastDay === '' || !text.startsWith(lastDay)) {
    lastDay = text.slice(0, DAY_LENGTH);
    // Not Date.UTC, which takes the years 0 to 99 for those of the last century.
    lastMidnight = new Date(0).setUTCFullYear(two(text, 0) * 100 + two(text, 2), two(text, 5) - 1, two(text, 8));
  }
  return lastMidnight;
}

function offsetMs(zone: string): number {
  if (zone.length === 1) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
