import { compareCapture, type JsonObject, type JsonValue } from '@aepkit/envelope';

import { isChoice, isStructuralAnswer, type FormField } from '../form.js';
import { memberPath } from '../member-path.js';
import { own } from '../synthesised.js';
import { find, type Finding, type RequestState } from './stream-state.js';

/**
 * The answers recorded for a form, held against its fields (AEP-0002 §5.3, AEP-0006). Required fields may be absent: below
 * `redacted` free text rightly is. Without the request there is no check.
 */
export function checkAnswers(finding: Finding, request: RequestState): void {
  const values = own(own(finding.event.data, 'answer'), 'values');
  if (request.raised === undefined || typeof values !== 'object' || values === null || Array.isArray(values)) return;
  const path = '$.data.answer.values';
  if (request.kind !== undefined && request.kind !== 'form') {
    find(finding, 'not-a-form', 'answers to fields, and the request has none', path);
    return;
  }
  if (request.form === undefined) return;
  for (const [id, value] of Object.entries(values as JsonObject)) {
    const at = memberPath(path, id);
    const field = request.form.get(id);
    if (field === undefined) find(finding, 'unknown-field', 'the form has no such field', at);
    else checkAnswer(finding, field, value, at);
  }
}

function checkAnswer(finding: Finding, field: FormField, value: JsonValue, at: string): void {
  if (field.type !== 'select') {
    if (typeof value !== field.type) find(finding, 'wrong-answer', `has to be a ${field.type}`, at);
  } else {
    const several = Array.isArray(value);
    if (several && !field.multi) find(finding, 'wrong-answer', 'has to be one choice', at);
    for (const element of several ? (value as readonly JsonValue[]) : [value]) {
      // With `other` free text may stand for a choice, and nothing but text.
      if (isChoice(field, element) || (field.other && typeof element === 'string')) continue;
      find(finding, 'not-a-choice', 'is none of the choices of its field', at);
      break;
    }
  }
  if (compareCapture(finding.level, 'redacted') < 0 && !isStructuralAnswer(field, value)) {
    find(finding, 'ungated-answer', 'holds free text, which needs capture redacted or full', at);
  }
}
