import { CAPTURES, SEVERITIES } from '@aepkit/envelope';

import { isCallKey } from './call-key.js';
import { AdapterError } from './errors.js';
import { MAX_FORM_ITEMS } from './forms.js';
import { isRunId, MAX_IDENTIFIER_LENGTH } from './hook-call.js';
import { type HookRecord, RECORD_VERSION } from './hook-record.js';
import { MAX_CALLS } from './read-call.js';
import { STEP_KINDS } from './step.js';

/** Most steps of one record. */
export const MAX_STEPS = 100;

/**
 * Checks a value that came from a disk or a network, and gives it as a record: known members only, each of its kind and within its
 * bounds. What its Events hold is checked when they are made.
 *
 * @throws {@link AdapterError} `invalid-record`; `path` is `$.v` for a record of another version.
 */
export function parseRecord(value: unknown): HookRecord {
  const record = object(value, '$');
  if (record.v !== RECORD_VERSION) refuse('$.v', `must be ${RECORD_VERSION}`);
  members(
    { v: () => undefined, agent: matching(/^[a-z0-9][a-z0-9_-]{0,63}$/), hook: identifier, session: identifier, time: count(MAX_TIME_MS), ceiling: level, steps: list(step, MAX_STEPS) },
    { key: checked(isCallKey, 'must be a ULID'), ceilings: table(/^[a-z0-9][a-z0-9_-]{0,63}$/, level, 64), run: runId },
  )(record, '$');
  return record as unknown as HookRecord;
}

type Check = (value: unknown, path: string) => void;

const MAX_DEPTH = 64;

// What Date can hold; an Event has four digits for the year.
const MAX_TIME_MS = Date.UTC(9999, 11, 31);

function identifier(value: unknown, path: string): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_IDENTIFIER_LENGTH || !value.isWellFormed()) {
    refuse(path, `must be a text of 1 to ${MAX_IDENTIFIER_LENGTH} characters`);
  }
}

function text(value: unknown, path: string): void {
  if (typeof value !== 'string' || !value.isWellFormed()) refuse(path, 'must be a text');
}

function someText(value: unknown, path: string): void {
  if (value === '') refuse(path, 'must be a text that is not empty');
  text(value, path);
}

function isTrue(value: unknown, path: string): void {
  if (value !== true) refuse(path, 'must be true');
}

function payload(value: unknown, path: string): void {
  object(value, path);
  shallow(value, path, 0);
}

/** What is nested deeper than an Event may be would end in a full stack, not in a refusal. */
function shallow(value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) refuse(path, `is nested deeper than ${MAX_DEPTH}`);
  for (const item of Object.values(value)) shallow(item, path, depth + 1);
}

function numberOrFlag(value: unknown, path: string): void {
  if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value))) refuse(path, 'must be a number or a boolean');
}

function checked(is: (value: unknown) => boolean, message: string): Check {
  return (value, path) => {
    if (!is(value)) refuse(path, message);
  };
}

function matching(pattern: RegExp): Check {
  return checked((value) => typeof value === 'string' && pattern.test(value), 'must be a word of its kind');
}

function oneOf(words: readonly string[]): Check {
  return checked((value) => typeof value === 'string' && words.includes(value), `must be one of ${words.join(', ')}`);
}

function level(value: unknown, path: string): void {
  oneOf(CAPTURES)(value, path);
}

function runId(value: unknown, path: string): void {
  checked(isRunId, 'must be a name of a run')(value, path);
}

function count(max: number): Check {
  return checked((value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max, `must be a whole number from 0 to ${max}`);
}

function list(check: Check, max: number): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > max) refuse(path, `must be a list of at most ${max}`);
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
  };
}

function table(key: RegExp, check: Check, max: number): Check {
  return (value, path) => {
    const entries = Object.entries(object(value, path));
    if (entries.length > max) refuse(path, `must have at most ${max} members`);
    for (const [name, item] of entries) {
      if (!key.test(name)) refuse(path, 'has a member of another name');
      check(item, `${path}.${name}`);
    }
  };
}

function members(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  return (value, path) => {
    const given = object(value, path);
    for (const [name, check] of Object.entries(required)) {
      if (!Object.hasOwn(given, name)) refuse(`${path}.${name}`, 'is missing');
      check(given[name], `${path}.${name}`);
    }
    for (const [name, item] of Object.entries(given)) {
      if (Object.hasOwn(required, name)) continue;
      if (!Object.hasOwn(optional, name)) refuse(path, 'has a member that records do not have');
      optional[name]?.(item, `${path}.${name}`);
    }
  };
}

/** The types that a step may make, by its kind. Commands and their acks come from elsewhere (AEP-0004). */
const TYPES: Readonly<Record<string, RegExp>> = {
  emit: /^(?!control\.|attention\.|run\.(?:started|finished|failed|cancelled)$|session\.ended$)[a-z0-9_.-]{1,256}$/,
  'start-run': /^run\.started$/,
  'end-run': /^run\.(?:finished|failed|cancelled)$/,
  'end-session': /^session\.ended$/,
  'end-tool': /^tool\.(?:completed|failed|denied)$/,
  raise: /^attention\.requested$/,
  'end-calls': /^x\.[a-z0-9_.-]{1,256}$/,
};
const ANSWER = /^attention\.answered$/;
const KINDS = list(matching(/^[a-z]{1,32}$/), 8);

function leveled(type: RegExp): Check {
  return (value, path) => {
    members({ type: matching(type), capture: level }, { subject: identifier, severity: oneOf(SEVERITIES), data: payload, content: payload })(value, path);
    const { capture, data, content } = value as { capture: string; data?: unknown; content?: unknown };
    if ((capture === 'none') !== (data === undefined)) refuse(`${path}.data`, 'belongs to every level but none');
    if (content !== undefined && capture !== 'redacted' && capture !== 'full') refuse(`${path}.content`, 'is above the level');
  };
}

function step(value: unknown, path: string): void {
  const given = object(value, path);
  oneOf(STEP_KINDS)(given.do, `${path}.do`);
  const type = TYPES[given.do as string];
  members(
    { do: () => undefined, ...(type === undefined || given.do === 'end-calls' ? {} : { event: leveled(type) }) },
    {
      ...(given.do === 'end-calls' && type !== undefined ? { event: leveled(type) } : {}),
      scope: oneOf(['session', 'agent']),
      run: runId,
      closes: isTrue,
      tool: members({ name: identifier }, { call: identifier, input: matching(/^[0-9a-f]{32}$/) }),
      outcome: oneOf(['answered', 'auto']),
      answer: leveled(ANSWER),
      unless: KINDS,
      replaces: matching(/^[a-z]{1,32}$/),
      subject: identifier,
      accepted: isTrue,
      answers: list(members({ id: someText }, { value: numberOrFlag, mark: matching(/^[0-9a-f]{4}$/), text }), MAX_FORM_ITEMS),
      calls: list(identifier, MAX_CALLS),
    },
  )(given, path);
  const agentScoped = (given.event as { type?: string } | undefined)?.type?.startsWith('agent.') === true;
  if (agentScoped !== (given.scope === 'agent')) refuse(`${path}.scope`, 'agent is for types about the agent');
}

function object(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'must be an object');
  return value as Readonly<Record<string, unknown>>;
}

function refuse(path: string, message: string): never {
  throw new AdapterError('invalid-record', path, message);
}
