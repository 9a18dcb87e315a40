import { digest, type JsonObject, type JsonValue } from '@aepkit/envelope';

import { isJsonObject, objects, own } from './members.js';

/** Most fields of one form and most choices of one field; the rest is left out. */
export const MAX_FORM_ITEMS = 100;

/**
 * Most characters of the names and choices of one form, and of the ids of one list: they come from elsewhere, and an Event that is too
 * large would leave a request unseen. What goes beyond is left out.
 */
export const MAX_FORM_CHARS = 50_000;

/** Takes texts while they fit together. */
export function budget(chars: number = MAX_FORM_CHARS): (text: string) => boolean {
  let left = chars;
  return (text) => text.length <= left && (left -= text.length) >= 0;
}

/** A form: its fields with structural labels, and the labels that `redacted` shows, to be merged over them. */
export interface Form {
  readonly fields: readonly JsonObject[];
  readonly labels: readonly JsonObject[];
}

/** The form of a list of questions: one required select with a free-text way out per question, all ids positions from 1 (AEP-0002 Annex A.1). */
export function questionForm(input: JsonObject | undefined): Form {
  const questions = objects(own(input, 'questions'), MAX_FORM_ITEMS);
  const fields = questions.map((question, index): JsonObject => ({
    id: String(index + 1),
    type: 'select',
    label: String(index + 1),
    required: true,
    ...(own(question, 'multiSelect') === true ? { multi: true } : {}),
    other: true,
    choices: objects(own(question, 'options'), MAX_FORM_ITEMS).map((_, position) => ({ id: String(position + 1), label: String(position + 1) })),
  }));
  const labels = questions.map((question, index): JsonObject => ({
    label: [own(question, 'header'), own(question, 'question')].filter((part) => typeof part === 'string' && part !== '').join(': ') || String(index + 1),
    choices: objects(own(question, 'options'), MAX_FORM_ITEMS).map((option, position) => ({ label: labelOr(own(option, 'label'), String(position + 1)) })),
  }));
  return { fields, labels };
}

/** The answers to a list of questions: choices as positions from 1, and what people wrote themselves, which is content (AEP-0006). */
export function questionAnswers(input: JsonObject | undefined, response: JsonObject | undefined): { readonly chosen: JsonObject; readonly written: JsonObject } {
  const answers = own(response, 'answers');
  const chosen: Record<string, JsonValue> = {};
  const written: Record<string, JsonValue> = {};
  if (!isJsonObject(answers)) return { chosen, written };
  for (const [index, question] of objects(own(input, 'questions'), MAX_FORM_ITEMS).entries()) {
    const text = own(question, 'question');
    const answer = typeof text === 'string' ? own(answers, text) : undefined;
    if (typeof answer !== 'string') continue;
    const multi = own(question, 'multiSelect') === true;
    const labels = objects(own(question, 'options'), MAX_FORM_ITEMS).map((option) => own(option, 'label'));
    const positions = choices(labels, answer, multi);
    if (positions === undefined) written[String(index + 1)] = multi ? [answer] : answer;
    else chosen[String(index + 1)] = positions;
  }
  return { chosen, written };
}

function choices(labels: readonly unknown[], answer: string, multi: boolean): string | string[] | undefined {
  const single = labels.indexOf(answer);
  if (!multi) return single < 0 ? undefined : String(single + 1);
  const parts = single < 0 ? answer.split(', ') : [answer];
  const found = parts.map((part) => labels.indexOf(part));
  return found.includes(-1) ? undefined : found.map((position) => String(position + 1)).slice(0, MAX_FORM_ITEMS);
}

