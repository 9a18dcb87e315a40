import { type AepEvent, type JsonObject, severityOf } from '@aepkit/envelope';

import { clip, type Paint, plain } from './terminal.js';

/** One line for people about an Event: time, session, severity where it matters, type, what it is about, what is in it. */
export function eventLine(event: AepEvent, paint: Paint): string {
  const severity = severityOf(event);
  const about = event.subject === undefined ? '' : ` ${plain(event.subject)}`;
  const facts = summary(event.data);
  const type = severity === 'error' || severity === 'critical' ? paint.red(event.type) : severity === 'warning' || severity === 'notice' ? paint.yellow(event.type) : event.type;
  const where = event.session === undefined ? plain(event.agent) : clip(plain(event.session), 12);
  return `${paint.dim(timeOf(event.time))} ${paint.cyan(where)} ${type}${paint.bold(about)}${facts === '' ? '' : ` ${paint.dim(facts)}`}`;
}

const MAX_FACTS = 160;

/** The scalar members of a payload, two levels deep. */
function summary(data: JsonObject | undefined): string {
  const facts: string[] = [];
  for (const [key, value] of Object.entries(data ?? {})) {
    if (isScalar(value)) facts.push(`${key}=${String(value)}`);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [inner, item] of Object.entries(value)) if (isScalar(item)) facts.push(`${key}.${inner}=${String(item)}`);
    }
  }
  return clip(plain(facts.join(' ')), MAX_FACTS);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function timeOf(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return plain(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
