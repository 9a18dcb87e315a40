import { digest, type JsonObject, type JsonValue } from '@aepkit/envelope';

import { isJsonObject, own } from './hook-payload.js';
import type { AnswerRecord, FieldRecord, QuestionRecord } from './hook-record.js';

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

/** The questions of an `AskUserQuestion` call, without their words. */
export function questionsOf(input: JsonObject): QuestionRecord[] | undefined {
  const questions = list(input, 'questions').map((question) => ({
    choices: list(question, 'options').length,
    multi: own(question, 'multiSelect') === true,
  }));
  return questions.length === 0 ? undefined : questions;
}

/** The form of an `AskUserQuestion` call: one required select with a free-text way out per question. */
export function questionForm(questions: readonly QuestionRecord[] | undefined): { prompt: string; fields: JsonObject[] } | undefined {
  if (questions === undefined || questions.length === 0) return undefined;
  const fields = questions.map(({ choices, multi }, index): JsonObject => ({
    id: String(index + 1),
    type: 'select',
    label: String(index + 1),
    required: true,
    ...(multi ? { multi: true } : {}),
    other: true,
    choices: Array.from({ length: choices }, (_, position) => ({ id: String(position + 1), label: String(position + 1) })),
  }));
  return { prompt: `claude-code asks ${count(fields.length, 'question')}`, fields };
}

/**
 * The answers of an `AskUserQuestion` call as far as they are choices, as positions from 1. What people wrote themselves is content and
 * stays out (AEP-0006).
 */
export function chosenAnswers(input: JsonObject, response: JsonObject | undefined): Record<string, number | number[]> | undefined {
  const answers = response === undefined ? undefined : own(response, 'answers');
  if (!isJsonObject(answers as JsonValue)) return undefined;
  const chosen: Record<string, number | number[]> = {};
  for (const [index, question] of list(input, 'questions').entries()) {
    const text = own(question, 'question');
    const answer = typeof text === 'string' ? own(answers as JsonObject, text) : undefined;
    if (typeof answer !== 'string') continue;
    const labels = list(question, 'options').map((option) => own(option, 'label'));
    const positions = choices(labels, answer, own(question, 'multiSelect') === true);
    if (positions !== undefined) chosen[String(index + 1)] = positions;
  }
  return Object.keys(chosen).length === 0 ? undefined : chosen;
}

/** The answer to a form of questions. */
export function questionAnswers(chosen: Readonly<Record<string, number | readonly number[]>> | undefined): JsonObject {
  if (chosen === undefined) return {};
  return { values: Object.fromEntries(Object.entries(chosen).map(([id, at]) => [id, typeof at === 'number' ? String(at) : at.map(String)])) };
}

/** The fields of an MCP elicitation. */
export function fieldsOf(schema: JsonObject | undefined): FieldRecord[] {
  const properties = schema === undefined ? undefined : own(schema, 'properties');
  const required = schema === undefined ? undefined : own(schema, 'required');
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const entries = isJsonObject(properties as JsonValue) ? Object.entries(properties as JsonObject).slice(0, MAX_FORM_ITEMS) : [];
  const fits = budget();
  return entries.filter(([key]) => key !== '' && fits(key)).map(([key, spec]) => fieldOf(key, spec, needed.has(key), fits));
}

function fieldOf(id: string, spec: JsonValue | undefined, required: boolean, fits: (text: string) => boolean): FieldRecord {
  const type = isJsonObject(spec) ? own(spec, 'type') : undefined;
  const values = isJsonObject(spec) ? own(spec, 'enum') : undefined;
  if (Array.isArray(values)) {
    return { id, type: 'select', required, choices: values.filter((value): value is string => typeof value === 'string').slice(0, MAX_FORM_ITEMS).filter(fits) };
  }
  return { id, type: type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string', required };
}

/** The form of an MCP elicitation. */
export function elicitationForm(records: readonly FieldRecord[]): { prompt: string; fields: JsonObject[] } {
  const fields = records.map(({ id, type, required, choices }): JsonObject => ({
    id,
    type,
    label: id,
    required,
    ...(choices === undefined ? {} : { choices: choices.map((choice) => ({ id: choice, label: choice })) }),
  }));
  return { prompt: `claude-code requests input (${count(fields.length, 'field')})`, fields };
}

/** The content of an elicitation's answer without its texts. */
export function answersOf(content: JsonObject | undefined): AnswerRecord[] {
  const answers: AnswerRecord[] = [];
  const fits = budget();
  for (const [id, value] of Object.entries(content ?? {})) {
    if (answers.length === MAX_FORM_ITEMS) break;
    if (id === '' || !fits(id)) continue;
    // JSON has one zero.
    if (typeof value === 'number' || typeof value === 'boolean') answers.push({ id, value: value === 0 ? 0 : value });
    else if (typeof value === 'string') answers.push({ id, mark: markOf(value) });
  }
  return answers;
}

function markOf(text: string): string {
  return digest(text).slice(0, 4);
}

/** What an elicitation's answers say without free text: numbers, booleans, and members of a closed list. */
export function elicitationAnswers(fields: readonly JsonObject[], answers: readonly AnswerRecord[] | undefined): JsonObject {
  const given = new Map((answers ?? []).map((answer) => [answer.id, answer]));
  const values: Record<string, JsonValue> = {};
  for (const field of fields) {
    const key = field.id as string;
    const answer = given.get(key);
    if (answer === undefined) continue;
    if (answer.value !== undefined && field.type === typeof answer.value) define(values, key, answer.value);
    if (answer.mark === undefined || field.type !== 'select') continue;
    const found = (field.choices as JsonObject[]).map(({ id }) => id as string).filter((id) => markOf(id) === answer.mark);
    // Two members of the list that look the same say nothing.
    if (found.length === 1) define(values, key, found[0] ?? null);
  }
  return Object.keys(values).length === 0 ? {} : { values };
}

// Keys come from a foreign schema; `__proto__` must become a member.
function define(values: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true });
}

function choices(labels: readonly unknown[], answer: string, multi: boolean): number | number[] | undefined {
  const single = labels.indexOf(answer);
  if (!multi) return single < 0 ? undefined : single + 1;
  const parts = single < 0 ? answer.split(', ') : [answer];
  const found = parts.map((part) => labels.indexOf(part));
  return found.includes(-1) ? undefined : found.map((position) => position + 1).slice(0, MAX_FORM_ITEMS);
}

function list(object: JsonObject | undefined, name: string): JsonObject[] {
  const value = object === undefined ? undefined : own(object, name);
  return Array.isArray(value) ? (value as JsonValue[]).filter(isJsonObject).slice(0, MAX_FORM_ITEMS) : [];
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
