import { ALNUM, BASE64_ANY, DIGIT, DOTTED, HEX, LETTER, LOWER, UPPER, classOf, isOf, runEnd } from './characters.js';
import type { TextWindow } from './text-window.js';
import { ALPHABETS, type TokenRow } from './token-row.js';

/** Shortest token of the table, prefix and all. */
const SHORTEST = 14;
const ESCAPES = 'nrtbfv0';
const NEAR = 256;
const AWS_SECRET = 40;

/** Rows by the code of their first character. */
export type TokenIndex = ReadonlyMap<number, readonly TokenRow[]>;

export function indexTokens(rows: readonly TokenRow[]): TokenIndex {
  const index = new Map<number, TokenRow[]>();
  for (const row of rows) {
    const code = row.prefix.charCodeAt(0);
    const list = index.get(code);
    if (list === undefined) index.set(code, [row]);
    else list.push(row);
  }
  return index;
}

/**
 * Whether a token may begin at `at`: no letter or digit stands directly in front, other than of an escape. `\n`, `\u0022`, `%3D`
 * and the end of a colour sequence are letters on the page and none to whoever wrote the text.
 */
export function isBoundary(text: string, at: number): boolean {
  if (at === 0 || !isOf(text, at - 1, ALNUM)) return true;
  const before = text.charAt(at - 1);
  const second = text[at - 2];
  if (second === '\\' && ESCAPES.includes(before)) return true;
  if (isOf(text, at - 1, HEX) && isOf(text, at - 2, HEX)) {
    if (text[at - 3] === '%' || (text[at - 3] === 'x' && text[at - 4] === '\\')) return true;
    if (text[at - 5] === 'u' && text[at - 6] === '\\' && isOf(text, at - 3, HEX) && isOf(text, at - 4, HEX)) return true;
  }
  if (before !== 'm' && before !== 'K') return false;
  // The end of a colour or of what `grep` puts behind one: ESC [ digits ; digits m, ESC [ K.
  let from = at - 2;
  while (from > at - 18 && (isOf(text, from, DIGIT) || text[from] === ';')) from -= 1;
  return text[from] === '[' && (text[from - 1] === '\u001b' || /(?:\\e|\\033|\\x1b|\\u001b)$/i.test(text.slice(Math.max(0, from - 6), from)));
}

/** The row of the token that begins at `at`, and its end. */
export function tokenAt(window: TextWindow, index: TokenIndex, at: number, boundary: boolean): { readonly rule: string; readonly end: number } | undefined {
  const rows = index.get(window.text.charCodeAt(at));
  if (rows === undefined) return undefined;
  const { text } = window;
  for (const row of rows) {
    window.work += 1;
    if ((!boundary && row.anywhere !== true) || !text.startsWith(row.prefix, at)) continue;
    const body = at + row.prefix.length;
    let end = window.run(body, ALPHABETS[row.alphabet]);
    while (end > body && text[end - 1] === '.') end -= 1;
    if (end - body < row.min) continue;
    // Shapes look at one token of bounded length; what is longer than any token is taken as one.
    if (row.shape !== undefined && end - at <= 512 && !row.shape.test(text.slice(at, end))) continue;
    return { rule: row.rule, end };
  }
  return undefined;
}

/** Tokens that are known by their prefix. */
export function findTokens(window: TextWindow, index: TokenIndex): void {
  const { text } = window;
  const { length } = text;
  let at = 0;
  while (at < length) {
    if ((classOf(text.charCodeAt(at)) & DOTTED) === 0) {
      at += 1;
      continue;
    }
    const end = runEnd(text, at, DOTTED);
    if (end - at >= SHORTEST) inRun(window, index, at, end);
    const code = text.charCodeAt(end);
    if (code === 0x1b || code === 0x5c || (code >= 0x200b && code <= 0x200d)) coloured(window, index, at, end);
    at = end + 1;
  }
  window.work += length;
  anywhere(window, index);
  telegram(window);
  azure(window);
  azureDevOps(window);
  discord(window);
  macaroons(window);
}

