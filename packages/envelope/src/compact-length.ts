/**
 * The least number of characters a JSON text needs to say a value, with each escape counted as one: no white space, every
 * member once, every number in its shortest spelling. NaN where that is not known at little cost: more than `room` levels,
 * numbers that an exponent might shorten.
 */
export function compactLength(value: unknown, room: number): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return numberLength(value);
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      if (room <= 0) return Number.NaN;
      return Array.isArray(value) ? arrayLength(value, room - 1) : objectLength(value, room - 1);
    default:
      return Number.NaN;
  }
}

/** As {@link compactLength}, for a number. NaN for an integer beyond ±(2^53−1), which callers rely on. */
export function numberLength(value: number): number {
  if (value < 0) return 1 + numberLength(-value);
  if (!Number.isSafeInteger(value)) return fractionLength(value);
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  // 1e3 is shorter than 1000, and 12e3 than 12000; with fewer zeros at its end no number gets shorter.
  if (value % 1000 === 0) return Number.NaN;
  let length = 4;
  for (let bound = 10_000; value >= bound; bound *= 10) length += 1;
  return length;
}

/** JavaScript spells a number with the fewest digits there are; from 0.01 on an exponent would not save one either. */
function fractionLength(value: number): number {
  return value >= 0.01 && !Number.isInteger(value) && value < Infinity ? String(value).length : Number.NaN;
}

function arrayLength(items: readonly unknown[], room: number): number {
  let length = 1 + Math.max(items.length, 1);
  for (const item of items) length += compactLength(item, room);
  return length;
}

function objectLength(value: object, room: number): number {
  let length = 1;
  for (const name in value) {
    // A property of a polluted Object.prototype counted here would stand in for a member that was lost.
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    // Two quotes, a colon, and a comma or the closing brace.
    length += name.length + 4 + compactLength((value as Readonly<Record<string, unknown>>)[name], room);
  }
  return length === 1 ? 2 : length;
}
