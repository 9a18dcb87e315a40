import type { JsonObject, JsonValue } from '@aepkit/envelope';
import type { FormField } from '@aepkit/taxonomy';

/**
 * The answers to a form that apply, or what is wrong with them (AEP-0002 §5.2, AEP-0006). Answers to no field are left out;
 * a required field needs its key; every value has the type of its field, within its range and its choices.
 */
export function checkValues(form: ReadonlyMap<string, FormField>, values: unknown): JsonObject | string {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return 'answer.values: expected an object';
  const answers = values as JsonObject;
  const kept: [string, JsonValue][] = [];
  let index = 0;
  for (const [id, field] of form) {
    // The ids of a form can be content, so a fault names the place of its field.
    const place = `answer.values: field ${String(++index)} of the form`;
    const value = Object.hasOwn(answers, id) ? answers[id] : undefined;
    if (value === undefined) {
      if (field.required) return `${place} is required`;
      continue;
    }
    const fault = faultOf(field, value);
    if (fault !== undefined) return `${place} ${fault}`;
    kept.push([id, value]);
  }
  // fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
  return Object.fromEntries(kept);
}

function faultOf(field: FormField, value: JsonValue): string | undefined {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'takes a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'takes true or false';
    case 'number':
      if (typeof value !== 'number') return 'takes a number';
      if (field.min !== undefined && value < field.min) return `takes no less than ${String(field.min)}`;
      return field.max !== undefined && value > field.max ? `takes no more than ${String(field.max)}` : undefined;
    case 'select':
      if (!Array.isArray(value)) return elementFault(field, value);
      if (!field.multi) return 'takes one choice';
      for (const element of value as readonly JsonValue[]) {
        const fault = elementFault(field, element);
        if (fault !== undefined) return fault;
      }
      return undefined;
  }
}

function elementFault(field: FormField, value: JsonValue): string | undefined {
  if (typeof value !== 'string') return 'takes ids of its choices';
  return field.other || field.choices.has(value) ? undefined : 'takes none but its choices';
}
