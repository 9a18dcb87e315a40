import { checkEnvelope } from './check-envelope.js';
import { walkDepth } from './count-members.js';
import { EnvelopeError, issueAt } from './errors.js';
import type { AepEvent } from './event.js';
import { isCommand } from './event-type.js';
import { resolveLimits, type ParseOptions } from './limits.js';
import { oneLine } from './one-line.js';
import { textOf, unsafeIntegers } from './parse-json.js';
import { readText, refuseHidden } from './parse-text.js';
import { spellPath } from './path.js';
import { isCompact, isProven } from './proof.js';
import type { WireEvent } from './wire-event.js';

/**
 * Parses one Event from its JSON text (AEP-0001 §5), from bytes of UTF-8 or from a string, and keeps the text beside it.
 *
 * Refused besides what the envelope rules refuse: a member named twice at any depth, a byte-order mark, bytes that are not
 * UTF-8, lone surrogates, too many levels, too many bytes. An integer extension attribute beyond ±(2^53−1) becomes an exact
 * `bigint` in `event`. Numbers inside `data` are what `JSON.parse` makes of them; their digits are in `json`.
 *
 * Throws {@link EnvelopeError} with any code but `not-json` and `reserved-name`; RangeError for a bad limit.
 *
 * @example
 * const { event, json } = parseEvent(body);
 * console.log(event.type, event.session);
 * socket.write(`${json}\n`);
 */
export function parseEvent(input: string | Uint8Array, options?: ParseOptions): WireEvent {
  const limits = resolveLimits(options);
  const text = textOf(input, limits.maxBytes);
  const value = readText(text, limits);
  const verdict = checkEnvelope(value, walkDepth(limits.maxDepth));
  if (typeof verdict === 'number' && isCompact(text, verdict)) return { event: value as unknown as AepEvent, json: text };

  // A text that says two things is refused for that, whatever else is wrong with one of its readings.
  if (typeof verdict !== 'number' || !isProven(text, value, limits.maxDepth)) refuseHidden(text, limits.maxDepth);
  if (typeof verdict !== 'number') throw new EnvelopeError(verdict);
  const event = value as unknown as AepEvent;
  // Where a number is rounded, the length is not known.
  if (Number.isNaN(verdict) && hasRounded(event)) restoreIntegers(event, text);
  const json = oneLine(text);
  if (json !== text && isCommand(event.type)) return { event, json, received: text };
  return { event, json };
}

/** Whether an integer, which only an extension can be that large, has more digits than its double holds. */
function hasRounded(event: AepEvent): boolean {
  return Object.values(event).some((value) => typeof value === 'number' && !Number.isSafeInteger(value));
}

/** Puts exact integers in the place of rounded ones at the top, where they are extensions; a fraction that only rounds to an integer is refused after all. */
function restoreIntegers(event: AepEvent, text: string): void {
  for (const { path, integer } of unsafeIntegers(text)) {
    const [name] = path;
    if (path.length !== 1 || typeof name !== 'string') continue;
    if (integer === undefined) {
      throw new EnvelopeError(issueAt('invalid-extension', spellPath(path), 'AEP-0001 §5.4', 'the number is not an integer'));
    }
    Object.defineProperty(event, name, { value: integer, writable: true, enumerable: true, configurable: true });
  }
}
