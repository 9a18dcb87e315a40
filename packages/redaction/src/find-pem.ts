import { ALNUM, isOf } from './characters.js';
import type { TextWindow } from './text-window.js';

const OPENING = /-{4,5}(?: |\+|%20)?BEGIN(?: |\+|%20)(?:[A-Z0-9 +]|%20){1,80}-{4,5}/y;
const CLOSING = /-{4,5}(?: |\+|%20)?END(?: |\+|%20)(?:[A-Z0-9 +]|%20){1,80}-{4,5}/y;
const HEADER_LINE = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject):[^\n]{0,200}/y;
const PUTTY = 'PuTTY-User-Key-File-';

/** PEM blocks, whole lines or one line with `\n` in it; without an end as far as it looks like one. PuTTY's form too. */
export function findPem(window: TextWindow): void {
  const { text } = window;
  let closings: readonly Span[] | undefined;
  let next = 0;
  for (let at = text.indexOf('BEGIN'); at >= 0; at = text.indexOf('BEGIN', at + 5)) {
    const from = markAt(OPENING, text, at, 'BEGIN');
    if (from < 0) {
      // The dashes behind the label may be still to come.
      if (text.length - at < 120) window.undecided(Math.max(0, at - 8));
      continue;
    }
    const body = OPENING.lastIndex;
    const limit = window.limit(from);
    closings ??= allClosings(window, body);
    let closing = closings[next];
    while (closing !== undefined && closing.from < body) closing = closings[(next += 1)];
    if (closing !== undefined && closing.end <= limit) window.hit('pem-block', from, from, closing.end);
    else {
      if (text.length < from + window.ahead) window.undecided(from);
      window.hit('pem-block', from, from, bodyEnd(window, body, limit));
    }
  }
  putty(window);
}

interface Span {
  readonly from: number;
  readonly end: number;
}

function allClosings(window: TextWindow, from: number): readonly Span[] {
  const { text } = window;
  const result: Span[] = [];
  for (let at = text.indexOf('END', from); at >= 0; at = text.indexOf('END', at + 3)) {
    const start = markAt(CLOSING, text, at, 'END');
    if (start >= 0) result.push({ from: start, end: CLOSING.lastIndex });
  }
  window.work += text.length - from;
  return result;
}

/** Where the mark starts whose word stands at `word`, or -1. What `mark` has as lastIndex is its end. */
function markAt(mark: RegExp, text: string, word: number, name: string): number {
  for (const lead of [5, 6, 4, 8, 7]) {
    if (word < lead) continue;
    mark.lastIndex = word - lead;
    const match = mark.exec(text);
    if (match !== null && match[0].indexOf(name) === lead) return word - lead;
  }
  return -1;
}

/** How far a block goes that has no end: header lines, long words of base64, and a shorter last one. */
function bodyEnd(window: TextWindow, from: number, limit: number): number {
  const { text } = window;
  let end = from;
  let long = false;
  let at = from;
  for (;;) {
    const start = skipBetween(text, at, limit);
    HEADER_LINE.lastIndex = start;
    if (!long && HEADER_LINE.test(text)) {
      at = end = Math.min(limit, HEADER_LINE.lastIndex);
      continue;
    }
    const stop = wordEnd(text, start, limit);
    window.work += stop - at + 1;
    if (stop === start) return end;
    if (stop >= limit && limit < text.length) return pemTail(text, limit);
    const isLong = stop - start >= 16;
    // A short word is the last line of a block when it stands alone on its line.
    if (!isLong && !(long && /[\n\\]/.test(text.slice(at, start)) && /^(?:[\s"'`,\\]|-----|$)/.test(text.slice(stop, stop + 5)))) return end;
    end = stop;
    if (!isLong) return end;
    long = true;
    at = stop;
  }
}

/** Behind what a rule looks ahead, a block goes on as long as there is nothing but base64, white space and its escapes. */
export function pemTail(text: string, from: number): number {
  let end = from;
  while (end < text.length && isTailCharacter(text, end)) end += 1;
  return end;
}

function isTailCharacter(text: string, at: number): boolean {
  return isOf(text, at, ALNUM) || '+/=\n\r\\ \t'.includes(text.charAt(at));
}

function wordEnd(text: string, from: number, limit: number): number {
  let end = from;
  while (end < limit && (isOf(text, end, ALNUM) || '+/='.includes(text.charAt(end)))) end += 1;
  return end;
}

/** Line ends, escaped ones too, and what editors, quotes and diffs put around lines. */
function skipBetween(text: string, from: number, limit: number): number {
  let at = from;
  for (;;) {
    if (at >= limit) return at;
    if (text[at] === '\\' && 'nrt'.includes(text[at + 1] ?? ' ')) at += 2;
    else if (' \t\r\n"\'`,|>#*→\\'.includes(text.charAt(at))) at += 1;
    else {
      // The number of a line, as tools that show files put it in front.
      const digits = /\d{1,6}(?:→|\t|: ?| ?\|)/y;
      digits.lastIndex = at;
      if (!digits.test(text) || digits.lastIndex > limit) return at;
      at = digits.lastIndex;
    }
  }
}

function putty(window: TextWindow): void {
  const { text } = window;
  for (let from = text.indexOf(PUTTY); from >= 0; from = text.indexOf(PUTTY, from + PUTTY.length)) {
    const limit = window.limit(from);
    const lines = text.indexOf('Private-Lines:', from);
    const found = lines >= 0 && lines < limit;
    if (text.length < from + window.ahead) window.undecided(from);
    if (found) {
      const body = skipBetween(text, Math.min(window.line(lines), limit), limit);
      window.hit('putty-key', from, body, bodyEnd(window, body, limit));
    }
    else if (lines < 0) return;
  }
}