/** Colours, as `grep` puts them around what it found, or nothing that can be seen, between the prefix of a token and the rest. */
const COLOURS = /(?:(?:\u001b|\\{1,4}(?:u001b|x1b|e|033))\[[0-9;]{0,16}[mK]|[\u200b-\u200d]){1,4}/y;
const LONGEST_PREFIX = 24;

function coloured(window: TextWindow, index: TokenIndex, from: number, end: number): void {
  const { text } = window;
  COLOURS.lastIndex = end;
  if (!COLOURS.test(text)) return;
  const body = COLOURS.lastIndex;
  for (let at = Math.max(from, end - LONGEST_PREFIX); at < end; at += 1) {
    if (!isBoundary(text, at)) continue;
    for (const row of index.get(text.charCodeAt(at)) ?? []) {
      window.work += 1;
      if (row.prefix.length !== end - at || !text.startsWith(row.prefix, at)) continue;
      const last = window.run(body, ALPHABETS[row.alphabet]);
      if (last - body < row.min || row.shape?.test(row.prefix + text.slice(body, Math.min(last, body + 512))) === false) continue;
      window.hit(row.rule, at, at, last);
      return;
    }
  }
}

/** Columns at which programs break lines of base64. */
const WIDTHS: readonly number[] = [60, 64, 72, 76, 80];

/** End of base64 that may go on in the next lines. */
function wrapped(window: TextWindow, from: number): number {
  const { text } = window;
  const limit = window.limit(from);
  let start = from;
  for (;;) {
    const end = runEnd(text, start, BASE64_ANY);
    window.work += end - start;
    const feed = text[end] === '\r' ? end + 1 : end;
    if (end >= text.length || feed >= text.length) window.undecided(from);
    const begin = start === from ? lineStart(text, from) : start;
    if (end >= limit || text[feed] !== '\n' || !(WIDTHS.includes(end - begin) || WIDTHS.includes(end - start))) return end;
    const next = runEnd(text, feed + 1, BASE64_ANY, feed + 130);
    if (next >= text.length) window.undecided(from);
    // A whole line of it.
    if (next === feed + 1 || !(next >= text.length || /[\r\n"'`]/.test(text.charAt(next)))) return end;
    start = feed + 1;
  }
}

/** Where the line begins that `at` stands in, when that is near. */
function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - 80);
  const feed = text.slice(from, at).lastIndexOf('\n');
  return feed < 0 && from > 0 ? at : from + feed + 1;
}

function inRun(window: TextWindow, index: TokenIndex, from: number, end: number): void {
  const { text } = window;
  for (let at = from; at <= end - SHORTEST; at += 1) {
    if (!isOf(text, at, ALNUM) || !isBoundary(text, at)) continue;
    const found = tokenAt(window, index, at, true);
    if (found === undefined) continue;
    window.hit(found.rule, at, at, found.end);
    // Whatever else begins in it ends with it or is looked for behind it.
    at = found.end - 1;
    if (at >= end) return;
  }
}

function anywhere(window: TextWindow, index: TokenIndex): void {
  const { text } = window;
  for (const rows of index.values()) {
    for (const row of rows) {
      if (row.anywhere !== true) continue;
      for (let at = text.indexOf(row.prefix); at >= 0; at = text.indexOf(row.prefix, at + 1)) {
        if (row.rule.startsWith('encoded-')) {
          const end = wrapped(window, at);
          window.work += end - at;
          if (end - at >= row.min) window.hit(row.rule, at, at, end);
          at = Math.max(at, end - 1);
          continue;
        }
        const found = tokenAt(window, index, at, false);
        if (found !== undefined) window.hit(found.rule, at, at, found.end);
      }
    }
  }
  secretsBesideKeys(window);
}

/** The secret half of an AWS key has no prefix: forty characters of base64 close to a key id. */
function secretsBesideKeys(window: TextWindow): void {
  const { text } = window;
  const has = text.includes('AKIA') || text.includes('ASIA');
  if (window.final && !has) return;
  // Without more of the text, only what stands at its end can still get a key id behind it.
  let at = has ? 0 : Math.max(0, text.length - NEAR - AWS_SECRET - 40);
  while (at > 0 && isSecretCharacter(text, at - 1)) at -= 1;
  while (at < text.length) {
    if (!isSecretCharacter(text, at)) {
      at += 1;
      continue;
    }
    let end = at;
    while (isSecretCharacter(text, end)) end += 1;
    window.work += end - at;
    // The letter of an escaped line end is none of the key.
    if (end - at === AWS_SECRET + 1 && text[at - 1] === '\\' && ESCAPES.includes(text.charAt(at))) at += 1;
    if (end - at === AWS_SECRET && isMixed(text, at, end)) {
      const around = text.slice(Math.max(0, at - NEAR), end + NEAR);
      if (/A[KS]IA[0-9A-Z]{16}/.test(around)) window.hit('aws-secret-key', at, at, end);
      else if (end + NEAR + 20 > text.length) window.undecided(at);
    }
    at = end + 1;
  }
}

function isSecretCharacter(text: string, at: number): boolean {
  return isOf(text, at, ALNUM) || text[at] === '/' || text[at] === '+';
}

function isMixed(text: string, from: number, end: number): boolean {
  let bits = 0;
  let hex = true;
  for (let at = from; at < end; at += 1) {
    const bit = classOf(text.charCodeAt(at));
    bits |= bit;
    hex &&= (bit & HEX) !== 0;
  }
  return !hex && (bits & LOWER) !== 0 && (bits & UPPER) !== 0;
}

/** Digits, a colon and `AA…`: the token of a Telegram bot. */
function telegram(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf(':AA'); at >= 0; at = text.indexOf(':AA', at + 3)) {
    let from = at;
    while (from > at - 12 && isOf(text, from - 1, DIGIT)) from -= 1;
    const end = window.run(at + 1, ALPHABETS.word);
    if (at - from >= 6 && end - at - 1 >= 30) window.hit('telegram-token', from, from, end);
  }
}

/** `…8Q~…`: a client secret of Azure. */
function azure(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf('Q~'); at >= 0; at = text.indexOf('Q~', at + 2)) {
    if (!isOf(text, at - 1, DIGIT)) continue;
    let from = at - 1;
    while (from > at - 5 && (isOf(text, from - 1, DOTTED) || text[from - 1] === '~')) from -= 1;
    let end = at + 2;
    while (end < at + 80 && (isOf(text, end, DOTTED) || text[end] === '~')) end += 1;
    window.work += end - at;
    if (at - 1 - from >= 3 && end - at - 2 >= 30) window.hit('azure-client-secret', from, from, end);
  }
}

