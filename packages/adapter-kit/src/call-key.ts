// Crockford's base 32, as ULIDs have it.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const KEY = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME_DIGITS = 10;

/** Whether a value can name a call: a ULID in capitals. */
export function isCallKey(value: unknown): value is string {
  return typeof value === 'string' && KEY.test(value);
}

/**
 * The ULID that many steps behind another one, of the same millisecond: the ids of a call's Events follow from its key, so that a
 * call that comes twice gives the same ones.
 */
export function idBehind(key: string, steps: number): string {
  const digits = key.split('');
  let carry = steps;
  for (let at = digits.length - 1; carry > 0 && at >= TIME_DIGITS; at -= 1) {
    const sum = DIGITS.indexOf(digits[at] ?? '0') + carry;
    digits[at] = DIGITS[sum % 32] ?? '0';
    carry = Math.floor(sum / 32);
  }
  return digits.join('');
}
