import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { isJsonObject } from './members.js';

/** One payload over another: objects by member, lists of the same length element by element, anything else is replaced. */
export function merge(under: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map<string, JsonValue>(Object.entries(under));
  for (const [name, value] of Object.entries(over)) {
    const below = merged.get(name);
    merged.set(name, below === undefined ? value : mergeValue(below, value));
  }
  // fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
  return Object.fromEntries(merged);
}

function mergeValue(under: JsonValue, over: JsonValue): JsonValue {
  if (isJsonObject(under) && isJsonObject(over)) return merge(under, over);
  if (Array.isArray(under) && Array.isArray(over) && under.length === over.length) {
    return under.map((item: JsonValue, index) => mergeValue(item, over[index] as JsonValue));
  }
  return over;
}
