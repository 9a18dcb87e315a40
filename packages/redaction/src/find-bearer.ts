import { BASE64_ANY, DOT, LETTER, isOf, runEnd } from './characters.js';
import { endsPlaceholder, placeholderEnd } from './placeholder.js';
import type { TextWindow } from './text-window.js';

const WORD = /bearer/gi;
const GAP = /(?:[ \t]|%20|\+(?=\S)|\\t){1,64}/y;
/** What ends a token: quotes, brackets, separators. */
const ENDS = '"\'`<>,;)}]\\|';
const LOWEST = 8;
const TOKEN = BASE64_ANY | DOT;

/** What follows `Bearer ` (AEP-0003 §9.4a); in another spelling only what is long enough for a token. */
export function findBearer(window: TextWindow): void {
  for (const match of window.text.matchAll(WORD)) bearerAt(window, match.index, match[0] === 'Bearer');
}

function bearerAt(window: TextWindow, start: number, exact: boolean): void {
  const { text } = window;
  window.work += 1;
  GAP.lastIndex = start + 6;
  if (!GAP.test(text)) return;
  const floor = exact && text[start + 6] === ' ';
  if (!floor && ((isOf(text, start - 1, LETTER) && text[start - 2] !== '\\') || endsPlaceholder(text, start))) return;
  const at = GAP.lastIndex;
  if (placeholderEnd(text, at) >= 0) return;
  const ink = window.ink(at);
  let end = tokenEnd(window, at, ink);
  while (end > at + 1 && '.:!?'.includes(text.charAt(end - 1))) end -= 1;
  if (!floor && runEnd(text, at, TOKEN, at + LOWEST) < at + LOWEST) return;
  if (end > at) window.hit('bearer-token', start, at, end);
}

function tokenEnd(window: TextWindow, from: number, ink: number): number {
  const { text } = window;
  let end = from;
  while (end < ink && !ENDS.includes(text.charAt(end)) && placeholderEnd(text, end) < 0) end += 1;
  window.work += end - from;
  // A mark that stands first is a part of it: the rule of the specification takes whatever follows.
  if (end === from && end < ink && !'"\'`<['.includes(text.charAt(end))) return ink;
  return end;
}
