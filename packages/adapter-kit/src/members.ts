import type { JsonObject, JsonValue } from '@aepkit/envelope';

/** An own member: payloads and records are foreign objects. */
export function own(object: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member where there is a value for it, for spreading. */
export function present<K extends string, V>(key: K, value: V | undefined): Readonly<Partial<Record<K, V>>> {
  return (value === undefined ? {} : { [key]: value }) as Readonly<Partial<Record<K, V>>>;
}

/** Without the members that are undefined. */
export function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** The objects of a list. */
export function objects(value: unknown, max: number): JsonObject[] {
  return Array.isArray(value) ? (value as JsonValue[]).filter(isJsonObject).slice(0, max) : [];
}
