import { walkDepth } from './count-members.js';
import { issueAt, type EnvelopeErrorCode, type EnvelopeIssue } from './errors.js';
import { spellPath, type PathSegment } from './path.js';

/**
 * The first fault of a value that a text would not have been parsed with: too many levels, half of a surrogate pair.
 * `strict` also refuses what has no JSON form or another one than it looks, for values built in code. `at` is where the
 * value stands.
 */
export function jsonIssue(value: unknown, maxDepth: number, strict = false, at: readonly PathSegment[] = []): EnvelopeIssue | undefined {
  return isFine(value, walkDepth(maxDepth), strict) ? undefined : findIssue(value, maxDepth, strict, at);
}

function isFine(value: unknown, room: number, strict: boolean): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return !strict || isJsonScalar(value);
  if (room <= 0 || (strict && !isPlain(value))) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      if (!isFine(item, room - 1, strict)) return false;
    }
    return true;
  }
  for (const name in value) {
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    if (!name.isWellFormed()) return false;
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (item !== undefined && !isFine(item, room - 1, strict)) return false;
  }
  return true;
}

interface Level {
  readonly names: readonly string[] | undefined;
  readonly holder: object;
  readonly length: number;
  next: number;
}

/** Iterative, so that no depth exhausts the stack; a cycle ends at the limit or is found on the way down. */
function findIssue(root: unknown, maxDepth: number, strict: boolean, at: readonly PathSegment[]): EnvelopeIssue | undefined {
  const path: PathSegment[] = [...at];
  const levels: Level[] = [];
  const ancestors = new Set<object>();
  const fault = (code: EnvelopeErrorCode, says: string): EnvelopeIssue => issueAt(code, spellPath(path), 'AEP-0001 §5', says);

  const enter = (value: unknown): EnvelopeIssue | undefined => {
    if (typeof value === 'string') return value.isWellFormed() ? undefined : fault('lone-surrogate', 'the string holds half of a surrogate pair');
    if (typeof value !== 'object' || value === null) {
      return strict && !isJsonScalar(value) ? fault('not-json', 'the value has no JSON form') : undefined;
    }
    if (strict && !isPlain(value)) return fault('not-json', 'the value is not plain data');
    if (ancestors.has(value)) return fault('not-json', 'the value holds itself');
    if (levels.length >= maxDepth) return fault('too-deep', 'too many levels of arrays and objects');
    ancestors.add(value);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    levels.push({ names, holder: value, length: names === undefined ? (value as unknown[]).length : names.length, next: 0 });
    return undefined;
  };

  let issue = enter(root);
  for (let level = levels.at(-1); issue === undefined && level !== undefined; level = levels.at(-1)) {
    path.length = at.length + levels.length - 1;
    if (level.next === level.length) {
      ancestors.delete(level.holder);
      levels.pop();
      continue;
    }
    const segment = level.names === undefined ? level.next : (level.names[level.next] ?? '');
    level.next += 1;
    path.push(segment);
    if (typeof segment === 'string' && !segment.isWellFormed()) return fault('lone-surrogate', 'the name holds half of a surrogate pair');
    const item = (level.holder as Readonly<Record<PathSegment, unknown>>)[segment];
    if (item !== undefined || level.names === undefined) issue = enter(item);
  }
  return issue;
}

function isJsonScalar(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** Whether JSON.stringify writes an object as the members or items it shows. */
function isPlain(value: object): boolean {
  return !('toJSON' in value) && (Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]');
}
