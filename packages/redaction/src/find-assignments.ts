import { LETTER, LOWER, SPACE, UPPER, isOf } from './characters.js';
import { isConfirmed } from './weak-keyword.js';
import { findHeader } from './find-headers.js';
import { findUnseparated } from './find-unseparated.js';
import { KEYWORD, kindOf, type KeywordKind } from './keyword.js';
import { placeholderEnd } from './placeholder.js';
import { quoteAt } from './quote.js';
import type { TextWindow } from './text-window.js';
import { valueAt, type Value } from './value-end.js';

/** Parts that may stand between a name like `secret` and its end: `SECRET_KEY_BASE`, `passwordProd`, `token_2`. */
const SUFFIX = /(?:[_-]?(?:key|base|value|val|string|hash|plain|raw|text|prod(?:uction)?|dev(?:elopment)?|test(?:ing)?|stag(?:e|ing)|live|old|new|current|primary|secondary|default|main|master|[0-9]{1,3})){0,3}/iy;
const SECRET_ID = /[_-]?id/iy;
/** Marks between a name and its separator: quotes, brackets, emphasis, colours. */
 
const MARK = /\]|\)|\*{1,2}|[”’»“]|[\u200b-\u200d\u2060]|<\/(?:b|strong|em|i|code|span|label)>|(?:\u001b|\\u001b|\\e|\\x1b|\\033)\[[0-9;]{0,16}[mK]/iy;
/** What may stand between a separator and a value besides: the type that PHP dumps. */
const TYPED = /string\(\d{1,6}\) (?=\\{0,8}")/y;
const SEPARATOR = /(?:\?\?|\|\|)(?=[ \t]{0,8}["'`])|%3[DA]|[?+|!]{0,2}={1,3}[>~]?|:{1,3}=?|：|&#61;|&equals;|\\{1,4}u003[da]/iy;
/** Words in a row, as wallets and password managers give them. */
const PHRASE = /[a-z]{3,12}(?: [a-z]{3,12}){2,23}/y;
const CONTINUED = /\\\r?\n/y;
const ESCAPED_END = /\\{1,8}[nrt](?=[\s\\])/y;
const ESCAPED_BLOCK = /[|>][+-]?[0-9]?\\{1,8}[rn]/y;
const BLOCK_SCALAR = /[|>][+-]?[0-9]?[ \t]{0,64}\r?\n/y;
/** `: str = "…"`, `= "…" + "…"`, `= env || "…"`: more of the value. */
const SECOND = /[ \t]{0,64}=[ \t]{0,64}(?![=>])/y;
const MORE = /[ \t]{0,64}(?:\+|\.{1,2}|\|\||\?\?|\bor\b|\belse\b|&|->|\\\r?\n)?[ \t]{0,64}(?=["'`]|\\{1,32}["'`])/y;
const MAX_PARTS = 16;
/** Rules that read on behind a line end are decided when this much of what follows is there. */
const AHEAD = 320;

/** A name that was found, and what stands around it. */
export interface Name {
  readonly kind: KeywordKind;
  readonly word: string;
  readonly start: number;
  /** Behind the last part of the identifier. */
  readonly end: number;
  /** Behind quotes and brackets. */
  readonly marked: number;
  /** The name itself stands in quotes, as in JSON. */
  readonly quoted: boolean;
  readonly limit: number;
}

/** Values behind names (AEP-0003 §9.4a): assignments, members, headers, flags, and sentences that tell a password. */
export function findAssignments(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(KEYWORD)) {
    window.work += 1;
    const word = match[0];
    const kind = kindOf(word);
    const start = match.index;
    if (text.startsWith('[REDACTED:', start - 10)) continue;
    const name = nameAt(window, kind, word, start);
    if (text.length - name.marked < AHEAD && readsOn(text, name.marked)) window.undecided(start);
    const separatorFrom = skipSpace(window, name.marked, name.limit);
    SEPARATOR.lastIndex = separatorFrom;
    if (!SEPARATOR.test(text)) {
      if (separatorFrom >= text.length) window.undecided(start);
      findUnseparated(window, name);
      continue;
    }
    const separator = SEPARATOR.lastIndex;
    let at = skipGap(window, separator, name.limit);
    MARK.lastIndex = at;
    while (MARK.test(text) && text[at] !== ']' && text[at] !== ')') {
      at = skipSpace(window, MARK.lastIndex, name.limit);
      MARK.lastIndex = at;
    }
    TYPED.lastIndex = at;
    if (TYPED.test(text)) at = TYPED.lastIndex;
    if (at >= text.length) window.undecided(start);
    else if ((kind === 'authorization' || kind === 'cookie') && findHeader(window, name, at)) continue;
    else if (kind !== 'cookie') assign(window, name, separator, at);
  }
}

function nameAt(window: TextWindow, kind: KeywordKind, word: string, start: number): Name {
  const { text } = window;
  let end = start + word.length;
  if (kind === 'secret' || kind === 'password' || kind === 'credential' || kind === 'cookie') {
    if (!/token/i.test(word) && (text[end] === 's' || text[end] === 'S') && !isOf(text, end + 1, LETTER)) end += 1;
    SUFFIX.lastIndex = end;
    if (SUFFIX.test(text)) end = SUFFIX.lastIndex;
    SECRET_ID.lastIndex = end;
    if (/^(?:secret|private)/i.test(word) && SECRET_ID.test(text)) end = SECRET_ID.lastIndex;
  }
  let marked = end;
  let quoted = false;
  for (let count = 0; count < 4; count += 1) {
    const quote = quoteAt(text, marked);
    MARK.lastIndex = marked;
    if (quote !== undefined) {
      quoted = true;
      marked = quote.end;
    } else if (MARK.test(text) && (quoted || text[marked] !== ']' || isIndex(text, start))) marked = MARK.lastIndex;
    else break;
  }
  return { kind, word, start, end, marked, quoted, limit: window.limit(start) };
}

/** `[PASSWORD]` with nothing else in it; the last of a list is none. */
function isIndex(text: string, start: number): boolean {
  let from = start;
  while (from > start - 64 && /[\w.$-]/.test(text[from - 1] ?? ' ')) from -= 1;
  return text[from - 1] === '[';
}

function skipSpace(window: TextWindow, from: number, limit: number): number {
  if (!isOf(window.text, from, SPACE)) return from;
  return Math.min(window.run(from, SPACE), limit);
}

/** Nothing but marks stands between a name and the end of its line, so what comes next may be its value. */
function readsOn(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && ' \t,"\'`\\*|:='.includes(text.charAt(at))) at += 1;
  return at >= text.length || text[at] === '\n' || text[at] === '\r' || text[at] === '<' || text[at] === '>';
}

/** White space, a line that goes on in the next one, and line ends as a text within a text has them. */
function skipGap(window: TextWindow, from: number, limit: number): number {
  let at = skipSpace(window, from, limit);
  for (let count = 0; count < 16; count += 1) {
    ESCAPED_END.lastIndex = CONTINUED.lastIndex = at;
    if (ESCAPED_END.test(window.text)) at = skipSpace(window, ESCAPED_END.lastIndex, limit);
    else if (CONTINUED.test(window.text)) at = skipSpace(window, CONTINUED.lastIndex, limit);
    else break;
  }
  return at;
}

function assign(window: TextWindow, name: Name, separator: number, at: number): void {
  const { text } = window;
  const value = valueAt(window, at, name.limit, name.quoted);
  if (value.placeholder) return;
  if (!value.done && !isConfirmed(text, name, text.slice(name.marked, separator).trim(), value)) return;
  const rule = 'named-value';
  BLOCK_SCALAR.lastIndex = at;
  if (!value.quoted && BLOCK_SCALAR.test(text)) {
    block(window, name, BLOCK_SCALAR.lastIndex);
    return;
  }
  ESCAPED_BLOCK.lastIndex = at;
  if (!value.quoted && ESCAPED_BLOCK.test(text)) {
    escapedBlock(window, name, ESCAPED_BLOCK.lastIndex);
    return;
  }
  PHRASE.lastIndex = value.start;
  if (!value.done && !value.quoted && /phrase|code|mnemonic/i.test(name.word) && PHRASE.test(text)) {
    window.hit(rule, name.start, value.start, PHRASE.lastIndex);
    return;
  }
  if (!value.done) window.hit(rule, name.start, value.start, value.end);
  // A line that goes on in the next one.
  CONTINUED.lastIndex = value.end - 1;
  if (!value.done && !value.quoted && CONTINUED.test(text)) {
    const next = valueAt(window, CONTINUED.lastIndex, name.limit, name.quoted);
    if (window.line(CONTINUED.lastIndex) >= text.length) window.undecided(name.start);
    if (!next.done && !isOf(text, next.start, SPACE)) window.hit(rule, name.start, next.start, next.end);
  }
  let last: Value = value;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    SECOND.lastIndex = last.after;
    MORE.lastIndex = last.after;
    const next: number = !last.quoted && SECOND.test(text) ? SECOND.lastIndex : MORE.test(text) && MORE.lastIndex > last.after ? MORE.lastIndex : -1;
    if (next < 0 || next >= text.length || isOf(text, next, SPACE) || next >= name.limit) break;
    const following = valueAt(window, next, name.limit, name.quoted);
    if (!following.done) window.hit(rule, name.start, following.start, following.end);
    if (following.after <= last.after) break;
    last = following;
  }
  glued(window, name, last);
}

/** `"abc"def`: what a shell takes for one word. */
function glued(window: TextWindow, name: Name, value: Value): void {
  const { text } = window;
  if (!value.quoted || name.quoted || !(isOf(text, value.after, LOWER | UPPER) || text[value.after] === '$')) return;
  if (value.after === value.end || text[value.after - 1] === '\\') return;
  window.hit('named-value', name.start, value.after, Math.min(window.ink(value.after), name.limit));
}

/** The same with escaped line ends: up to the first one that no white space follows, or a mark that ends the text around. */
function escapedBlock(window: TextWindow, name: Name, from: number): void {
  const { text } = window;
  const line = Math.min(window.line(from), name.limit);
  let end = from;
  while (end < line && text[end] !== '"' && !(text[end] === '\\' && /^\\{1,8}(?:"|[rn](?![\s\\]))/.test(text.slice(end, end + 10)))) end += 1;
  window.work += end - from;
  let start = from;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start += 1;
  if (placeholderEnd(text, start) < 0) window.hit('named-value', name.start, start, end);
}

/** A YAML block: the lines behind the name that stand further in than its own. */
function block(window: TextWindow, name: Name, from: number): void {
  const { text } = window;
  const lineStart = text.lastIndexOf('\n', name.start - 1) + 1;
  let indent = lineStart;
  while (text[indent] === ' ' || text[indent] === '\t') indent += 1;
  const own = indent - lineStart;
  let at = from;
  let end = from;
  let start = -1;
  while (at < name.limit) {
    const line = Math.min(window.line(at), name.limit);
    let ink = at;
    while (ink < line && (text[ink] === ' ' || text[ink] === '\t')) ink += 1;
    window.work += ink - at + 1;
    if (ink < line) {
      if (ink - at <= own) break;
      if (start < 0) start = ink;
      end = line;
    }
    if (text[line] === '\r') at = line + 2;
    else at = line + 1;
  }
  if (at >= text.length) window.undecided(name.start);
  if (start >= 0 && placeholderEnd(text, start) < 0) window.hit('named-value', name.start, start, end);
}
