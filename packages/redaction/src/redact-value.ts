import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { credentialName } from './credential-name.js';
import { applyEdits } from './edit.js';
import { RedactionError } from './errors.js';
import type { Finding } from './finding.js';
import { findEdits, type Settings } from './find-edits.js';
import { placeholderEnd, SECRET } from './placeholder.js';

const FLAG = /^--?[\w-]{0,48}(?:passw(?:or)?d|passphrase|secret|token|api-?key|apikey|access-?key|private-?key|secret-?key|credential)s?$/i;
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,32}(?:token|key|secret|auth))$/i;
const USER = /^(?:-u|-U|--user|--proxy-user)$/;
const NAMES = ['name', 'key', 'Name', 'Key', 'variable', 'env', 'id', 'field', 'header', 'param'];
const VALUES = ['value', 'Value', 'val', 'content', 'default', 'secretValue', 'SecretString'];
const JWK_PRIVATE: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);
const ACCOUNT_KEY: ReadonlySet<string> = new Set(['value']);
/** No token is shorter, and a word alone has nothing that it could be the name of. */
const SHORTEST = 14;
const WORD = /^[A-Za-z_]+[0-9]{0,6}$/;
const PLACEHOLDERS = /\[REDACTED:(?:secret|pii)\]/g;
const IDENTIFIER = /^[A-Za-z_$][\w$.-]*$/;

/** A value on its way through the pipeline. */
export interface ValueRun {
  readonly settings: Settings;
  readonly maxDepth: number;
  readonly findings: Finding[] | undefined;
}

/**
 * A JSON value with every text in it through the pipeline, at any depth. Its shape stays, and so do numbers, booleans and null,
 * except under names of credentials. A name of a member goes through it as well: whoever keys a map by token has it there.
 */
export function redactValue(value: JsonValue, run: ValueRun): JsonValue {
  return walk(value, '$', 0, run);
}

/** One text through the pipeline. */
export function redactText(text: string, settings: Settings, findings?: Finding[], path?: string): string {
  if (text.length < 4 || (text.length < SHORTEST && settings.names.length === 0 && WORD.test(text))) return text;
  const { edits } = findEdits(text, settings, true);
  if (edits.length === 0) return text;
  for (const { rule, start, end } of edits) findings?.push({ rule, start, end, ...(path === undefined ? {} : { path }) });
  return applyEdits(text, edits);
}

function walk(value: JsonValue, path: string, depth: number, run: ValueRun): JsonValue {
  if (typeof value === 'string') return redactText(value, run.settings, run.findings, path);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') throw new RedactionError('not-json', '$', 'is no JSON value');
  if (depth >= run.maxDepth) throw new RedactionError('too-deep', '$', `nests deeper than ${run.maxDepth}`);
  return Array.isArray(value) ? list(value, path, depth, run) : members(value as JsonObject, path, depth, run);
}

function list(value: readonly JsonValue[], path: string, depth: number, run: ValueRun): JsonValue {
  return value.map((item, index) => {
    const place = `${path}[${index}]`;
    const before = value[index - 1];
    if (typeof item === 'string' && typeof before === 'string') {
      // Arguments of a command, and headers in a flat list.
      if ((FLAG.test(before) && !item.startsWith('-')) || (HEADER.test(before) && !FLAG.test(item))) return gone(item, place, run);
      if (USER.test(before)) return walk(userPassword(item, place, run), place, depth + 1, run);
    }
    return walk(item, place, depth + 1, run);
  });
}

function userPassword(item: string, path: string, run: ValueRun): string {
  const colon = item.indexOf(':');
  const password = item.slice(colon + 1);
  if (colon < 1 || password === '' || /^\d+$/.test(password) || password === item.slice(0, colon) || placeholderEnd(password, 0) === password.length) return item;
  run.findings?.push({ rule: 'command-password', start: colon + 1, end: item.length, path });
  return item.slice(0, colon + 1) + SECRET;
}

