import type { Capture } from '@aepkit/envelope';

import { AdapterError } from './errors.js';
import { isCallKey } from './call-key.js';
import { MAX_FORM_ITEMS } from './forms.js';
import { isRunId, isToken, MAX_IDENTIFIER_LENGTH } from './hook-payload.js';

/** The form of a record; a record of another form is refused. */
export const RECORD_VERSION = 1;

/** Most calls that the record of a `PostToolBatch` names. */
export const MAX_BATCH_CALLS = 1000;

/** What a hook call is known at once it may be stored. */
export type RecordCeiling = Extract<Capture, 'none' | 'metadata'>;

/** One question of an `AskUserQuestion` call: how many choices it has. */
export interface QuestionRecord {
  readonly choices: number;
  readonly multi: boolean;
}

/** One field of an elicitation. */
export interface FieldRecord {
  readonly id: string;
  readonly type: 'string' | 'number' | 'boolean' | 'select';
  readonly required: boolean;
  /** Of a select: its closed list. */
  readonly choices?: readonly string[];
}

/**
 * One answer to an elicitation. A text is content unless it is a member of the closed list that the request names, which only the
 * state of the session tells: so a text is known by four hexadecimal digits of its digest, enough to find it in a list and too
 * few to find it anywhere else.
 */
export interface AnswerRecord {
  readonly id: string;
  readonly value?: number | boolean;
  readonly mark?: string;
}

/**
 * What is known of one hook call at its ceiling, as plain JSON: enough to make its Events later, with the state of its session, and
 * nothing above the ceiling. It has no position, no run but the one that the agent named, and no cause.
 */
export interface HookRecord {
  readonly v: typeof RECORD_VERSION;
  readonly hook: string;
  readonly session: string;
  /** When the hook fired, in milliseconds since the epoch. */
  readonly time: number;
  /** The ULID that names this call: the id of its first Event. */
  readonly key?: string;
  readonly ceiling: RecordCeiling;
  /** Ceilings of categories, where they differ. */
  readonly ceilings?: Readonly<Record<string, RecordCeiling>>;
  /** The run that the agent named. */
  readonly run?: string;
  /** Name of the tool. */
  readonly tool?: string;
  /** Id of the call of the tool. */
  readonly call?: string;
  /** Digest of the tool's input. */
  readonly input?: string;
  /** Digest of the tool's response. */
  readonly result?: string;
  readonly duration?: number;
  readonly interrupted?: true;
  /** Ids of the calls of a batch. */
  readonly calls?: readonly string[];
  /** What the Event is about: subtype of a notification, id of a task, a subagent, an elicitation. */
  readonly subject?: string;
  /** Structural words. */
  readonly trigger?: string;
  readonly model?: string;
  readonly error?: string;
  readonly kind?: string;
  /** An elicitation that is a page to visit. */
  readonly page?: true;
  readonly accepted?: true;
  readonly questions?: readonly QuestionRecord[];
  /** Chosen positions by position of the question, both from 1. */
  readonly chosen?: Readonly<Record<string, number | readonly number[]>>;
  readonly fields?: readonly FieldRecord[];
  readonly answers?: readonly AnswerRecord[];
}

/**
 * Checks a value that came from a disk or a network, and gives it as a record: known members only, each of its kind and within its
 * bounds.
 *
 * @throws {@link AdapterError} `invalid-record`.
 */
export function parseRecord(value: unknown): HookRecord {
  const record: Record<string, unknown> = { ...object(value, '$') };
  if (record.v !== RECORD_VERSION) refuse('$.v', `must be ${RECORD_VERSION}`);
  for (const name of ['hook', 'session', 'time', 'ceiling']) if (record[name] === undefined) refuse(`$.${name}`, 'is missing');
  for (const [name, item] of Object.entries(record)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (check === undefined) refuse('$', 'has a member that records do not have');
    check(item, `$.${name}`);
  }
  if (TOOL_HOOKS.has(record.hook as string) && record.tool === undefined) refuse('$.tool', 'is missing');
  return record as unknown as HookRecord;
}

/** Hooks about one call of a tool. */
export const TOOL_HOOKS: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied']);

type Check = (value: unknown, path: string) => void;

// What Date can hold; an Event has four digits for the year.
const MAX_TIME_MS = Date.UTC(9999, 11, 31);
const MAX_ITEMS = MAX_FORM_ITEMS;

