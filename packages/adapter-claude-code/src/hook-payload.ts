import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { AdapterError } from './errors.js';

/** Longest identifier (session, tool, call, task …) taken from a payload, in UTF-16 units. */
export const MAX_IDENTIFIER_LENGTH = 512;

/** Deepest nesting of a tool's input or response. */
export const MAX_PAYLOAD_DEPTH = 256;

// A metadata member may hold structural words only (AEP-0003 §9.2): what does not look like one is left out.
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,127}$/;

// AEP-0003 §9.6.
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether a value is a structural word, which a metadata member may hold. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/** Whether a value is what a run may be called. */
export function isRunId(value: unknown): value is string {
  return isToken(value) && RUN_ID.test(value);
}

/** One hook call: its name, its session, and typed access to own members of the payload. */
export class HookPayload {
  readonly hook: string;
  readonly session: string;
  readonly #members: Readonly<Record<string, unknown>>;

  constructor(payload: unknown) {
    if (!isObject(payload)) throw new AdapterError('invalid-payload', '$', 'must be an object');
    this.#members = payload;
    this.session = this.#required('session_id');
    this.hook = this.#required('hook_event_name');
  }

  /** A member that must be there, as an identifier. */
  #required(name: string): string {
    const value = this.identifier(name);
    if (value === undefined) throw new AdapterError('invalid-payload', `$.${name}`, 'must be a text that is not empty');
    return value;
  }

  /** The tool of a tool hook; every tool hook has one. */
  get toolName(): string {
    return this.#required('tool_name');
  }

  /** An identifier, unchanged apart from lone surrogates. Absent, `null` or empty: undefined. */
  identifier(name: string): string | undefined {
    const value = own(this.#members, name);
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw new AdapterError('invalid-payload', `$.${name}`, 'must be a text');
    if (value.length > MAX_IDENTIFIER_LENGTH) {
      throw new AdapterError('invalid-payload', `$.${name}`, `must have at most ${MAX_IDENTIFIER_LENGTH} characters`);
    }
    return value.toWellFormed();
  }

  /** A structural word, or undefined when it is none. */
  token(name: string): string | undefined {
    const value = own(this.#members, name);
    return isToken(value) ? value : undefined;
  }

  /** A whole number of at least 0, or undefined. */
  count(name: string): number | undefined {
    const value = own(this.#members, name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  }

  flag(name: string): boolean {
    return own(this.#members, name) === true;
  }

  /** Any JSON value with its lone surrogates replaced by U+FFFD, since agents cut texts anywhere. Absent: `null`. */
  value(name: string): JsonValue {
    return wellFormed(own(this.#members, name), `$.${name}`, 0);
  }

  object(name: string): JsonObject | undefined {
    const value = this.value(name);
    return isJsonObject(value) ? value : undefined;
  }
}

/** An own member: payloads are foreign objects. */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wellFormed(value: unknown, path: string, depth: number): JsonValue {
  if (depth > MAX_PAYLOAD_DEPTH) throw new AdapterError('invalid-payload', path, `is nested deeper than ${MAX_PAYLOAD_DEPTH}`);
  if (value === undefined || value === null) return null;
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object': {
      if (Array.isArray(value)) return value.map((item: unknown) => wellFormed(item, path, depth + 1));
      // `__proto__` must become an own member, not a prototype.
      return Object.fromEntries(
        Object.entries(value).map(([key, item]: [string, unknown]) => [key.toWellFormed(), wellFormed(item, path, depth + 1)]),
      );
    }
    default:
  }
  throw new AdapterError('invalid-payload', path, 'holds something that is not JSON');
}
