import type { AepEvent, Capture, JsonObject, JsonValue } from '@aepkit/envelope';

import { payloadSchemas, type PayloadSchema } from '../src/index.js';

const LEVELS = ['none', 'metadata', 'redacted', 'full'];
const rank = (level: string): number => LEVELS.indexOf(level);

/** What a hop makes of an Event under a ceiling, told from the annotations of the schemas, on objects, in the plainest way. */
export function lowerPlainly(event: AepEvent, ceiling: Capture): AepEvent {
  const source = event.capture ?? 'metadata';
  const schema = Object.hasOwn(payloadSchemas, event.type) ? payloadSchemas[event.type as keyof typeof payloadSchemas] : undefined;
  const annotated = schema?.properties !== undefined;
  const copy = structuredClone(event) as { capture?: Capture; data?: JsonObject };
  if (rank(source) <= rank(ceiling)) {
    if (ceiling === 'none') delete copy.data;
    else if (annotated && copy.data !== undefined) copy.data = prune(schema, copy.data, rank(ceiling), undefined, 0) as JsonObject;
    return copy as AepEvent;
  }
  const target = ceiling === 'none' ? 'none' : 'metadata';
  copy.capture = target;
  if (target === 'none' || !annotated) delete copy.data;
  else if (copy.data !== undefined) copy.data = prune(schema, copy.data, rank(target), event, 0) as JsonObject;
  return copy as AepEvent;
}

const GONE = Symbol('gone');

/** `lowered` is the Event where `[metadata*]` members degrade, `undefined` where nothing but what is above goes. */
function prune(schema: PayloadSchema, value: JsonValue, limit: number, lowered: AepEvent | undefined, index: number): JsonValue | typeof GONE {
  const inner = schema.items ?? schema;
  const looksInside = gated(inner);
  if (schema.type === 'array' && looksInside) {
    if (!Array.isArray(value)) return misfit(value, lowered);
    return (value as JsonValue[]).map((element, at) => prune(inner, element, limit, lowered, at)).filter((element) => element !== GONE);
  }
  if (!looksInside) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return misfit(value, lowered);
  const object = value as JsonObject;
  const kept = Object.entries(object).map(([name, member]) => {
    const known = schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (known === undefined) return [name, member];
    if (rank(known['x-aep-capture']!) > limit) return [name, GONE];
    if (lowered !== undefined && known.$comment !== undefined) {
      if (known.$comment.includes('prompt')) {
        const kind = typeof object.kind === 'string' ? object.kind : 'attention';
        return [name, `${lowered.agent} requests ${kind}${lowered.subject === undefined ? '' : `: ${lowered.subject}`}`];
      }
      if (known.$comment.includes('label')) {
        const id = Object.hasOwn(object, 'id') ? object.id : undefined;
        return [name, typeof id === 'string' || typeof id === 'number' ? String(id) : String(index + 1)];
      }
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return [name, misfit(member, lowered)];
      return [name, Object.fromEntries(Object.entries(member).filter(([, answer]) => typeof answer === 'number' || typeof answer === 'boolean'))];
    }
    return [name, prune(known, member, limit, lowered, index)];
  });
  return Object.fromEntries(kept.filter(([, member]) => member !== GONE)) as JsonObject;
}

function misfit(value: JsonValue, lowered: AepEvent | undefined): JsonValue | typeof GONE {
  return lowered === undefined || value === null || typeof value === 'number' || typeof value === 'boolean' ? value : GONE;
}

function gated(schema: PayloadSchema): boolean {
  return Object.values(schema.properties ?? {}).some(
    (member) => (member['x-aep-capture'] ?? 'metadata') !== 'metadata' || member.$comment !== undefined || gated(member) || (member.items !== undefined && gated(member.items)),
  );
}
