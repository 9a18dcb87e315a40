import { digest, type AepEvent, type JsonObject } from '@aepkit/envelope';

const MAX_KEY_CHARS = 256;
const MAX_QUOTED_CHARS = 64;
const ANYWHERE: ReadonlySet<string> = new Set(['aep', 'id', 'type', 'subject', 'time', 'source', 'agent', 'session', 'run', 'step', 'seq', 'epoch', 'cause', 'traceparent', 'severity']);

/** One key of several parts; injective. Long ones are digested, so that a limit in entries is a limit in bytes. */
export function keyOf(...parts: readonly string[]): string {
  const key = parts.map((part) => `${part.length}:${part}`).join('');
  return key.length <= MAX_KEY_CHARS ? key : digest(key);
}

/** A name of the sender inside a sentence. */
export function quoted(name: string): string {
  return JSON.stringify((name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name).toWellFormed());
}

/** Equal for Events that are equal as JSON values, whatever the order of their members (AEP-0001 §7.4). */
export function fingerprint(event: AepEvent, merged: boolean): string {
  const members = Object.entries(event).flatMap(([name, value]) => {
    if (value === undefined || (merged && !ANYWHERE.has(name))) return [];
    // A list cannot be confused with a value: extension attributes are never one.
    return [[name, typeof value === 'bigint' ? [String(value)] : value]];
  });
  const comparable = Object.fromEntries(members) as JsonObject;
  try {
    return digest(comparable);
  } catch {
    // A number beyond the range of doubles has no canonical form.
    return digest(JSON.stringify(comparable, (_name, value: unknown) => (typeof value === 'number' ? String(value) : value)));
  }
}
