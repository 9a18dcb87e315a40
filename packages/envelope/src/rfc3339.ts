const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Whether a text is an RFC 3339 date-time with a zone, on a date of the calendar (AEP-0001 §5.1).
 *
 * `T` or `t`; `Z`, `z` or `±hh:mm`; any number of fraction digits; second 60 is a leap second and allowed, hour 24 is not.
 */
export function isRfc3339(text: string): boolean {
  const length = text.length;
  if (length < 20) return false;
  const year = pair(text, 0) * 100 + pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  // A part that is no number is NaN, and every comparison with it fails.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 60)) return false;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return false;
  if ((text.charCodeAt(10) | 32) !== 116) return false;
  if (!(day <= daysIn(year, month))) return false;

  let at = 19;
  if (text.charCodeAt(at) === 46) {
    const first = ++at;
    while (at < length && isDigit(text.charCodeAt(at))) at += 1;
    if (at === first) return false;
  }
  const zone = text.charCodeAt(at);
  if ((zone | 32) === 122) return at + 1 === length;
  if (zone !== 43 && zone !== 45) return false;
  return at + 6 === length && text.charCodeAt(at + 3) === 58 && pair(text, at + 1) <= 23 && pair(text, at + 4) <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return DAYS[month - 1] ?? 0;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + (ones - 48) : Number.NaN;
}
