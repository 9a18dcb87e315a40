import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { isJsonObject, own } from './hook-payload.js';

/** Most fields of one form and most choices of one field; the rest is left out. */
export const MAX_FORM_ITEMS = 100;

/** The form of an `AskUserQuestion` call: one required select with a free-text way out per question. */
export function questionForm(input: JsonObject | undefined): { prompt: string; fields: JsonObject[] } | undefined {
  const questions = list(input, 'questions');
  if (questions.length === 0) return undefined;
  const fields = questions.map((question, index): JsonObject => {
    const multi = own(question, 'multiSelect') === true;
    return {
      id: String(index + 1),
      type: 'select',
      label: String(index + 1),
      required: true,
      ...(multi ? { multi: true } : {}),
      other: true,
      choices: list(question, 'options').map((_, position) => ({ id: String(position + 1), label: String(position + 1) })),
    };
  });
  return { prompt: `claude-code asks ${count(fields.length, 'question')}`, fields };
}

/**
 * The answers of an `AskUserQuestion` call as far as they are choices. What people wrote themselves is content and stays out
 * (AEP-0006).
 */
export function questionAnswers(input: JsonObject | undefined, response: JsonObject | undefined): JsonObject {
  const answers = response === undefined ? undefined : own(response, 'answers');
  if (!isJsonObject(answers as JsonValue)) return {};
  const values: Record<string, JsonValue> = {};
  for (const [index, question] of list(input, 'questions').entries()) {
    const text = own(question, 'question');
    const answer = typeof text === 'string' ? own(answers as JsonObject, text) : undefined;
    if (typeof answer !== 'string') continue;
    const labels = list(question, 'options').map((option) => own(option, 'label'));
    const chosen = choices(labels, answer, own(question, 'multiSelect') === true);
    if (chosen !== undefined) values[String(index + 1)] = chosen;
  }
  return Object.keys(values).length === 0 ? {} : { values };
}

/** The form of an MCP elicitation. */
export function elicitationForm(schema: JsonObject | undefined): { prompt: string; fields: JsonObject[] } {
  const properties = schema === undefined ? undefined : own(schema, 'properties');
  const required = schema === undefined ? undefined : own(schema, 'required');
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const entries = isJsonObject(properties as JsonValue) ? Object.entries(properties as JsonObject).slice(0, MAX_FORM_ITEMS) : [];
  const fields = entries.filter(([key]) => key !== '').map(([key, spec]) => elicitationField(key, spec, needed.has(key)));
  return { prompt: `claude-code requests input (${count(fields.length, 'field')})`, fields };
}

function elicitationField(key: string, spec: JsonValue | undefined, required: boolean): JsonObject {
  const type = isJsonObject(spec) ? own(spec, 'type') : undefined;
  const values = isJsonObject(spec) ? own(spec, 'enum') : undefined;
  if (Array.isArray(values)) {
    const ids = values.filter((value): value is string => typeof value === 'string').slice(0, MAX_FORM_ITEMS);
    return { id: key, type: 'select', label: key, required, choices: ids.map((id) => ({ id, label: id })) };
  }
  const kind = type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  return { id: key, type: kind, label: key, required };
}

/** What an elicitation's content says without free text: numbers, booleans, and members of a closed list. */
export function elicitationAnswers(fields: readonly JsonObject[], content: JsonObject | undefined): JsonObject {
  if (content === undefined) return {};
  const values: Record<string, JsonValue> = {};
  for (const field of fields) {
    const key = field.id as string;
    const value = own(content, key) as JsonValue | undefined;
    if (typeof value === 'number' || typeof value === 'boolean') {
      if (field.type === typeof value) define(values, key, value);
    } else if (field.type === 'select' && (field.choices as JsonObject[]).some((choice) => choice.id === value)) {
      define(values, key, value as string);
    }
  }
  return Object.keys(values).length === 0 ? {} : { values };
}

// Keys come from a foreign schema; `__proto__` must become a member.
function define(values: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true });
}

function choices(labels: readonly unknown[], answer: string, multi: boolean): JsonValue | undefined {
  const single = labels.indexOf(answer);
  if (!multi) return single < 0 ? undefined : String(single + 1);
  const parts = single < 0 ? answer.split(', ') : [answer];
  const found = parts.map((part) => labels.indexOf(part));
  return found.includes(-1) ? undefined : found.map((position) => String(position + 1));
}

function list(object: JsonObject | undefined, name: string): JsonObject[] {
  const value = object === undefined ? undefined : own(object, name);
  return Array.isArray(value) ? (value as JsonValue[]).filter(isJsonObject).slice(0, MAX_FORM_ITEMS) : [];
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
