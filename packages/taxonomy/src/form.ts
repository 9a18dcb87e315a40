import type { JsonValue } from '@aepkit/envelope';

import { own } from './synthesised.js';

/** What answers to one field of a form are held against. Absent flags count as false (AEP-0002 §5.2). */
export interface FormField {
  readonly type: 'string' | 'number' | 'boolean' | 'select';
  readonly required: boolean;
  readonly multi: boolean;
  readonly other: boolean;
  readonly choices: ReadonlySet<string>;
  /** Lowest and highest answer to a `number`. */
  readonly min?: number;
  readonly max?: number;
}

/** The fields of a form by id; those that do not have the form their schema asks for are passed over. */
export function formOf(fields: unknown): ReadonlyMap<string, FormField> {
  const form = new Map<string, FormField>();
  for (const field of list(fields)) {
    const id = own(field, 'id');
    const type = own(field, 'type');
    if (typeof id !== 'string' || !(type === 'string' || type === 'number' || type === 'boolean' || type === 'select')) continue;
    const choices = list(own(field, 'choices')).map((choice) => own(choice, 'id'));
    const [min, max] = [own(field, 'min'), own(field, 'max')];
    form.set(id, {
      type,
      required: own(field, 'required') === true,
      multi: own(field, 'multi') === true,
      other: own(field, 'other') === true,
      choices: new Set(choices.filter((choice) => typeof choice === 'string')),
      ...(typeof min === 'number' ? { min } : {}),
      ...(typeof max === 'number' ? { max } : {}),
    });
  }
  return form;
}

/** Whether an answer holds no free text. Looks at the value as well as at the type of its field (AEP-0006). */
export function isStructuralAnswer(field: FormField, value: JsonValue): boolean {
  switch (field.type) {
    case 'number':
    case 'boolean':
      return isStructural(value);
    case 'select':
      return Array.isArray(value) ? (value as readonly JsonValue[]).every((element) => isChoice(field, element)) : isChoice(field, value);
    case 'string':
      return false;
  }
}

export function isChoice(field: FormField, value: JsonValue): boolean {
  return typeof value === 'string' && field.choices.has(value);
}

/** What is structural even to one who does not know the form. */
export function isStructural(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function list(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