function members(value: JsonObject, path: string, depth: number, run: ValueRun): JsonValue {
  const paired = pairedValue(value);
  const hidden = hiddenMembers(value);
  const entries: [string, JsonValue][] = [];
  const taken = new Set<string>();
  const renamed: [number, string][] = [];
  for (const [name, item] of Object.entries(value)) {
    const shown = redactText(name, run.settings, run.findings, path);
    const place = `${path}${memberPath(shown)}`;
    // What a placeholder says is no name.
    const kind = credentialName(shown.replaceAll(PLACEHOLDERS, ''));
    let result: JsonValue;
    if (hidden?.has(name) === true && typeof item === 'string') result = gone(item, place, run);
    else if (kind === undefined && item !== null && typeof item === 'object' && isManifest(value) && /^(?:data|stringData)$/.test(name)) result = entriesGone(item, place, depth + 1, run);
    else if ((kind === 'whole' && item !== null) || (name === paired && typeof item === 'string')) result = gone(item, place, run);
    else if (kind === 'text' && typeof item === 'string') result = gone(item, place, run);
    else if (kind === 'text' && Array.isArray(item)) result = item.map((one: JsonValue, index) => (typeof one === 'string' ? gone(one, `${place}[${index}]`, run) : walk(one, `${place}[${index}]`, depth + 2, run)));
    else if (typeof item === 'string') result = inContext(name, item, place, run);
    else result = walk(item, place, depth + 1, run);
    if (shown === name) taken.add(name);
    else renamed.push([entries.length, shown]);
    entries.push([shown, result]);
  }
  for (const [index, shown] of renamed) {
    let name = shown;
    for (let count = 2; taken.has(name); count += 1) name = `${shown} ${count}`;
    taken.add(name);
    entries[index] = [name, entries[index]?.[1] ?? null];
  }
  // fromEntries defines members; assigning would let a key of `__proto__` set the prototype.
  return Object.fromEntries(entries);
}

/** Members that hold a secret in objects of a known kind: a JSON Web Key, and a key of a storage account of Azure. */
function hiddenMembers(value: JsonObject): ReadonlySet<string> | undefined {
  if (Object.hasOwn(value, 'kty') && typeof value.kty === 'string') return JWK_PRIVATE;
  return Object.hasOwn(value, 'keyName') && Object.hasOwn(value, 'permissions') ? ACCOUNT_KEY : undefined;
}

/** A secret of Kubernetes, whose entries go whatever they are called. */
function isManifest(value: JsonObject): boolean {
  return Object.hasOwn(value, 'kind') && value.kind === 'Secret' && Object.hasOwn(value, 'apiVersion');
}

function entriesGone(value: JsonValue, path: string, depth: number, run: ValueRun): JsonValue {
  const shown = walk(value, path, depth, run);
  if (shown === null || typeof shown !== 'object' || Array.isArray(shown)) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, item]) => [name, typeof item === 'string' ? gone(item, `${path}${memberPath(name)}`, run) : item]));
}

/** `{ "name": "DB_PASSWORD", "value": … }`: the name of the member that holds the value, where the other one names a credential. */
function pairedValue(value: JsonObject): string | undefined {
  for (const key of NAMES) {
    const name = Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof name !== 'string' || credentialName(name) === undefined) continue;
    return VALUES.find((candidate) => Object.hasOwn(value, candidate) && typeof value[candidate] === 'string');
  }
  return undefined;
}

/** A text under a name that says less than `password`: the rules for text decide, as if it were written `"name": "text"`. */
function inContext(name: string, item: string, path: string, run: ValueRun): JsonValue {
  if (item.length <= 4096 && item !== '' && /(?:pass|pwd|auth|_key|jwt)$/i.test(name)) {
    const text = `${JSON.stringify(name)}: ${JSON.stringify(item)}`;
    const { edits } = findEdits(text, run.settings, true);
    const start = JSON.stringify(name).length + 3;
    if (edits.some((edit) => edit.start <= start && edit.end === text.length - 1)) return gone(item, path, run);
  }
  return redactText(item, run.settings, run.findings, path);
}

/** What stands under the name of a credential, gone whole. */
function gone(item: JsonValue, path: string, run: ValueRun): JsonValue {
  if (item === SECRET || item === '') return item;
  run.findings?.push({ rule: 'named-value', start: 0, end: typeof item === 'string' ? item.length : 0, path });
  return SECRET;
}

function memberPath(name: string): string {
  return IDENTIFIER.test(name) && name.length <= 128 ? `.${name}` : `[${JSON.stringify(name.slice(0, 128))}]`;
}
