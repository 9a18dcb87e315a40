import type { JsonObject, JsonValue } from '@aepkit/envelope';

/** A redaction pipeline (AEP-0003 §9.4) that comes from outside. */
export interface Redactor {
  /** A text without secrets, home paths and personal data. */
  text(text: string): string;
  /** The same for a structured value; without it each string goes through `text`, and what a credential-named member holds goes. */
  value?(value: JsonValue): JsonValue;
}

/** A {@link Redactor}, or its `text` alone. */
export type Redact = Redactor | ((text: string) => string);

/** What replaces the value of a credential-named member. */
const SECRET = '[REDACTED:secret]';
const CREDENTIAL = /^(?:password|passwd|secret|api[_-]?key|token|authorization|credentials?|private[_-]?key|access[_-]?key)$/i;

export function redactorOf(redact: Redact): Redactor {
  return typeof redact === 'function' ? { text: redact } : redact;
}

/**
 * Runs the pipeline over everything that `metadata` would not show: what is missing there, and what stands there in another
 * form. What cannot be compared counts as content. Throws what the pipeline throws, and TypeError when it gives no text.
 */
export function redactContent(value: JsonValue, atMetadata: JsonValue | undefined, redactor: Redactor): JsonValue {
  if (value === atMetadata) return value;
  if (Array.isArray(value) && Array.isArray(atMetadata) && value.length === atMetadata.length) {
    return value.map((item: JsonValue, index) => redactContent(item, atMetadata[index] as JsonValue, redactor));
  }
  if (isObject(value) && atMetadata !== undefined && isObject(atMetadata)) {
    const shown = atMetadata;
    return mapMembers(value, (item, name) => (Object.hasOwn(shown, name) ? redactContent(item, shown[name], redactor) : redactMember(name, item, redactor)));
  }
  return redactValue(value, redactor);
}

/** A member with its name: what a credential-named one holds goes whatever it looks like. The name stays. */
function redactMember(name: string, item: JsonValue, redactor: Redactor): JsonValue {
  if (Array.isArray(item)) return item.map((one: JsonValue) => redactMember(name, one, redactor));
  if (typeof item !== 'string') return redactValue(item, redactor);
  const shown = redactValue(Object.fromEntries([[name, item]]), redactor) as JsonValue | undefined;
  const values = shown !== undefined && isObject(shown) ? Object.values(shown) : [];
  if (values.length !== 1) throw new TypeError('the redaction pipeline changed the shape of a value');
  return textOf(values[0]);
}

function redactValue(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value === 'string') return textOf(redactor.text(value));
  if (typeof value !== 'object' || value === null) return value;
  if (redactor.value !== undefined) return redactor.value(value);
  if (!isObject(value)) return value.map((item) => redactValue(item, redactor));
  return mapMembers(value, (item, name) => (item !== null && CREDENTIAL.test(name) ? SECRET : redactValue(item, redactor)));
}

function textOf(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError('the redaction pipeline gave no text');
  return text;
}

// fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
function mapMembers(object: JsonObject, map: (item: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, item]) => [name, map(item, name)]));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
