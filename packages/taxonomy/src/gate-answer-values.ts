import type { JsonObject, JsonValue } from '@aepkit/envelope';

import type { FieldSpec } from './generated/payloads.js';
import { METADATA, NONE } from './level.js';
import { own } from './synthesised.js';

/**
 * The answers to a form at a level (AEP-0002 §5.3, AEP-0006). With the fields of the form, entries that belong to none are
 * dropped at every level, and below `redacted` numbers and booleans of their fields and choice ids stay. Without them, as at
 * a hop, numbers and booleans stay.
 */
export function gateAnswerValues(values: JsonObject, rank: number, fields: readonly FieldSpec[] | undefined): JsonObject {
  if (rank === NONE) return {};
  const byId = fields === undefined ? undefined : new Map(fields.map((field) => [field.id, field]));
  // fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => {
      if (byId === undefined) return rank > METADATA || isStructural(value);
      const field = byId.get(id);
      return field !== undefined && (rank > METADATA || isStructuralAnswer(field, value));
    }),
  );
}

/** Whether an answer holds no free text. Looks at the value as well as at the type of its field. */
export function isStructuralAnswer(field: FieldSpec, value: JsonValue): boolean {
  switch (field.type) {
    case 'number':
    case 'boolean':
      return isStructural(value);
    case 'select':
      return Array.isArray(value) ? (value as readonly JsonValue[]).every((element) => isChoice(field, element)) : isChoice(field, value);
    default:
      return false;
  }
}

/** Whether a value is the id of a choice of a field. */
export function isChoice(field: FieldSpec, value: JsonValue): boolean {
  const choices: unknown = field.choices;
  return typeof value === 'string' && Array.isArray(choices) && choices.some((choice) => own(choice as JsonValue, 'id') === value);
}

function isStructural(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
