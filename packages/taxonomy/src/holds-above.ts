import type { JsonObject, JsonValue } from '@aepkit/envelope';

import type { GateNode, GateTree } from './gate-tree.js';

/** Whether an object holds a member that its schema gates above a rank. Recursion follows the schema, never the data. */
export function holdsAbove(tree: GateTree, data: JsonValue, rank: number): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const object = data as JsonObject;
  for (const [name, node] of tree) {
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name];
    if (value !== undefined && nodeAbove(node, value, rank)) return true;
  }
  return false;
}

function nodeAbove(node: GateNode, value: JsonValue, rank: number): boolean {
  if (typeof node === 'number') return node > rank;
  if (typeof node === 'string') return false;
  if ('members' in node) return holdsAbove(node.members, value, rank);
  if (!Array.isArray(value)) return false;
  for (const element of value as readonly JsonValue[]) if (holdsAbove(node.elements, element, rank)) return true;
  return false;
}
