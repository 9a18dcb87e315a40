import type { Degraded } from './payload-schema.js';

/** Rank of the level a member is gated at: 2 `redacted`, 3 `full`. */
export type GateRank = 2 | 3;

/** What a gate knows of one member: its level, how it degrades, or what is inside the object or the elements of the list. */
export type GateNode = GateRank | Degraded | { readonly members: GateTree } | { readonly elements: GateTree };

/** One gated member. */
export type GateEntry = readonly [name: string, node: GateNode];

/** The gated members of an object; what is not listed is at `metadata` (AEP-0002 §5.1.4). */
export type GateTree = readonly GateEntry[];

/** The node of a member by a name that anybody may have chosen. */
export function nodeOf(tree: GateTree, name: string): GateNode | undefined {
  for (const entry of tree) if (entry[0] === name) return entry[1];
  return undefined;
}
