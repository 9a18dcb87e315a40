import { checkAnswer } from '@aepkit/control';
import type { AepEvent, JsonObject, JsonValue } from '@aepkit/envelope';
import { formOf, type FormField } from '@aepkit/taxonomy';

import { plain } from '../terminal.js';
import { fieldsOf, member, type OfferedOption, optionsOf, optionText } from './request-text.js';

/** A conversation with a person. */
export interface Talk {
  /** Asks for a line; undefined where nobody answers any more. */
  ask(question: string): Promise<string | undefined>;
  tell(line: string): void;
}

/** An answer to give, or what to do instead. */
export type Asked = { readonly type: 'answer'; readonly answer: JsonObject } | { readonly type: 'skip' | 'quit' };

/** Asks a person for the answer to a request, again until it is one that can apply. */
export async function askAnswer(event: AepEvent, talk: Talk): Promise<Asked> {
  for (;;) {
    const asked = await askOnce(event, talk);
    if (asked.type !== 'answer') return asked;
    const verdict = checkAnswer(event, asked.answer);
    if (verdict.type === 'valid') return asked;
    talk.tell(plain(verdict.detail));
  }
}

function askOnce(event: AepEvent, talk: Talk): Promise<Asked> {
  const options = optionsOf(event);
  if (options.length > 0) return askOption(options, talk);
  const kind = member(event.data, 'kind');
  if (kind === 'form') return askForm(event, talk);
  return askText(kind === 'permission', talk);
}

async function askOption(options: readonly OfferedOption[], talk: Talk): Promise<Asked> {
  options.forEach((option, index) => {
    talk.tell(`  ${index + 1}  ${optionText(option)}`);
  });
  for (;;) {
    const line = await talk.ask(`answer (1-${options.length}, and a reason if you like; s skips, q quits): `);
    const [word = '', reason] = splitFirst(line);
    if (line === undefined || word === 'q') return { type: 'quit' };
    if (word === 's') return { type: 'skip' };
    // A number is never guessed from an id: an option called 2 is answered by its place as well.
    const option = /^\d{1,4}$/.test(word) ? options[Number(word) - 1] : options.find(({ id }) => id === word);
    if (option !== undefined) return { type: 'answer', answer: { option: option.id, ...(reason === '' || reason === undefined ? {} : { text: reason }) } };
    if (word !== '') talk.tell(`${plain(word)} is none of them`);
  }
}

async function askText(isPermission: boolean, talk: Talk): Promise<Asked> {
  if (isPermission) talk.tell('it offers no choices, and no text permits anything');
  const line = await talk.ask(isPermission ? 'answer (s skips, q quits): ' : 'answer (a line of text; s skips, q quits): ');
  if (line === undefined || line.trim() === 'q') return { type: 'quit' };
  if (line.trim() === 's' || (isPermission && line.trim() === '')) return { type: 'skip' };
  return { type: 'answer', answer: { text: line } };
}

async function askForm(event: AepEvent, talk: Talk): Promise<Asked> {
  const first = (await talk.ask('fill in this form? (y; s skips, q quits): '))?.trim().toLowerCase();
  if (first === undefined || first === 'q') return { type: 'quit' };
  if (first !== 'y' && first !== 'yes') return { type: 'skip' };
  const values: [string, JsonValue][] = [];
  const specs = new Map(fieldsOf(event).map((field) => [member(field, 'id'), field]));
  for (const [id, field] of formOf(fieldsOf(event))) {
    const value = await askField(id, field, specs.get(id), talk);
    if (value === 'gone') return { type: 'quit' };
    if (value !== undefined) values.push([id, value.value]);
  }
  return { type: 'answer', answer: { values: Object.fromEntries(values) } };
}

async function askField(id: string, field: FormField, spec: JsonValue | undefined, talk: Talk): Promise<{ readonly value: JsonValue } | 'gone' | undefined> {
  const label = member(spec, 'label');
  talk.tell(`${typeof label === 'string' && label !== '' ? plain(label) : plain(id)}${field.required ? ' (required)' : ''}`);
  const choices = choicesOf(spec);
  choices.forEach((choice, index) => {
    talk.tell(`  ${index + 1}  ${optionText(choice)}`);
  });
  for (;;) {
    const line = await talk.ask(`  ${hint(field, choices.length)}: `);
    if (line === undefined) return 'gone';
    const empty = line.trim() === '';
    if (empty && !field.required) return undefined;
    const value = empty ? undefined : valueOf(field, choices, line);
    if (value !== undefined) return { value };
    talk.tell(empty ? '  it is required' : '  that does not fit');
  }
}

function hint({ type, multi, other, required, min, max }: FormField, choices: number): string {
  const range = min === undefined && max === undefined ? '' : `, ${min ?? ''} to ${max ?? ''}`;
  const what = { string: 'text', number: `number${range}`, boolean: 'y or n', select: `${choices === 0 ? '' : `1-${choices}`}${multi ? ', several with commas' : ''}${other ? `${choices === 0 ? '' : ', or '}text` : ''}` }[type];
  return required ? what : `${what}; empty leaves it out`;
}

function valueOf({ type, multi, other, min = -Infinity, max = Infinity }: FormField, choices: readonly OfferedOption[], line: string): JsonValue | undefined {
  const text = line.trim();
  switch (type) {
    case 'string':
      return line;
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined;
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
    case 'select': {
      const found = (multi ? text.split(',') : [text]).map((part) => chosen(choices, part.trim(), other));
      if (found.some((part) => part === undefined)) return undefined;
      return multi ? (found as string[]) : found[0];
    }
  }
}

function chosen(choices: readonly OfferedOption[], word: string, other: boolean): string | undefined {
  const choice = /^\d{1,4}$/.test(word) ? choices[Number(word) - 1] : choices.find(({ id }) => id === word);
  return choice?.id ?? (other && word !== '' ? word : undefined);
}

function choicesOf(spec: JsonValue | undefined): OfferedOption[] {
  const choices = member(spec, 'choices');
  return (Array.isArray(choices) ? choices : []).flatMap((choice: unknown) => {
    const [id, label] = [member(choice, 'id'), member(choice, 'label')];
    return typeof id === 'string' ? [{ id, label: typeof label === 'string' ? label : id }] : [];
  });
}

function splitFirst(line: string | undefined): string[] {
  const match = /^\s*(\S+)\s*(.*?)\s*$/.exec(line ?? '');
  return match === null ? [] : [match[1] ?? '', match[2] ?? ''];
}
