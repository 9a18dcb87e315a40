import { SPACE, isOf } from './characters.js';
import type { Name } from './find-assignments.js';
import { placeholderEnd } from './placeholder.js';
import type { TextWindow } from './text-window.js';
import { looksSecret, valueAt } from './value-end.js';

const SCHEME = /(?:basic|bearer|token|digest|negotiate|ntlm|api-?key|key|oauth|hawk|hmac(?:-sha\d+)?|signature|sharedkey(?:lite)?|aws4-hmac-sha256|aws|dpop|ssws|splunk|vapid|bot|jwt|mac|private-token|geniekey|zoho-oauthtoken)(?:[ \t]{1,16}|%20|\+)/iy;
/** Schemes whose credentials are a list of parameters, up to the end of the line. */
const LISTS = /^(?:digest|oauth|hawk|hmac|signature|sharedkey|aws4|aws|vapid|mac)/i;
const MAX_COOKIES = 32;
const GAP = /(?:\s|,|\\{1,8}[nr]){0,32}(?=\\{0,8}["'])/y;
const COOKIE = /["']?[\w!#$%&*+.^|-]{1,128}=/y;

/** What stands behind `Authorization:` and `Cookie:` from `at` on; false where it is no such header. */
export function findHeader(window: TextWindow, name: Name, at: number): boolean {
  return name.kind === 'authorization' ? authorization(window, name, at) : cookie(window, name, at);
}

function authorization(window: TextWindow, name: Name, at: number): boolean {
  const { text } = window;
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text);
  if (scheme === null) {
    const value = valueAt(window, at, name.limit, name.quoted);
    if (value.quoted) return false;
    // A scheme that nobody has heard of.
    if (text[value.end] === ' ' && !value.done) {
      const second = valueAt(window, value.end + 1, name.limit, name.quoted);
      if (!second.done && !second.quoted && looksSecret(text.slice(second.start, Math.min(second.end, second.start + 4096)), 16)) {
        window.hit('authorization-header', name.start, value.start, second.end);
        return true;
      }
    }
    return false;
  }
  const start = SCHEME.lastIndex;
  if (LISTS.test(scheme[0])) {
    if (placeholderEnd(text, start) < 0) window.hit('authorization-header', name.start, start, headerEnd(window, name, start));
    return true;
  }
  if (start >= text.length || isOf(text, start, SPACE)) return false;
  const value = valueAt(window, start, name.limit, name.quoted);
  if (!value.done) window.hit('authorization-header', name.start, value.start, value.end);
  return true;
}

function cookie(window: TextWindow, name: Name, at: number): boolean {
  const { text } = window;
  if (text[at] === '[') return cookieList(window, name, at + 1);
  const value = valueAt(window, at, name.limit, name.quoted);
  COOKIE.lastIndex = value.start;
  if (!COOKIE.test(text) || COOKIE.lastIndex > name.limit) return true;
  if (value.quoted) {
    if (!value.done) window.hit('cookie', name.start, value.start, value.end);
  } else window.hit('cookie', name.start, at, headerEnd(window, name, at));
  return true;
}

/** `"Set-Cookie": ["a=b; Path=/", …]`, as headers in JSON have it. */
function cookieList(window: TextWindow, name: Name, from: number): boolean {
  const { text } = window;
  let at = from;
  for (let count = 0; count < MAX_COOKIES; count += 1) {
    GAP.lastIndex = at;
    if (!GAP.test(text) || GAP.lastIndex >= name.limit) break;
    const value = valueAt(window, GAP.lastIndex, name.limit, true);
    if (!value.quoted || value.after <= at) break;
    COOKIE.lastIndex = value.start;
    if (!value.done && COOKIE.test(text)) window.hit('cookie', name.start, value.start, value.end);
    at = value.after;
  }
  // Another item may follow on a line that is not there yet.
  if (text.length - at < 64) window.undecided(name.start);
  return true;
}

/** The end of the line, or of the quotes that the whole header stands in. */
function headerEnd(window: TextWindow, name: Name, from: number): number {
  const { text } = window;
  const line = Math.min(window.line(from), name.limit);
  let before = name.start;
  while (before > name.start - 24 && /[\w-]/.test(text[before - 1] ?? ' ')) before -= 1;
  const mark = text[before - 1];
  if (mark === '"' || mark === "'") {
    for (let at = window.next(mark, from); at >= 0 && at < line; at = window.next(mark, at + 1)) {
      const slashes = slashesBefore(text, at);
      if (slashes !== slashesBefore(text, before - 1)) continue;
      const end = at - slashes;
      // A parameter in quotes of the same kind goes on behind them.
      if (/[\s,;)\]}]|$/.test(text[at + 1] ?? '') && text[end - 1] !== '=' && !/^,\s{0,8}\w{1,32}=/.test(text.slice(at + 1, at + 48))) return end;
    }
  }
  return line;
}

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (count < 64 && text[at - count - 1] === '\\') count += 1;
  return count;
}
