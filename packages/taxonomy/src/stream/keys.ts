import { digest, type AepEvent, type JsonObject } from '@aepkit/envelope';

const MAX_KEY_CHARS = 256;
const MAX_QUOTED_CHARS = 64;
const ANYWHERE: ReadonlySet<string> = new Set(['aep', 'id', 'type', 'subject', 'time', 'source', 'agent', 'session', 'run', 'step', 'seq', 'epoch', 'cause', 'traceparent', 'severity']);

/** One key of several parts; injective. Long ones are digested, so that a limit in entries is a limit in bytes. */
export function keyOf(...parts: readonly string[]): string {
  let key = '';
  for (const part of parts) key += `${part.length}:${part}`;
  return key.length <= MAX_KEY_CHARS ? key : digest(key);
}

/** A name of the sender, cut to what is worth remembering for a report. */
export function cut(name: string): string {
  return name.length <= MAX_KEY_CHARS ? name : `${name.slice(0, MAX_KEY_CHARS)}…`.toWellFormed();
}

/** A name of the sender inside a sentence. */
export function quoted(name: string): string {
  return JSON.stringify((name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name).toWellFormed());
}

/**
 * Equal for Events that are equal as JSON values, whatever the order of their members (AEP-0001 §7.4). 52 bits of the
 * digest: what is compared has one `(source, id)`, so there is one chance in 2^52 to miss a difference, and a number takes a
 * fifth of the memory of the text.
 */
export function fingerprint(event: AepEvent, merged: boolean): number {
  return Number.parseInt(digestOf(event, merged).slice(0, 13), 16);
}

function digestOf(event: AepEvent, merged: boolean): string {
  const comparable = isPlain(event) && !merged ? (event as JsonObject) : comparableOf(event, merged);
  try {
    return digest(comparable);
  } catch {
    // A number beyond the range of doubles has no canonical form.
    return digest(JSON.stringify(comparable, (_name, value: unknown) => (typeof value === 'number' ? String(value) : value)));
  }
}

function comparableOf(event: AepEvent, merged: boolean): JsonObject {
  const members = Object.entries(event).flatMap(([name, value]) => {
    if (value === undefined || (merged && !ANYWHERE.has(name))) return [];
    // A list cannot be confused with a value: extension attributes are never one.
    return [[name, typeof value === 'bigint' ? [String(value)] : value]];
  });
  return Object.fromEntries(members) as JsonObject;
}

function isPlain(event: AepEvent): boolean {
  return Object.values(event).every((value) => typeof value !== 'bigint' && value !== undefined);
}
