/** The grammar of RFC 3339 §5.6 with the ranges of its parts. */
const DATE_TIME =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Whether a text is an RFC 3339 date-time with a zone, on a date of the calendar (AEP-0001 §5.1).
 *
 * `T` or `t`; `Z`, `z` or `±hh:mm`; any number of fraction digits; second 60 is a leap second and allowed, hour 24 is not.
 */
export function isRfc3339(text: string): boolean {
  return DATE_TIME.test(text) && isCalendarDay(text);
}

function isCalendarDay(text: string): boolean {
  const day = twoDigits(text, 8);
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), twoDigits(text, 5));
}

function daysIn(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return DAYS[month - 1] ?? 0;
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}
