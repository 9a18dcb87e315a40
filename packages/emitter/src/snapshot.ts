import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { EmitterError } from './errors.js';

/** Bounds of a {@link snapshot}. */
export interface SnapshotLimits {
  /** Most levels of arrays and objects. */
  readonly maxDepth: number;
  /** Most characters, of names and strings, each value counted as {@link VALUE_UNITS} more. */
  readonly maxUnits: number;
}

/** What a value costs besides its characters, so that many small ones, or one reached on many ways, are bounded too. */
export const VALUE_UNITS = 16;

interface Walk {
  units: number;
  readonly limits: SnapshotLimits;
  readonly path: (string | number)[];
}

/**
 * The JSON object a caller's value shows at this moment. Each member is read once, so that a getter or proxy cannot show one value to
 * the ceiling and another to the wire. Members that are `undefined` are left out, halves of surrogate pairs in strings become U+FFFD.
 *
 * Throws {@link EmitterError} `invalid-payload` for what has no JSON form (`NaN`, a `bigint`, a `Date`, a cycle), `too-large`.
 */
export function snapshot(value: unknown, name: string, limits: SnapshotLimits): JsonObject {
  const walk: Walk = { units: limits.maxUnits, limits, path: [name] };
  let copy: JsonValue | undefined;
  try {
    copy = take(value, limits.maxDepth, walk);
  } catch (error) {
    if (error instanceof EmitterError) throw error;
    throw new EmitterError('invalid-payload', 'cannot be read', { path: spell(walk), cause: error });
  }
  if (copy === undefined || copy === null || typeof copy !== 'object' || Array.isArray(copy)) {
    throw new EmitterError('invalid-payload', 'is not an object', { path: spell(walk) });
  }
  return copy as JsonObject;
}

function take(value: unknown, room: number, walk: Walk): JsonValue | undefined {
  spend(VALUE_UNITS, walk);
  switch (typeof value) {
    case 'string':
      spend(value.length, walk);
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      // -0 has no text of its own.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      break;
    case 'undefined':
      return undefined;
    case 'object':
      if (value === null) return null;
      if (room <= 0) throw refusal('has too many levels, or holds itself', walk);
      if (Array.isArray(value)) return takeArray(value, room, walk);
      if (isPlain(value)) return takeObject(value, room, walk);
      break;
    default:
  }
  throw refusal('has no JSON form', walk);
}

function takeArray(array: readonly unknown[], room: number, walk: Walk): JsonValue {
  const copy: JsonValue[] = [];
  const { length } = array;
  for (let index = 0; index < length; index += 1) {
    walk.path.push(index);
    const item = take(array[index], room - 1, walk);
    if (item === undefined) throw refusal('has no JSON form', walk);
    copy.push(item);
    walk.path.pop();
  }
  return copy;
}

function takeObject(object: object, room: number, walk: Walk): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    spend(name.length, walk);
    if (!name.isWellFormed()) throw refusal('has a name with half of a surrogate pair', walk);
    walk.path.push(name);
    const item = take((object as Readonly<Record<string, unknown>>)[name], room - 1, walk);
    walk.path.pop();
    if (item === undefined) continue;
    // Assigned, this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: item, enumerable: true, configurable: true, writable: true });
    else copy[name] = item;
  }
  return copy;
}

function spend(units: number, walk: Walk): void {
  walk.units -= units;
  if (walk.units < 0) throw new EmitterError('too-large', `more than ${walk.limits.maxUnits} characters and values`, { path: spell(walk) });
}

/** Whether it shows all it is: no `Date`, no `Map`, nothing that says itself how it is written. */
function isPlain(value: object): boolean {
  return !('toJSON' in value) && Object.prototype.toString.call(value) === '[object Object]';
}

function refusal(says: string, walk: Walk): EmitterError {
  return new EmitterError('invalid-payload', says, { path: spell(walk) });
}

/** `$.data.tool.name`, `$.data.list[0]`; long ones are cut. */
function spell({ path }: Walk): string {
  const text = path.reduce<string>((sum, step) => (typeof step === 'number' ? `${sum}[${step}]` : `${sum}.${step}`), '$');
  return text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text;
}
