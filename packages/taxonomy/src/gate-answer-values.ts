import type { JsonObject } from '@aepkit/envelope';

import { formOf, isStructural, isStructuralAnswer } from './form.js';
import type { FieldSpec } from './generated/payloads.js';
import { METADATA } from './level.js';

/**
 * The answers to a form at a level (AEP-0002 §5.3, AEP-0006). With the fields of the form, entries that belong to none are
 * dropped at every level, and below `redacted` numbers and booleans of their fields and choice ids stay. Without them, as at
 * a hop, numbers and booleans stay.
 */
export function gateAnswerValues(values: JsonObject, rank: number, fields: readonly FieldSpec[] | undefined): JsonObject {
  const form = fields === undefined ? undefined : formOf(fields);
  // fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => {
      if (form === undefined) return rank > METADATA || isStructural(value);
      const field = form.get(id);
      return field !== undefined && (rank > METADATA || isStructuralAnswer(field, value));
    }),
  );
}
