import { EnvelopeError, issueAt, type EnvelopeErrorCode } from './errors.js';
import { inspectText, isEscaped, opensDeeperThan, type TextFinding } from './inspect-text.js';
import type { JsonValue } from './json.js';
import type { Limits } from './limits.js';
import { spellPath } from './path.js';

const BYTE_ORDER_MARK = 0xfeff;
/** Levels the recursive walk goes down at most; deeper values are left to the iterative reader. */
const WALK_DEPTH = 256;
/** An escape of a surrogate, or a text that looks like one: `\\ud800` is five characters after a backslash. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const SAYS: Readonly<Record<TextFinding['code'], string>> = {
  'duplicate-member': 'the member is named twice',
  'too-deep': 'too many levels of arrays and objects',
  'lone-surrogate': 'the string holds half of a surrogate pair',
};

/**
 * `JSON.parse` behind a strict door (AEP-0001 §5): the one place where text becomes values.
 *
 * What `JSON.parse` does not tell is proved absent by cheap means first. Only where a proof fails does the text get a full
 * reading, which then decides and names the place.
 */
export function parseText(text: string, limits: Limits): JsonValue {
  refuseTooLarge(text, limits.maxBytes);
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) refuse('byte-order-mark', 'the text starts with a byte-order mark');
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // Some engines give up on deep texts with an error of their own; the verdict must not depend on the engine.
    if (opensDeeperThan(text, limits.maxDepth)) refuse('too-deep', SAYS['too-deep']);
    refuse('invalid-json', 'the text is not one JSON value');
  }
  if (!isProven(text, value, limits.maxDepth)) {
    const finding = inspectText(text, limits.maxDepth);
    if (finding !== undefined) {
      throw new EnvelopeError(issueAt(finding.code, spellPath(finding.path), 'AEP-0001 §5', SAYS[finding.code]));
    }
  }
  return value;
}

/** Throws `too-large` if a text has more bytes than allowed. */
export function refuseTooLarge(text: string, maxBytes: number): void {
  // One UTF-16 unit is at least one byte and at most three.
  if (text.length * 3 <= maxBytes) return;
  if (text.length > maxBytes || utf8Length(text) > maxBytes) refuse('too-large', `more than ${String(maxBytes)} bytes`);
}

function refuse(code: EnvelopeErrorCode, says: string): never {
  throw new EnvelopeError(issueAt(code, '$', 'AEP-0001 §5', says));
}

/**
 * Whether depth, member names and surrogates are proved to be in order. False says nothing.
 *
 * Names: every member written in the text ends its name with an unescaped quote, optional white space and a colon. So the
 * number C of such places is at least the number T of members written, and T is at least the number V of members in the
 * value, equal only if no member was lost to a later one of its name. C = V therefore proves T = V. C is too high where a
 * string value starts with a colon, which is rare, and then nothing is proved.
 */
function isProven(text: string, value: JsonValue, maxDepth: number): boolean {
  if (!text.isWellFormed()) return false;
  if (value === null || typeof value !== 'object') return !SURROGATE_ESCAPE.test(text);
  const members = countMembers(value, Math.min(maxDepth, WALK_DEPTH));
  if (countNameEnds(text) !== members) return false;
  return !text.includes('\\') || !SURROGATE_ESCAPE.test(text) || isWellFormedValue(value);
}

/** Members in a value, all levels taken together; NaN if it has more levels than `room`. Own properties only. */
function countMembers(value: object, room: number): number {
  if (room === 0) return Number.NaN;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value as readonly unknown[]) {
      if (typeof item === 'object' && item !== null) count += countMembers(item, room - 1);
    }
    return count;
  }
  const names = Object.keys(value);
  let count = names.length;
  for (const name of names) {
    const item = (value as Record<string, unknown>)[name];
    if (typeof item === 'object' && item !== null) count += countMembers(item, room - 1);
  }
  return count;
}

/** Places in a text where a name may end: an unescaped quote, white space or none, a colon. */
function countNameEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    let unit = text.charCodeAt(before);
    while (unit === 32 || unit === 9 || unit === 10 || unit === 13) unit = text.charCodeAt(--before);
    if (unit === 34 && !(text.charCodeAt(before - 1) === 92 && isEscaped(text, before))) count += 1;
  }
  return count;
}

/** Whether no name and no string holds half of a surrogate pair. The levels are known to be few. */
function isWellFormedValue(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormedValue);
  for (const [name, item] of Object.entries(value as Readonly<Record<string, JsonValue>>)) {
    if (!name.isWellFormed() || !isWellFormedValue(item)) return false;
  }
  return true;
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Both halves of a pair count 2, which makes the 4 bytes of the character.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
