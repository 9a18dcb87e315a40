import { SPACE, isOf } from './characters.js';
import type { Name } from './find-assignments.js';
import { endsPlaceholder } from './placeholder.js';
import { quoteAt } from './quote.js';
import type { TextWindow } from './text-window.js';
import { looksSecret, valueAt } from './value-end.js';

/** `"name": "DB_PASSWORD", "value": "…"`, as lists of variables have it. */
const PAIR = /(?:\s|\\{1,8}[nr]){0,64},?(?:\s|\\{1,8}[nr]){0,64}(?:\\{0,8}["'])?(?:value|val|default|content)(?:\\{0,8}["'])?\s{0,8}[:=]\s{0,64}/iy;
const PAIR_TAG = /\s{0,8}<\/[\w:]{1,32}>(?:\s|\\{1,8}[nr]){0,64}<(?:value|string)[^<>]{0,64}>/iy;
/** The attribute that names an entry: `<string name="api_key">`. */
const ATTRIBUTE = /\s(?:name|key|property|var)\s?=\s?\\{0,8}["']$/i;
/** A line that goes on in the next one. */
const CONTINUED = /(?:\\\r?\n|\\{1,8}r?\\?n)\s{0,64}/y;
const CALLEE = /([A-Za-z_]{1,24})\(\s?\\{0,8}["'`]$/;
const SETTERS = /^(?:define|const|env|ENV|\w*set\w*|\w*put\w*|\w*header\w*|\w*append\w*|add\w*|store\w*|save\w*|with\w*)$/i;
const ARGUMENT = /\s{0,8},\s{0,8}(?=\\{0,8}["'`])/y;
const TELLS = /[ \t]{1,8}(?:(?:for|of|to)[ \t]{1,4}(?:the[ \t]{1,4})?\S{1,64}[ \t]{1,4})?(?:is|was|are|will be|to|=>|->|–|—|⇒|→)[ \t]{0,4}:?[ \t]{1,8}/iy;
const TELLS_FOR = /[ \t]{1,8}(?:for|of)[ \t]{1,4}(?:the[ \t]{1,4})?[^\s:=]{1,64}(?:[ \t]{1,4}[^\s:=]{1,64})?[ \t]{0,4}[:=][ \t]{0,8}/iy;
/** The next cell of a table. */
const CELL = /[ \t]{0,32}(?:[|│┃║]|\t)[ \t]{0,32}/y;
/** A column of a list of variables, whose names stand at the beginnings of lines. */
const COLUMN = / {2,64}(?=\S)/y;
const VARIABLE = /(?:^|\n|\\n)[ \t]{0,32}[A-Z][A-Z0-9_]{0,64}$/;
/** What a manual has in place of a value. */
const METAVARIABLE = /^(?:<[^<>]{0,64}|(?:[A-Z]{1,16}_){0,4}(?:TOKEN|KEY|NAME|VALUE|PASSWORD|PASSWD|PASS|PWD|SECRET|STRING|TEXT|ID|PATH|FILE|URL))[\]>)]?$/;
const SETTER = /(?:set|with|use|add|put|update|change)[A-Za-z]{0,24}$/i;
const ATTRIBUTES = /\s[^<>\n]{1,200}>/y;
const HERE = /[ \t]{1,8}<<<[ \t]{0,8}/y;
const VARIABLE_BLOCK = /\bvariable\s{1,4}\\{0,8}"[\w-]{0,64}$/;
const DEFAULT = /^\s{0,4}\{[^{}]{0,512}?\bdefault\s{0,16}=\s{0,4}(?=\\{0,8}")/;
/** How far behind the name of a variable of Terraform its default may stand. */
const BLOCK_AHEAD = 560;
/** Words that follow a flag in prose about it. */
const PROSE = /^(?:flags?|options?|arguments?|params?|parameters?|values?|is|are|was|were|and|or|to|for|with|without|if|from|in|on|at|the|an?|must|has|have|can|cannot|should|will|would|may|not|when|as|by|of|that|this|which|instead|takes?|sets?|does|did|only|unless|then|so|but|via|be|been|being|requires?|required|expects?|support|string|file|path|env|stdin|missing|field|here|again|before|after|\.|,|;|\||&&|\))$/i;
/** Words with hyphens, as generators of passphrases give them. */
const PHRASE = /^(?=.{16,128}$)[a-z]{2,32}(?:[-_.][a-z]{2,32}){2,11}$/i;
const ALGORITHMS = /^(?:base|sha|utf|x|oauth|http|k|md|pbkdf|argon|aes|rsa?|hs|es|ed|ipv|v|p|s|ec|u|i|ssh|bcrypt|scrypt)-?\d{1,4}s?(?![a-z0-9])/i;

/** Names with no separator behind them: flags, netrc, XML, pairs, SQL, and sentences. */
export function findUnseparated(window: TextWindow, name: Name): void {
  const { kind } = name;
  if (kind !== 'password' && kind !== 'secret' && kind !== 'identified' && kind !== 'authorization' && kind !== 'key' && kind !== 'pass' && kind !== 'pwd' && kind !== 'directive') return;
  const { text } = window;
  if (here(window, name)) return;
  if (kind === 'password' || kind === 'secret') {
    if (isFlag(text, name.start)) flag(window, name);
    else if (tag(window, name) || pair(window, name) || call(window, name) || setter(window, name)) return;
    else sentence(window, name);
  } else if (kind === 'directive') flag(window, name);
  else if (kind === 'identified') quotedBehind(window, name, /[ \t]{1,8}/y);
  else if (!tag(window, name) && !pair(window, name)) call(window, name);
}

function isFlag(text: string, start: number): boolean {
  let from = start;
  while (from > start - 48 && /[A-Za-z_-]/.test(text[from - 1] ?? ' ')) from -= 1;
  return text[from] === '-' && (from === 0 || /[\s"'`([,|]/.test(text.charAt(from - 1)));
}

function flag(window: TextWindow, name: Name): void {
  const { text } = window;
  ARGUMENT.lastIndex = name.marked;
  // The next one of a list in JSON.
  const listed = name.quoted && ARGUMENT.test(text);
  if (!listed && !isOf(text, name.marked, SPACE)) return;
  let at = listed ? ARGUMENT.lastIndex : name.marked;
  at = skipBlanks(text, at);
  // `--with-token <<< …`: it is read from what follows.
  if (text.startsWith('<<<', at)) at = skipBlanks(text, at + 3);
  CONTINUED.lastIndex = at;
  if (CONTINUED.test(text)) at = CONTINUED.lastIndex;
  if (at >= text.length || text[at] === '-' || text[at] === '\n' || text[at] === '\r') return;
  const value = valueAt(window, at, name.limit, listed);
  const held = text.slice(value.start, Math.min(value.end, value.start + 96));
  if (value.done || (listed && held.startsWith('-')) || (!value.quoted && (PROSE.test(held) || METAVARIABLE.test(held)))) return;
  window.hit('flag-value', name.start, value.start, value.end);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + 64 && (text[at] === ' ' || text[at] === '\t')) at += 1;
  return at;
}

/** `<password>…</password>` and `<string name="api_key">…</string>`. */
function tag(window: TextWindow, name: Name): boolean {
  const { text } = window;
  let open = name.start;
  while (open > name.start - 64 && /[\w:.$-]/.test(text[open - 1] ?? ' ')) open -= 1;
  PAIR_TAG.lastIndex = name.end;
  ATTRIBUTES.lastIndex = name.end;
  let from: number;
  if (PAIR_TAG.test(text)) from = PAIR_TAG.lastIndex;
  else if (text[open - 1] === '<' && ATTRIBUTES.test(text)) from = ATTRIBUTES.lastIndex;
  else {
    const entity = text.startsWith('&gt;', name.marked);
    if (text[name.marked] !== '>' && !entity) return false;
    if (name.quoted ? !ATTRIBUTE.test(text.slice(Math.max(0, open - 24), open)) : text[open - 1] !== '<' && !text.startsWith('&lt;', open - 4)) return false;
    from = name.marked + (entity ? 4 : 1);
  }
  const line = Math.min(window.line(from), name.limit);
  let end = from;
  while (end < line && text[end] !== '<' && !text.startsWith('&lt;', end)) end += 1;
  window.work += end - from;
  // `<token>` is what a manual has in place of a value.
  const closed = text.startsWith('</', end) || text.startsWith('&lt;/', end);
  if (end > from && !text.startsWith('[REDACTED:', from) && (closed || looksSecret(text.slice(from, end).trim(), 6))) window.hit('named-value', name.start, from, end);
  return true;
}

/** `API_KEY <<< "…"`: what a command reads. */
function here(window: TextWindow, name: Name): boolean {
  HERE.lastIndex = name.marked;
  if (!HERE.test(window.text) || isFlag(window.text, name.start)) return false;
  const value = valueAt(window, HERE.lastIndex, name.limit, false);
  if (!value.done) window.hit('named-value', name.start, value.start, value.end);
  return true;
}

/** `setPassword("…")`. */
function setter(window: TextWindow, name: Name): boolean {
  const { text } = window;
  if (name.quoted || text[name.end] !== '(' || !SETTER.test(text.slice(Math.max(0, name.start - 40), name.start))) return false;
  if (quoteAt(text, name.end + 1) === undefined) return false;
  const value = valueAt(window, name.end + 1, name.limit, true);
  const held = text.slice(value.start, Math.min(value.end, value.start + 4096));
  if (!value.done && value.quoted && (name.kind === 'password' || looksSecret(held, 8))) window.hit('named-value', name.start, value.start, value.end);
  return true;
}

function pair(window: TextWindow, name: Name): boolean {
  const { text } = window;
  PAIR.lastIndex = name.marked;
  const at = PAIR.test(text) ? PAIR.lastIndex : defaultAt(window, name);
  if (at < 0) return false;
  if (at >= text.length) return true;
  const value = valueAt(window, at, name.limit, name.quoted);
  const held = text.slice(value.start, Math.min(value.end, value.start + 4096));
  if (!value.done && (name.kind !== 'key' || looksSecret(held, 16))) window.hit('named-value', name.start, value.start, value.end);
  return true;
}

/** `variable "password" { default = "…" }` of Terraform: where the text begins, or -1. */
function defaultAt(window: TextWindow, name: Name): number {
  const { text } = window;
  if (!name.quoted || !VARIABLE_BLOCK.test(text.slice(Math.max(0, name.start - 96), name.start))) return -1;
  if (text.length - name.marked < BLOCK_AHEAD) window.undecided(name.start);
  window.work += BLOCK_AHEAD;
  const found = DEFAULT.exec(text.slice(name.marked, name.marked + BLOCK_AHEAD));
  return found === null ? -1 : name.marked + found[0].length;
}

/** `define('DB_PASSWORD', '…')`: a name and its value as arguments. */
function call(window: TextWindow, name: Name): boolean {
  const { text } = window;
  if (!name.quoted) return false;
  let open = name.start;
  while (open > name.start - 64 && /[\w.-]/.test(text[open - 1] ?? ' ')) open -= 1;
  const callee = CALLEE.exec(text.slice(Math.max(0, open - 40), open));
  ARGUMENT.lastIndex = name.marked;
  if (callee === null || !ARGUMENT.test(text)) return false;
  const value = valueAt(window, ARGUMENT.lastIndex, name.limit, true);
  const held = text.slice(value.start, Math.min(value.end, value.start + 4096));
  if (!value.done && value.quoted && (SETTERS.test(callee[1] ?? '') || looksSecret(held, 8))) window.hit('named-value', name.start, value.start, value.end);
  return true;
}

function sentence(window: TextWindow, name: Name): void {
  const { text } = window;
  if (name.kind === 'password') {
    if (/(?<![\]\w])login\s{1,8}[^\s[]{1,128}\s{1,8}$/.test(text.slice(Math.max(0, name.start - 160), name.start)) && !endsPlaceholder(text, name.start) && isOf(text, name.end, SPACE)) {
      const at = window.run(name.end, SPACE);
      const value = valueAt(window, at, name.limit, false);
      if (at < text.length && !value.done) window.hit('named-value', name.start, value.start, value.end);
      return;
    }
    if (quotedBehind(window, name, /[ \t]{1,8}/y)) return;
  } else if (quotedBehind(window, name, /[ \t]{1,8}/y, isStrong)) return;
  TELLS.lastIndex = TELLS_FOR.lastIndex = name.marked;
  CELL.lastIndex = COLUMN.lastIndex = name.marked;
  const tells = TELLS.test(text) ? TELLS.lastIndex : CELL.test(text) ? CELL.lastIndex : COLUMN.test(text) && VARIABLE.test(text.slice(Math.max(0, name.end - 96), name.end)) ? COLUMN.lastIndex : TELLS_FOR.test(text) ? TELLS_FOR.lastIndex : -1;
  const told = tells >= 0;
  const at = told ? tells : name.marked + 1;
  if (!told && text[name.marked] !== ' ') return;
  if (text.slice(name.marked, at).includes('[REDACTED:')) return;
  if (at >= text.length || isOf(text, at, SPACE)) return;
  const value = valueAt(window, at, name.limit, false);
  if (value.done) return;
  const held = text.slice(value.start, Math.min(value.end, value.start + 256));
  if (held.includes('[REDACTED:')) return;
  if (value.quoted ? told && (name.kind === 'password' || looksTold(held)) : told ? looksTold(held) || (name.kind === 'password' && PHRASE.test(held)) : looksStrong(held) || (/^api/i.test(name.word) && /^[0-9a-f]{24,64}$/.test(held))) {
    window.hit('told-secret', name.start, value.start, value.end);
  }
}

function quotedBehind(window: TextWindow, name: Name, gap: RegExp, accept?: (held: string) => boolean): boolean {
  const { text } = window;
  gap.lastIndex = name.marked;
  if (!gap.test(text)) return false;
  const quote = quoteAt(text, gap.lastIndex);
  if (quote === undefined || quote.encoded) return false;
  const value = valueAt(window, gap.lastIndex, name.limit, false);
  const held = text.slice(value.start, Math.min(value.end, value.start + 256));
  if (value.done || held.includes('[REDACTED:') || held.length > 128 || (/\s/.test(held) && name.kind !== 'identified') || accept?.(held) === false) return false;
  window.hit('told-secret', name.start, value.start, value.end);
  return true;
}

/** Letters of both cases and digits, and many of them: no name of something. */
function isStrong(held: string): boolean {
  return held.length >= 16 && /[a-z]/.test(held) && /[A-Z]/.test(held) && /\d/.test(held) && !/[./:]/.test(held);
}

function looksTold(held: string): boolean {
  if (held.length < 6 || ALGORITHMS.test(held) || !looksSecret(held, 6)) return false;
  return !/^[0-9a-f]{7,64}$/.test(held) || !/^\d+$/.test(held);
}

function looksStrong(held: string): boolean {
  if (held.length < 8 || !looksTold(held) || /^[0-9a-f-]+$/.test(held) || /[/\\(~]/.test(held)) return false;
  const symbol = /[!@#$%^&*+=?~]/.test(held);
  return /\d/.test(held) && /[a-zA-Z]/.test(held) && (symbol || (/[a-z]/.test(held) && /[A-Z]/.test(held)));
}
