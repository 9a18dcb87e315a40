const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * The exact value of a JSON number token that is an integer, or `undefined` for a fraction. The token must be one whose
 * double is finite, so that the result has at most 309 digits.
 */
export function exactInteger(token: string): bigint | undefined {
  const match = NUMBER.exec(token);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const kept = whole.length + Number(exponent);
  let first = 0;
  while (digits.charCodeAt(first) === 48) first += 1;
  if (first === digits.length) return 0n;
  for (let at = Math.max(kept, first); at < digits.length; at += 1) {
    if (digits.charCodeAt(at) !== 48) return undefined;
  }
  if (kept <= first) return undefined;
  const integer = BigInt(digits.slice(first, kept).padEnd(kept - first, '0'));
  return sign === '' ? integer : -integer;
}
