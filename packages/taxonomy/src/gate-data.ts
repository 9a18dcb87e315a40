import type { Capture, JsonObject, JsonValue } from '@aepkit/envelope';

import { gateAnswerValues } from './gate-answer-values.js';
import { nodeOf, type GateNode, type GateTree } from './gate-tree.js';
import { gates } from './generated/gates.js';
import type { FieldSpec } from './generated/payloads.js';
import { FULL, levelRank, NONE, REDACTED } from './level.js';
import { labelOf, own, promptOf } from './synthesised.js';

/** What an emitter knows and a hop does not. */
export interface GateContext {
  /** `agent` of the Event; part of a synthesised prompt. */
  readonly agent: string;
  /** `subject` of the Event; part of a synthesised prompt. */
  readonly subject?: string | undefined;
  /**
   * Fields of the form that is answered. With them, choice ids stay at `metadata`, and answers to no field are dropped at
   * every level; without them only numbers and booleans stay at `metadata`.
   */
  readonly fields?: readonly FieldSpec[] | undefined;
}

/**
 * Brings a payload down to a level, for emitters, before an Event is made of it (AEP-0002 §5.1, AEP-0003 §9). Members
 * above the level go at any depth; at `metadata` the `[metadata*]` members get their structural stand-ins. Unlisted
 * members stay: without annotation they count as `metadata`, and so does all of a vendor type, whose sender answers for it.
 * To lower an Event that exists, use {@link gate}.
 *
 * It redacts nothing: for `redacted`, what is gated there has to have passed the pipeline before (AEP-0003 §9.4).
 *
 * Gives the same object where nothing changes, and `undefined` at `none`. Throws {@link GateError} `unknown-level`.
 *
 * @example
 * gateData('run.started', { trigger: 'user', prompt: 'Fix it' }, 'metadata', { agent: 'my-agent' }); // { trigger: 'user' }
 */
export function gateData(type: string, data: JsonObject, level: Capture, context: GateContext): JsonObject | undefined {
  const rank = levelRank(level);
  if (rank === NONE) return undefined;
  const tree = gates.get(type);
  return tree === undefined ? data : prune(tree, data, 0, { rank, context });
}

interface Pruning {
  readonly rank: number;
  readonly context: GateContext;
}

function prune(tree: GateTree, data: JsonObject, index: number, pruning: Pruning): JsonObject {
  let changed = false;
  const kept: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(data)) {
    const node = nodeOf(tree, name);
    const next = node === undefined ? value : pruneNode(node, value, data, index, pruning);
    if (next !== undefined) kept.push([name, next]);
    changed ||= next !== value;
  }
  return changed ? Object.fromEntries(kept) : data;
}

/** The value that stays, `undefined` where none does. */
function pruneNode(node: GateNode, value: JsonValue, owner: JsonObject, index: number, pruning: Pruning): JsonValue | undefined {
  const { rank, context } = pruning;
  if (typeof node === 'number') return node > rank ? undefined : value;
  if (typeof node === 'string') {
    if (node === 'values') return pruneValues(value, pruning);
    if (rank >= REDACTED) return value;
    return node === 'label' ? labelOf(owner, index) : promptOf({ agent: context.agent, subject: context.subject, kind: own(owner, 'kind') });
  }
  if ('elements' in node) {
    if (!Array.isArray(value)) return misfit(value, rank);
    const elements = value as readonly JsonValue[];
    const kept = elements.map((element, at) => (isObject(element) ? prune(node.elements, element, at, pruning) : misfit(element, rank)));
    return kept.every((element, at) => element === elements[at]) ? elements : kept.filter((element) => element !== undefined);
  }
  return isObject(value) ? prune(node.members, value, index, pruning) : misfit(value, rank);
}

function pruneValues(value: JsonValue, { rank, context }: Pruning): JsonValue | undefined {
  if (!isObject(value)) return misfit(value, rank);
  const kept = gateAnswerValues(value, rank, context.fields);
  return Object.keys(kept).length === Object.keys(value).length ? value : kept;
}

/** A value of another kind than the schema has cannot be classified, see {@link gate}. */
function misfit(value: JsonValue, rank: number): JsonValue | undefined {
  return rank === FULL || typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
