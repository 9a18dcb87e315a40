import { countMembers, walkDepth } from './count-members.js';
import { isEscaped } from './inspect-text.js';
import type { JsonValue } from './json.js';

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const EIGHT = 0x38;
const LOWER_D = 0x64;
const LOWER_U = 0x75;
/** An escape of a surrogate, or a text that looks like one: `\\ud800` is five characters after a backslash. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Whether a text says a value in as few characters as can be, `compact` being the `compactLength` of the value. Such a text
 * hides nothing that `JSON.parse` drops and has no white space between its tokens. False says nothing.
 *
 * An escape spells one UTF-16 unit in two characters, or in six. With these taken off, every string takes its own length and
 * two quotes, so no text says the value in less, and a member that was lost to a later one of its name would still come on
 * top.
 */
export function isCompact(text: string, compact: number): boolean {
  let length = text.length;
  // Outside strings JSON has no backslash, so each one found here starts an escape; the step of two passes an escaped one.
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 2)) {
    if (text.charCodeAt(at + 1) !== LOWER_U) {
      length -= 1;
    } else if (isSurrogateEscape(text, at)) {
      return false;
    } else {
      length -= 5;
    }
  }
  return length === compact && text.isWellFormed();
}

/** Whether the escape `\uXXXX` at `at` spells half of a surrogate pair: D8 to DF in front. */
function isSurrogateEscape(text: string, at: number): boolean {
  return (text.charCodeAt(at + 2) | 32) === LOWER_D && text.charCodeAt(at + 3) >= EIGHT;
}

/**
 * Whether it is proved that a text hides nothing that `JSON.parse` drops: no level too many, no member named twice, no lone
 * surrogate. False says nothing.
 *
 * Every member written in the text ends its name with an unescaped quote, optional white space and a colon. So the number C
 * of such places is at least the number T of members written, and T is at least the number V of members in the value, equal
 * only if no member was lost to a later one of its name. C = V therefore proves T = V. C is too high where a string value
 * starts with a colon, which is rare, and then nothing is proved.
 */
export function isProven(text: string, value: JsonValue, maxDepth: number): boolean {
  const members = typeof value === 'object' && value !== null ? countMembers(value, walkDepth(maxDepth)) : 0;
  if (countNameEnds(text) !== members || !text.isWellFormed()) return false;
  return !text.includes('\\') || !SURROGATE_ESCAPE.test(text) || isWellFormedValue(value);
}

/** Places in any text where a name may end: an unescaped quote, white space or none, a colon. */
function countNameEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let last = at - 1;
    while (last > 0 && text.charCodeAt(last) <= SPACE) last -= 1;
    if (text.charCodeAt(last) === QUOTE && !(text.charCodeAt(last - 1) === BACKSLASH && isEscaped(text, last))) count += 1;
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
