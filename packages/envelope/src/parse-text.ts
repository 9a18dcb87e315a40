import { compactLength } from './compact-length.js';
import { walkDepth } from './count-members.js';
import { EnvelopeError, issueAt, type EnvelopeErrorCode } from './errors.js';
import { inspectText, opensDeeperThan, type TextFinding } from './inspect-text.js';
import type { JsonValue } from './json.js';
import type { Limits } from './limits.js';
import { spellPath } from './path.js';
import { isCompact, isProven } from './proof.js';

const BYTE_ORDER_MARK = 0xfeff;

const SAYS: Readonly<Record<TextFinding['code'], string>> = {
  'duplicate-member': 'the member is named twice',
  'too-deep': 'too many levels of arrays and objects',
  'lone-surrogate': 'the string holds half of a surrogate pair',
};

/**
 * `JSON.parse` behind a strict door (AEP-0001 §5).
 *
 * What `JSON.parse` does not tell is proved absent by cheap means first. Only where a proof fails does the text get a full
 * reading, which then decides and names the place.
 */
export function parseText(text: string, limits: Limits): JsonValue {
  const value = readText(text, limits);
  const compact = compactLength(value, walkDepth(limits.maxDepth));
  if (!isCompact(text, compact) && !isProven(text, value, limits.maxDepth)) refuseHidden(text, limits.maxDepth);
  return value;
}

/** `JSON.parse` with the refusals that need no second look at the text: size, byte-order mark, syntax. */
export function readText(text: string, limits: Limits): JsonValue {
  refuseTooLarge(text, limits.maxBytes);
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) refuse('byte-order-mark', 'the text starts with a byte-order mark');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Some engines give up on deep texts with an error of their own; the verdict must not depend on the engine.
    if (opensDeeperThan(text, limits.maxDepth)) refuse('too-deep', SAYS['too-deep']);
    refuse('invalid-json', 'the text is not one JSON value');
  }
}

/** Reads a text in full and throws for what `JSON.parse` hides: `duplicate-member`, `too-deep`, `lone-surrogate`. */
export function refuseHidden(text: string, maxDepth: number): void {
  const finding = inspectText(text, maxDepth);
  if (finding === undefined) return;
  throw new EnvelopeError(issueAt(finding.code, spellPath(finding.path), 'AEP-0001 §5', SAYS[finding.code]));
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
