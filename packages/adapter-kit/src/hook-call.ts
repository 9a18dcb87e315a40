import type { JsonObject, JsonValue } from '@aepkit/envelope';
import { createRedactor, type Redactor } from '@aepkit/redaction';

import { AdapterError } from './errors.js';
import { isJsonObject, own } from './members.js';

/** Longest identifier (session, tool, call, task …) taken from a payload, in UTF-16 units. */
export const MAX_IDENTIFIER_LENGTH = 512;

/** Deepest nesting of a value that is taken from a payload. */
export const MAX_PAYLOAD_DEPTH = 256;

// A metadata member may hold structural words only (AEP-0003 §9.2): what does not look like one is left out.
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,127}$/;

// AEP-0003 §9.6.
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

let secrets: Redactor | undefined;

/** Whether a value is a structural word, which a metadata member may hold. A word that has the form of a secret is none. */
export function isToken(value: unknown): value is string {
  if (typeof value !== 'string' || !TOKEN.test(value)) return false;
  secrets ??= createRedactor({ pii: false });
  return secrets.text(value) === value;
}

/** Whether a value is what a run may be called. */
export function isRunId(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value) && RUN_ID.test(value);
}

/**
 * One hook call, as a mapping sees it: own members of the payload only, lone surrogates replaced, identifiers and depth bounded.
 *
 * `identifier`, `token`, `count` and `flag` give what metadata may show; `text`, `value` and `object` give content.
 */
export interface HookCall {
  readonly hook: string;
  readonly session: string;
  /** An identifier that has to be there. @throws {@link AdapterError} `invalid-payload`. */
  required(name: string): string;
  /** An identifier of at most {@link MAX_IDENTIFIER_LENGTH} units. Absent, `null` or empty: undefined. @throws {@link AdapterError} `invalid-payload`. */
  identifier(name: string): string | undefined;
  /** A structural word, or undefined where the member is none. */
  token(name: string): string | undefined;
  /** A whole number of at least 0, or undefined. */
  count(name: string): number | undefined;
  flag(name: string): boolean;
  /** Any text that is not empty, or undefined. Content. */
  text(name: string): string | undefined;
  /** Any JSON value; absent: `null`. Content. @throws {@link AdapterError} `invalid-payload` where it is nested too deeply or no JSON. */
  value(name: string): JsonValue;
  /** The same where it is an object. */
  object(name: string): JsonObject | undefined;
}

/** How the payloads of an agent name their session and their hook. */
export interface PayloadNames {
  readonly session: (payload: Readonly<Record<string, unknown>>) => unknown;
  readonly hook: (payload: Readonly<Record<string, unknown>>) => unknown;
}

/** Reads a payload as a {@link HookCall}. @throws {@link AdapterError} `invalid-payload`. */
export function hookCall(payload: unknown, names: PayloadNames): HookCall {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new AdapterError('invalid-payload', '$', 'must be an object');
  const members = payload as Readonly<Record<string, unknown>>;
  const identifier = (name: string): string | undefined => identifierOf(own(members, name), `$.${name}`);
  const required = (value: string | undefined, path: string): string => {
    if (value === undefined) throw new AdapterError('invalid-payload', path, 'must be a text that is not empty');
    return value;
  };
  // Own members only, even where the adapter asks itself.
  const plain = Object.fromEntries(Object.entries(members));
  const session = required(identifierOf(names.session(plain), '$.session_id'), '$.session_id');
  const hook = required(identifierOf(names.hook(plain), '$.hook_event_name'), '$.hook_event_name');
  const value = (name: string): JsonValue => wellFormed(own(members, name), `$.${name}`, 0);
  return {
    hook,
    session,
    required: (name) => required(identifier(name), `$.${name}`),
    identifier,
    token: (name) => {
      const item = own(members, name);
      return isToken(item) ? item : undefined;
    },
    count: (name) => {
      const item = own(members, name);
      return typeof item === 'number' && Number.isSafeInteger(item) && item >= 0 ? item : undefined;
    },
    flag: (name) => own(members, name) === true,
    text: (name) => {
      const item = own(members, name);
      return typeof item === 'string' && item !== '' ? item.toWellFormed() : undefined;
    },
    value,
    object: (name) => {
      const item = value(name);
      return isJsonObject(item) ? item : undefined;
    },
  };
}

function identifierOf(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new AdapterError('invalid-payload', path, 'must be a text');
  if (value.length > MAX_IDENTIFIER_LENGTH) throw new AdapterError('invalid-payload', path, `must have at most ${MAX_IDENTIFIER_LENGTH} characters`);
  return value.toWellFormed();
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
