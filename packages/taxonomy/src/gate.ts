import { captureOf, type AepEvent, type Capture, type JsonObject, type WireEvent } from '@aepkit/envelope';

import { gates } from './generated/gates.js';
import { holdsAbove } from './holds-above.js';
import { FULL, levelRank, METADATA, NONE } from './level.js';
import { lowerText, type Lowering } from './lower-text.js';

/**
 * Lowers an Event to a ceiling, the way a hop does that runs no redaction pipeline (AEP-0001 §8.2, AEP-0002 §5.1).
 *
 * - At or below the ceiling it is given back as it is, the same object, unless it holds a member that its own schema gates
 *   above the ceiling, or `data` under a ceiling of `none`: then the label lies, and what is above goes.
 * - Above the ceiling, members above it are cut at any depth, `capture` is rewritten, and below `redacted` the `[metadata*]`
 *   members are degraded: prompts to `{agent} requests {kind}: {subject}`, labels to the id next to them, answers to their
 *   numbers and booleans. A type without annotations (vendor types, unknown ones) loses its `data`.
 * - `full` under `redacted` lands on `metadata`: cutting cannot make text redacted.
 *
 * What stays keeps its text to the character: numbers beyond 2^53, escapes, order. Nothing is ever raised. Lowering twice
 * gives the same text as lowering once. A text or a list of another kind than the schema has, where gated members are
 * expected, cannot be classified and goes.
 *
 * Throws {@link GateError}: `unknown-level`, `text-mismatch`.
 *
 * @example
 * const { json } = gate(wire, 'metadata');
 */
export function gate(wire: WireEvent, ceiling: Capture): WireEvent {
  const limit = levelRank(ceiling);
  if (limit === FULL) return wire;
  const { event } = wire;
  const tree = gates.get(event.type);
  if (levelRank(captureOf(event)) <= limit) {
    if (event.data === undefined) return wire;
    if (limit !== NONE && (tree === undefined || !holdsAbove(tree, event.data, limit))) return wire;
    return lowered(wire.json, { event, capture: undefined, rank: limit, tree, degrade: false });
  }
  return limit === NONE
    ? lowered(wire.json, { event, capture: 'none', rank: NONE, tree: undefined, degrade: true })
    : lowered(wire.json, { event, capture: 'metadata', rank: METADATA, tree, degrade: true });
}

function lowered(text: string, lowering: Lowering): WireEvent {
  const { json, data } = lowerText(text, lowering);
  const { event, capture } = lowering;
  // `received`, the text of a command for its target, may be above the ceiling and stays behind.
  if (data === undefined) return { event: { ...withoutData(event), ...(capture === undefined ? {} : { capture }) }, json };
  const parsed = JSON.parse(data) as JsonObject;
  return { event: capture === undefined ? { ...event, data: parsed } : { ...event, capture, data: parsed }, json };
}

function withoutData({ data: _, ...attributes }: AepEvent): AepEvent {
  return attributes;
}