/** The form of an MCP elicitation: ids are property keys and enum values, since answers are given by them. */
export function schemaForm(schema: JsonObject | undefined): Form {
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const entries = isJsonObject(properties) ? Object.entries(properties).slice(0, MAX_FORM_ITEMS) : [];
  const fits = budget();
  const fields: JsonObject[] = [];
  const labels: JsonObject[] = [];
  for (const [id, spec] of entries) {
    if (id === '' || !fits(id)) continue;
    const of = isJsonObject(spec) ? spec : undefined;
    const values = own(of, 'enum');
    const label = { label: labelOr(own(of, 'title'), id) };
    const common = { label: id, required: needed.has(id) };
    if (!Array.isArray(values)) {
      fields.push({ id, type: primitive(own(of, 'type')), ...common });
      labels.push(label);
      continue;
    }
    const names = own(of, 'enumNames');
    const taken = (values as readonly JsonValue[])
      .map((value, index) => ({ value, name: Array.isArray(names) ? (names as readonly unknown[])[index] : undefined }))
      .filter((choice): choice is { value: string; name: unknown } => typeof choice.value === 'string')
      .slice(0, MAX_FORM_ITEMS)
      .filter(({ value }) => fits(value));
    fields.push({ id, type: 'select', ...common, choices: taken.map(({ value }) => ({ id: value, label: value })) });
    labels.push({ ...label, choices: taken.map(({ value, name }) => ({ label: labelOr(name, value) })) });
  }
  return { fields, labels };
}

function primitive(type: unknown): 'number' | 'boolean' | 'string' {
  return type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}

function labelOr(label: unknown, id: string): string {
  return typeof label === 'string' && label !== '' ? label : id;
}

/**
 * One answer to a form whose fields only the state of the session tells. A text is content unless it is a member of the closed list
 * that the request names: so it is known by four hexadecimal digits of its digest, enough to find it in a list and too few to find it
 * anywhere else. `text` is there where the ceiling allows it.
 */
export interface AnswerRecord {
  readonly id: string;
  readonly value?: number | boolean;
  readonly mark?: string;
  readonly text?: string;
}

/** The values of an answer as a record may hold them. @param show the text as the ceiling shows it under the id of its field, undefined where it does not */
export function answerRecords(values: JsonObject | undefined, show: (id: string, text: string) => string | undefined): AnswerRecord[] {
  const answers: AnswerRecord[] = [];
  const fits = budget();
  for (const [id, value] of Object.entries(values ?? {})) {
    if (answers.length === MAX_FORM_ITEMS) break;
    if (id === '' || !fits(id)) continue;
    // JSON has one zero.
    if (typeof value === 'number' || typeof value === 'boolean') answers.push({ id, value: value === 0 ? 0 : value });
    else if (typeof value === 'string') {
      const text = show(id, value);
      answers.push({ id, mark: markOf(value), ...(text !== undefined && fits(text) ? { text } : {}) });
    }
  }
  return answers;
}

function markOf(text: string): string {
  return digest(text).slice(0, 4);
}

/** The values of an answer by the fields of its request: what is structural, and free text (AEP-0006). */
export function answerValues(fields: readonly JsonObject[], answers: readonly AnswerRecord[] | undefined): { readonly structural: JsonObject; readonly written: JsonObject } {
  const given = new Map((answers ?? []).map((answer) => [answer.id, answer]));
  const structural: [string, JsonValue][] = [];
  const written: [string, JsonValue][] = [];
  for (const field of fields) {
    const id = field.id as string;
    const answer = given.get(id);
    if (answer === undefined) continue;
    if (answer.value !== undefined && field.type === typeof answer.value) structural.push([id, answer.value]);
    if (answer.mark === undefined) continue;
    if (field.type === 'select') {
      const found = objects(field.choices, MAX_FORM_ITEMS)
        .map((choice) => choice.id)
        .filter((choice): choice is string => typeof choice === 'string' && markOf(choice) === answer.mark);
      // Two members of the list that look the same say nothing.
      if (found.length === 1) structural.push([id, found[0] ?? null]);
    } else if (field.type === 'string' && answer.text !== undefined) written.push([id, answer.text]);
  }
  return { structural: Object.fromEntries(structural), written: Object.fromEntries(written) };
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
