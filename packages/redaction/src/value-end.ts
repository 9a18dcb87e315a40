import { ALNUM, isOf } from './characters.js';
import { endsPlaceholder, placeholderEnd } from './placeholder.js';
import { closingAt, quoteAt } from './quote.js';
import type { TextWindow } from './text-window.js';

/** A value as it stands behind its name. */
export interface Value {
  readonly start: number;
  readonly end: number;
  /** Where reading may go on: behind a closing mark. */
  readonly after: number;
  readonly quoted: boolean;
  /** It was taken out before, or there is nothing. */
  readonly done: boolean;
  /** It begins with a placeholder. */
  readonly placeholder: boolean;
}

const PREFIXED = /(?:[bBrRuUfFL@$]{1,2})(?=["'`\\])/y;
/** Behind a value that was cut where the next one begins. */
const NEXT_NAME = /[,;&]\s{0,64}(?:["'`\\]{0,3})[A-Za-z_$@.[][\w.$[\]-]{0,64}(?:["'`\\]{0,3})\s{0,8}(?:=|:|%3[ADad])/y;
const NEXT_PLACEHOLDER = /^\s*["'`\\]{0,3}\[REDACTED:/;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const BRACKETS_AHEAD = 512;
const TRIMMED = ',;)}]>.:!?';

/**
 * The value that begins at `at`: up to its closing mark, or to the next white space (AEP-0003 §9.4a) unless another name
 * begins before. Brackets are followed to their end within one line.
 */
export function valueAt(window: TextWindow, at: number, limit: number, inData: boolean): Value {
  const { text } = window;
  const line = Math.min(window.line(at), limit);
  PREFIXED.lastIndex = at;
  const quoteFrom = PREFIXED.test(text) ? PREFIXED.lastIndex : at;
  const quote = quoteAt(text, quoteFrom);
  if (quote !== undefined) {
    let start = quote.end;
    const mark = '\\'.repeat(quote.backslashes) + quote.mark;
    // Three marks open a text where something follows; two are an empty one.
    const triple = !quote.encoded && text.startsWith(mark + mark, start) && !/^[,;)}\]\s]?$/.test(text[start + 2 * mark.length] ?? '');
    if (triple) start += 2 * mark.length;
    const placeholder = placeholderEnd(text, start);
    if (placeholder >= 0) return { start, end: placeholder, after: placeholder, quoted: true, done: true, placeholder: true };
    const closing = closingAt(window, triple ? { ...quote, end: start } : quote, line);
    // Where nothing closes it on this line, the rest of it.
    if (closing < 0) return { start, end: line, after: line, quoted: true, done: line <= start, placeholder: false };
    const after = closing + mark.length * (triple ? 3 : 1);
    return { start, end: closing, after, quoted: true, done: closing <= start, placeholder: false };
  }
  const placeholder = placeholderEnd(text, at);
  if (placeholder >= 0) return { start: at, end: placeholder, after: placeholder, quoted: false, done: true, placeholder: true };
  const end = bareEnd(window, at, limit, line, inData);
  return { start: at, end, after: end, quoted: false, done: end <= at, placeholder: false };
}

function bareEnd(window: TextWindow, from: number, limit: number, line: number, inData: boolean): number {
  const { text } = window;
  const ink = Math.min(window.ink(from), limit);
  let end = ink;
  // Another name within a value ends where that ends, so each character is looked at once.
  const before = window.bare;
  let at = before.inData === inData && from > before.from && from < before.end ? before.end : from;
  let stop = ink;
  for (; at < stop; at += 1) {
    window.work += 1;
    const character = text.charAt(at);
    if (character === '(' || character === '[' || character === '{') {
      const placeholder = placeholderEnd(text, at);
      if (placeholder >= 0) {
        at = placeholder - 1;
        continue;
      }
      const closed = bracketEnd(window, at, line);
      if (closed > 0) {
        at = closed - 1;
        if (closed >= stop) {
          stop = Math.max(closed, Math.min(window.ink(closed), limit));
          end = stop;
        }
      }
    } else if (character === ',' || character === ';' || character === '&') {
      if (at === from) continue;
      NEXT_NAME.lastIndex = at;
      if ((NEXT_NAME.test(text) && !NEXT_PLACEHOLDER.test(text.slice(at + 1, at + 90))) || (character === '&' && text.startsWith('&quot;', at))) {
        end = at;
        break;
      }
      if (inData && character === ',') {
        end = at;
        break;
      }
    } else if (inData && (character === '}' || character === ']') && at > from) {
      end = at;
      break;
    } else if (character === '<' && at > from && (text[at + 1] === '/' || text.startsWith('<br', at))) {
      end = at;
      break;
    } else if (character === '%' || character === '"' || character === "'" || character === '`' || character === '\\') {
      const quote = quoteAt(text, at);
      if (quote !== undefined && at > from && endsBehind(text, quote.end)) {
        end = at;
        break;
      }
      if (quote !== undefined) at = quote.end - 1;
    }
  }
  if (at >= stop) end = Math.max(end, stop);
  window.bare = { from, end, inData };
  while (end > from + 1 && TRIMMED.includes(text.charAt(end - 1)) && !endsPlaceholder(text, end)) end -= 1;
  return end;
}

function endsBehind(text: string, at: number): boolean {
  return at >= text.length || /[\s,;)}\]:&<>|]/.test(text.charAt(at)) || quoteAt(text, at) !== undefined;
}

/** Behind the bracket that closes the one at `at`, on the same line, or -1. */
function bracketEnd(window: TextWindow, at: number, line: number): number {
  const { text } = window;
  const stack = [CLOSERS[text.charAt(at)]];
  const limit = Math.min(line, at + BRACKETS_AHEAD);
  for (let next = at + 1; next < limit; next += 1) {
    window.work += 1;
    const character = text.charAt(next);
    if (character === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return next + 1;
    } else if (CLOSERS[character] !== undefined) {
      const placeholder = placeholderEnd(text, next);
      if (placeholder >= 0) next = placeholder - 1;
      else stack.push(CLOSERS[character]);
    } else if (character === '"' || character === "'") {
      let closing = next + 1;
      while (closing < limit && text[closing] !== character) closing += 1;
      window.work += closing - next;
      if (closing < limit) next = closing;
    }
  }
  return -1;
}

/** Whether a value is more than a word, a number, a path or a variable: for names that say less than `password`. */
export function looksSecret(value: string, min = 8): boolean {
  if (value.length < min || value.includes('[REDACTED:')) return false;
  if (/^(?:[~./\\$<{%]|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*:\/\/)/.test(value)) return false;
  if (/\s/.test(value)) return false;
  if (/^v?\d+(?:[.:,/_-]\d+)*[a-z]{0,3}$/i.test(value)) return false;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) return false;
  const digit = /\d/.test(value);
  const lower = /[a-z]/.test(value);
  const upper = /[A-Z]/.test(value);
  const symbol = /[!@#$%^&*+=?~]/.test(value);
  return (digit && (lower || upper)) || (symbol && (lower || upper)) || (value.length >= 24 && lower && upper && isOf(value, 0, ALNUM) && !/[a-z][A-Z][a-z]+[A-Z][a-z]/.test(value));
}
