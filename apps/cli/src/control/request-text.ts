import { type AepEvent, captureOf, type JsonValue } from '@aepkit/envelope';

import { clip, type Paint, plain } from '../terminal.js';

/** Lines of a prompt that are shown. */
const MAX_PROMPT_LINES = 40;
const MAX_LINE = 400;
const MAX_CONTEXT = 600;

/** A choice that is offered. */
export interface OfferedOption {
  readonly id: string;
  readonly label: string;
}

/** What a request asks, for people: who, what about, all of its text, and what may be answered. */
export function requestLines({ event, now, paint }: { readonly event: AepEvent; readonly now: number; readonly paint: Paint }): string[] {
  const data = event.data ?? {};
  const head = [paint.bold(plain(event.id)), plain(event.agent), `session ${plain(event.session ?? '')}`, ...(event.run === undefined ? [] : [`run ${plain(event.run)}`])];
  const when = [ago(event.time, now), expiry(data.expires_at, now)].filter((text) => text !== '').join(', ');
  const lines = [`${head.join('  ')}  ${paint.dim(when)}`, `  ${paint.yellow(plain(textOf(data.kind) ?? 'other'))}${event.subject === undefined ? '' : ` ${paint.bold(plain(event.subject))}`}`];
  const prompt = (textOf(data.prompt) ?? '').split(/\r\n|\n|\r/);
  // Behind a bar, so that no line of it passes for one of ours, such as the choices.
  lines.push(...prompt.slice(0, MAX_PROMPT_LINES).map((line) => `  | ${clip(plain(line), MAX_LINE)}`));
  if (prompt.length > MAX_PROMPT_LINES) lines.push(paint.dim(`  … ${prompt.length - MAX_PROMPT_LINES} more lines; --json shows all of it`));
  if (data.context !== undefined) lines.push(paint.dim(`  ${clip(plain(JSON.stringify(data.context)), MAX_CONTEXT)}`));
  const options = optionsOf(event);
  if (options.length > 0) lines.push(`  options: ${options.map(optionText).join(', ')}`);
  const level = captureOf(event);
  if (level === 'none' || level === 'metadata') lines.push(paint.dim(`  its text is not told: the Event is at capture ${level}`));
  return lines;
}

/** The fields of a form, a line each. */
export function fieldLines(event: AepEvent): string[] {
  return fieldsOf(event).map((field) => {
    const choices = list(member(field, 'choices')).map((choice) => optionText({ id: textOf(member(choice, 'id')) ?? '', label: textOf(member(choice, 'label')) ?? '' }));
    const marks = [textOf(member(field, 'type')) ?? '', ...['required', 'multi', 'other'].filter((mark) => member(field, mark) === true)];
    return `  ${plain(textOf(member(field, 'id')) ?? '')}: ${clip(plain(textOf(member(field, 'label')) ?? ''), MAX_LINE)} (${marks.join(', ')})${choices.length === 0 ? '' : `: ${choices.join(', ')}`}`;
  });
}

/** Whether an answer can come through control: `undefined` where the request does not say (AEP-0008). */
export function isAnswerable(event: AepEvent): boolean | undefined {
  const via = member(event.data, 'respond_via');
  return Array.isArray(via) ? via.includes('control') : undefined;
}

/** The choices of a request. */
export function optionsOf(event: AepEvent): OfferedOption[] {
  return list(member(event.data, 'options')).flatMap((option) => {
    const [id, label] = [textOf(member(option, 'id')), textOf(member(option, 'label'))];
    return id === undefined ? [] : [{ id, label: label ?? id }];
  });
}

/** The fields of a form, as they were sent. */
export function fieldsOf(event: AepEvent): readonly JsonValue[] {
  return list(member(event.data, 'fields'));
}

/** A choice: its id always, since that is what is answered, whatever its label says. */
export function optionText({ id, label }: OfferedOption): string {
  return label === id || label === '' ? plain(id) : `${plain(id)} (${clip(plain(label), 80)})`;
}

function ago(time: string, now: number): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  return Number.isNaN(seconds) ? '' : `${span(Math.max(0, seconds))} ago`;
}

function expiry(value: unknown, now: number): string {
  const left = typeof value === 'string' ? Math.round((Date.parse(value) - now) / 1000) : NaN;
  if (Number.isNaN(left)) return '';
  return left > 0 ? `expires in ${span(left)}` : 'expired';
}

function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** An own member of what somebody has sent. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function list(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
