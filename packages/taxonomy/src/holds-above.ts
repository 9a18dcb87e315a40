import type { JsonObject, JsonValue } from '@aepkit/envelope';

import type { GateNode, GateTree } from './gate-tree.js';

/** Whether an object holds a member that its schema gates above a rank. Recursion follows the schema, never the data. */
export function holdsAbove(tree: GateTree, data: JsonValue, rank: number): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const object = data as JsonObject;
  for (const name of Object.keys(tree)) {
    if (!Object.hasOwn(object, name)) continue;
    const node = tree[name];
    const value = object[name];
    if (node !== undefined && value !== undefined && nodeAbove(node, value, rank)) return true;
  }
  return false;
}

function nodeAbove(node: GateNode, value: JsonValue, rank: number): boolean {
  if (typeof node === 'number') return node > rank;
  if (typeof node === 'string') return false;
  if (!isList(node)) return holdsAbove(node, value, rank);
  if (!Array.isArray(value)) return false;
  for (const element of value as readonly JsonValue[]) if (holdsAbove(node[0], element, rank)) return true;
  return false;
}

/** Tells the node of a list from that of an object. */
export function isList(node: GateTree | readonly [GateTree]): node is readonly [GateTree] {
  return Array.isArray(node);
}
