/**
 * The JSON text of a value as `parseJson` gives it with `bigints: true`: what came in verbatim goes out with the same values,
 * integers beyond ±(2^53−1) and the sign of zero included. Members that are `undefined` are left out.
 */
export function exactJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return exactInteger(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item: unknown) => (item === undefined ? 'null' : exactJson(item))).join(',')}]`;
      const members: string[] = [];
      for (const [name, member] of Object.entries(value)) {
        if (member !== undefined) members.push(`${JSON.stringify(name)}:${exactJson(member)}`);
      }
      return `{${members.join(',')}}`;
    }
    default:
      throw new TypeError(`a ${typeof value} has no JSON form`);
  }
}

/** Zeros at the end as an exponent, or five characters that came in would go out as three hundred. */
function exactInteger(value: bigint): string {
  const digits = String(value);
  const [zeros = ''] = /0{24,}$/.exec(digits) ?? [];
  return zeros === '' ? digits : `${digits.slice(0, -zeros.length)}e${String(zeros.length)}`;
}
