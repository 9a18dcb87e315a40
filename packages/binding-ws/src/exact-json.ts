/**
 * The JSON text of a value as `parseJson` gives it with `bigints: true`: what came in verbatim goes out with the same values,
 * integers beyond ±(2^53−1) and the sign of zero included. Members that are `undefined` are left out.
 */
export function exactJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return String(value);
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
