import type { ExactJsonObject } from '@aepkit/envelope';

/** A member of a parsed object, own properties only. */
export function ownMember(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The same, where it is a string. */
export function ownText(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const member = ownMember(value, name);
  return typeof member === 'string' ? member : undefined;
}

/** Whether a value is an object of JSON, and no list. */
export function isRecord(value: unknown): value is ExactJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