const identifier: Check = (value, path) => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_IDENTIFIER_LENGTH || !value.isWellFormed()) {
    refuse(path, `must be a text of 1 to ${MAX_IDENTIFIER_LENGTH} characters`);
  }
};
const matching = (pattern: RegExp): Check => (value, path) => {
  if (typeof value !== 'string' || !pattern.test(value)) refuse(path, 'must be a word of its kind');
};
const token: Check = (value, path) => {
  if (!isToken(value)) refuse(path, 'must be a word of its kind');
};
const digest = matching(/^[0-9a-f]{32}$/);
const flag: Check = (value, path) => {
  if (value !== true) refuse(path, 'must be true');
};
const count = (max: number, min = 0): Check => (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) refuse(path, `must be a whole number from ${min} to ${max}`);
};
const position = count(MAX_ITEMS, 1);
const level: Check = (value, path) => {
  if (value !== 'none' && value !== 'metadata') refuse(path, 'must be none or metadata');
};
const list = (check: Check, max: number): Check => (value, path) => {
  if (!Array.isArray(value) || value.length > max) refuse(path, `must be a list of at most ${max}`);
  for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
};
const members = (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check => (value, path) => {
  const given = object(value, path);
  for (const [name, check] of Object.entries(required)) check(given[name], `${path}.${name}`);
  for (const [name, item] of Object.entries(given)) {
    if (Object.hasOwn(required, name)) continue;
    if (!Object.hasOwn(optional, name)) refuse(path, 'has a member that records do not have');
    optional[name]?.(item, `${path}.${name}`);
  }
};
const table = (key: RegExp, check: Check, max: number): Check => (value, path) => {
  const entries = Object.entries(object(value, path));
  if (entries.length > max) refuse(path, `must have at most ${max} members`);
  for (const [name, item] of entries) {
    if (!key.test(name)) refuse(path, 'has a member of another name');
    check(item, `${path}.${name}`);
  }
};
const fieldId: Check = (value, path) => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed()) refuse(path, 'must be a text that is not empty');
};
const text: Check = (value, path) => {
  if (typeof value !== 'string' || !value.isWellFormed()) refuse(path, 'must be a text');
};

const CHECKS: Readonly<Record<string, Check>> = {
  v: () => undefined,
  hook: identifier,
  session: identifier,
  time: count(MAX_TIME_MS),
  key: (value, path) => {
    if (!isCallKey(value)) refuse(path, 'must be a ULID');
  },
  ceiling: level,
  ceilings: table(/^[a-z0-9][a-z0-9_-]{0,63}$/, level, 64),
  run: (value, path) => {
    if (!isRunId(value)) refuse(path, 'must be a name of a run');
  },
  tool: identifier,
  call: identifier,
  input: digest,
  result: digest,
  duration: count(Number.MAX_SAFE_INTEGER),
  interrupted: flag,
  calls: list(identifier, MAX_BATCH_CALLS),
  subject: identifier,
  trigger: token,
  model: token,
  error: token,
  kind: token,
  page: flag,
  accepted: flag,
  questions: list(members({ choices: count(MAX_ITEMS), multi: (value, path) => { if (typeof value !== 'boolean') refuse(path, 'must be a boolean'); } }), MAX_ITEMS),
  chosen: table(/^[1-9]\d{0,2}$/, (value, path) => { (Array.isArray(value) ? list(position, MAX_ITEMS) : position)(value, path); }, MAX_ITEMS),
  fields: list(
    members(
      { id: fieldId, type: matching(/^(?:string|number|boolean|select)$/), required: (value, path) => { if (typeof value !== 'boolean') refuse(path, 'must be a boolean'); } },
      { choices: list(text, MAX_ITEMS) },
    ),
    MAX_ITEMS,
  ),
  answers: list(
    members(
      { id: fieldId },
      {
        value: (value, path) => { if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value))) refuse(path, 'must be a number or a boolean'); },
        mark: matching(/^[0-9a-f]{4}$/),
      },
    ),
    MAX_ITEMS,
  ),
};

function object(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'must be an object');
  return value as Readonly<Record<string, unknown>>;
}

function refuse(path: string, message: string): never {
  throw new AdapterError('invalid-record', path, message);
}

// What all other calls become has severity `info`, and no turn or request begins or ends with it.
const KEPT: ReadonlySet<string> = new Set([
  'SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'StopFailure', 'PostToolUseFailure', 'PostToolBatch',
  'PermissionRequest', 'PermissionDenied', 'Notification', 'Elicitation', 'ElicitationResult',
]);

/** Whether a call is given up first where there is no room: it says neither that somebody is needed nor that something failed or ended (AEP-0003 §8.4). */
export function isExpendable({ hook }: HookRecord): boolean {
  return !KEPT.has(hook);
}