/** The tokens of Fly, one behind the other. */
function macaroons(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(/f[mo][12]_/g)) {
    if (!isBoundary(text, match.index)) continue;
    const end = window.run(match.index + 4, BASE64_ANY);
    if (end - match.index >= 24 && /\d/.test(text.slice(match.index + 4, match.index + 300))) window.hit('platform-token', match.index, match.index, end);
  }
}

/** A personal access token of Azure DevOps has its mark four characters before the end. */
function azureDevOps(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf('AZDO'); at >= 0; at = text.indexOf('AZDO', at + 4)) {
    let from = at;
    while (from > at - 84 && isOf(text, from - 1, ALNUM)) from -= 1;
    window.work += at - from;
    const end = window.run(at, ALNUM);
    if (at - from >= 60 && end - at >= 8) window.hit('azure-devops-token', from, from, end);
  }
}

/** Three parts of base64, the first one an encoded number: the token of a Discord bot. And `….atlasv1.…`, of Terraform. */
function discord(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    window.work += 1;
    if (text.startsWith('atlasv1.', at + 1)) {
      let from = at;
      while (from > at - 20 && isOf(text, from - 1, ALNUM)) from -= 1;
      const end = window.run(at + 9, ALPHABETS.word);
      if (at - from >= 14 && end - at >= 60) window.hit('platform-token', from, from, end);
    } else if (text[at + 7] === '.' && isOf(text, at - 23, LETTER)) {
      let from = at - 30;
      while (from < at - 22 && !('MNO'.includes(text[from] ?? ' ') && isBoundary(text, from) && runEnd(text, from, ALPHABETS.word, at) === at)) from += 1;
      if (from < 0 || from >= at - 22) continue;
      if (runEnd(text, at + 1, ALPHABETS.word, at + 7) !== at + 7) continue;
      const end = window.run(at + 8, ALPHABETS.word);
      if (end - at - 8 >= 27) window.hit('discord-token', from, from, end);
    }
  }
}
