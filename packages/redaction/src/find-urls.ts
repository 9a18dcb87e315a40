import { DIGIT, isOf } from './characters.js';
import { placeholderEnd } from './placeholder.js';
import type { TextWindow } from './text-window.js';

const MARKS = ['://', '%3A%2F%2F', '%3a%2f%2f', ':\\/\\/'];
const AHEAD = 1024;
const VARIABLE = /^(?:\$\{?[\w.:-]{1,64}\}?|<[^<>]{1,64}>|\{\{?[\w. ]{1,64}\}?\}|%\w{1,64}%|\*{1,16}|\.{3}|…)$/;
const WEB = /https?$/i;
const HOOK = /(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|outlook\.office(?:365)?\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/|chat\.googleapis\.com\/v1\/spaces\/|maker\.ifttt\.com\/trigger\/)/g;
const SIGNED = /[?&;](?:X-Amz-(?:Signature|Security-Token|Credential)|X-Goog-Signature|Signature|access_key|auth|key|code|apikey|subscription-key)=/gi;

/** Passwords and tokens in addresses: `user:password@`, hooks, and signatures. */
export function findUrls(window: TextWindow): void {
  for (const mark of MARKS) {
    const { text } = window;
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 3)) userInfo(window, at, at + mark.length, mark.startsWith('%'));
  }
  schemeless(window);
  hooks(window);
  signatures(window);
}

function userInfo(window: TextWindow, anchor: number, from: number, encoded: boolean): void {
  const { text } = window;
  const limit = Math.min(text.length, from + AHEAD);
  let colon = -1;
  let slash = -1;
  let at = -1;
  let beforeSlash = -1;
  let query = -1;
  let end = from;
  for (; end < limit; end += 1) {
    const character = text.charAt(end);
    if (character === ' ' || character === '\n' || character === '"' || character === "'" || character === '`' || character === '<' || character === '>' || character === '\t' || character === '\r') break;
    if (character === '\\' && '"\'nrt'.includes(text[end + 1] ?? ' ')) break;
    if (character === '[') {
      if (placeholderEnd(text, end) > 0) break;
    }
    if (text.startsWith('://', end) || (character === ',' && at >= 0 && slash >= 0)) break;
    const percent = encoded && character === '%' ? text.slice(end + 1, end + 3).toUpperCase() : '';
    if ((character === ':' || percent === '3A') && colon < 0) colon = end;
    else if ((character === '/' || percent === '2F') && slash < 0) slash = end;
    else if (character === '@' || percent === '40') {
      at = end;
      if (slash < 0) beforeSlash = end;
    } else if (character === '?' && query < 0) query = end;
    if (query >= 0 && beforeSlash >= 0) break;
  }
  window.work += end - from;
  if (at < 0) return;
  const web = WEB.test(text.slice(Math.max(0, anchor - 8), anchor));
  let stop = at;
  if (slash >= 0 && at > slash) {
    if (beforeSlash >= 0 && web) stop = beforeSlash;
    else if (beforeSlash < 0 && (colon < 0 || colon > slash || (query >= 0 && at > query) || isPort(text, colon + 1, slash))) return;
  }
  const skip = encoded ? 3 : 1;
  if (colon >= 0 && colon < stop) {
    const start = colon + (text[colon] === '%' ? skip : 1);
    const password = text.slice(start, stop);
    if (password !== '' && !VARIABLE.test(password) && !password.includes('[REDACTED:')) window.hit('url-password', anchor, start, stop);
    // A key as the name, with nothing for a password.
    if (password === '' && colon - from >= 12) window.hit('url-password', anchor, from, colon);
  } else if (stop - from >= 16 && /\d/.test(text.slice(from, stop)) && !text.slice(from, stop).includes('[REDACTED:')) window.hit('url-password', anchor, from, stop);
}

function isPort(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && isOf(text, at, DIGIT)) at += 1;
  return at === end;
}

/** `user:password@tcp(host)` of Go, and `thin:user/password@` of Oracle. */
function schemeless(window: TextWindow): void {
  const { text } = window;
  for (const mark of ['@tcp(', '@unix(', '@tcp6(']) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      let from = at;
      while (from > at - 128 && !/[\s"'`]/.test(text[from - 1] ?? ' ')) from -= 1;
      const colon = text.slice(from, at).indexOf(':');
      window.work += at - from;
      if (colon >= 0 && !text.slice(from, at).includes('[REDACTED:')) window.hit('url-password', from, from + colon + 1, at);
    }
  }
  for (let at = text.indexOf(':thin:'); at >= 0; at = text.indexOf(':thin:', at + 6)) {
    const found = /^[^\s/@"']{1,128}\/("[^"\n]{1,128}"|[^\s@"']{1,128})@/.exec(text.slice(at + 6, at + 300));
    if (found === null) continue;
    const end = at + 6 + found[0].length - 1;
    const start = end - (found[1] ?? '').length;
    if (!found[0].includes('[REDACTED:')) window.hit('url-password', at, start, end);
  }
}

function hooks(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(HOOK)) {
    const start = match.index + match[0].length;
    let end = start;
    while (end < start + 512 && /[\w/@.=&?%+-]/.test(text[end] ?? ' ')) end += 1;
    window.work += end - start;
    if (end - start >= 16) window.hit('webhook-url', match.index, start, end);
  }
}

function signatures(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(SIGNED)) {
    const start = match.index + match[0].length;
    let end = start;
    while (end < start + 900 && /[\w/.=%+~-]/.test(text[end] ?? ' ')) end += 1;
    window.work += end - start;
    const held = text.slice(start, end);
    if (held.length >= 20 && /\d/.test(held) && /[a-zA-Z]/.test(held)) window.hit('signed-url', match.index, start, end);
  }
}
