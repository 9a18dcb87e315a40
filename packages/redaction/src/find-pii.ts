import { ALNUM, DIGIT, isOf } from './characters.js';
import { PII } from './placeholder.js';
import type { TextWindow } from './text-window.js';

/** Longest local part that is looked for. Addresses have 64 characters at most. */
const LOCAL_LIMIT = 320;
const LOCAL_MARKS = "._%+-'";
/** Not addresses: the login of code hosts, labels of Kotlin, densities of pictures. */
const NO_LOCAL = /^(?:git|hg|this|super|return|break|continue)$/;
const PICTURE = /^\dx\.(?:png|jpe?g|webp|gif|svg|avif|heic)$/i;
const TALK = /(?:tel|phone|call|mobile|cell|fax|whatsapp|sms|ring|telefon|handy|tel\.|t\.?él|☎|📞)\S{0,8}[\s:=#.'"-]{0,6}(?:\(?\+?\d{0,3}\)?[\s-]?)$/i;

/** E-mail addresses (AEP-0003 §9.4d). */
export function findEmails(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) address(window, at, at + 1);
  for (let at = text.indexOf('%40'); at >= 0; at = text.indexOf('%40', at + 3)) address(window, at, at + 3);
}

function address(window: TextWindow, at: number, from: number): void {
  const { text } = window;
  if (!isDomain(text, from)) return;
  const floor = Math.max(0, at - LOCAL_LIMIT);
  let start = at;
  while (start > floor && isLocal(text, start - 1)) start -= 1;
  // A quoted local part.
  if (start === at && text[at - 1] === '"') {
    const open = text.slice(Math.max(0, at - 66), at - 1).lastIndexOf('"');
    if (open >= 0 && !text.slice(Math.max(0, at - 66) + open, at).includes('\n')) start = Math.max(0, at - 66) + open;
  }
  window.work += at - start;
  while (start < at && (text[start] === "'" || text[start] === '-' || text[start] === '.' || text[start] === '%')) {
    start += text[start] === '%' && /^[0-9A-F]{2}$/i.test(text.slice(start + 1, start + 3)) ? 3 : 1;
  }
  // `\n` in front, as a string in a string has it.
  if (text[start - 1] === '\\' && 'nrt'.includes(text[start] ?? ' ') && start + 1 < at) start += 1;
  if (start >= at) return;
  let end = from;
  while (end < text.length && isDomain(text, end)) end += 1;
  window.work += end - from;
  while (end > from && !isOf(text, end - 1, ALNUM) && text.charCodeAt(end - 1) < 0x80) end -= 1;
  const domain = text.slice(from, Math.min(end, from + 512));
  const dot = domain.lastIndexOf('.');
  if (dot < 1 || !/^(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(domain.slice(dot + 1)) || PICTURE.test(domain)) {
    // `alice@example.com.1` is an address and something else.
    const part = /^[^.]{1,63}(?:\.[^.]{1,63}){0,8}?\.\p{L}{2,63}(?=[.-])/u.exec(domain);
    if (part === null || PICTURE.test(domain)) return;
    end = from + part[0].length;
  }
  if (end - from > 512) return;
  if (NO_LOCAL.test(text.slice(start, at))) return;
  window.hit('e-mail', start, start, end);
}

function isLocal(text: string, at: number): boolean {
  if (isOf(text, at, ALNUM)) return true;
  const code = text.charCodeAt(at);
  if (code < 0x80) return LOCAL_MARKS.includes(text.charAt(at));
  return (code >= 0xc0 && code < 0x530) || (code >= 0x1e00 && code < 0x2000);
}

function isDomain(text: string, at: number): boolean {
  if (isOf(text, at, ALNUM)) return true;
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x2d || code === 0x2e;
  return (code >= 0xc0 && code < 0x530) || (code >= 0x1e00 && code < 0x2000) || (code >= 0x3040 && code < 0xd7a4);
}

const SEPARATOR = '[ .\\-/\u00a0\u2009\u2011]';
/** Forms of telephone numbers. Each has at most 28 characters. */
const FORMS: readonly RegExp[] = [
  // International: +49 30 1234567, +1 (415) 555-2671, +14155552671.
  new RegExp(`\\(?\\+[1-9]\\d{0,3}\\)?${SEPARATOR}?(?:\\(\\d{1,5}\\)${SEPARATOR}?)?\\d{1,5}(?:${SEPARATOR}\\d{1,9}){1,5}`, 'y'),
  /\+[1-9]\d{8,14}/y,
  /00[1-9]\d{0,2}[ -]\d{2,4}(?:[ -]?\d{2,4}){2,4}/y,
  // In groups, as North America, Britain and France write them.
  /(?:1[ .-]?)?\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}/y,
  /(?:1[-. ])?[2-9]\d{2}([-.])\d{3}\1\d{4}/y,
  /1[- ][2-9]\d{2}[- ]\d{3}[- ]\d{4}/y,
  /\(0\d{1,5}\)[ -]?\d{3,8}(?:[ -]\d{2,4}){0,2}/y,
  /0[1-9](?:[ .]\d{2}){4}/y,
  /02\d \d{4} \d{4}/y,
  /0[127]\d{2,4} \d{3} ?\d{3,4}/y,
];
/** What is a number only where a word in front says so. */
const TALKED = /\(?\d{2,5}\)?(?:[ .-]?\d{1,5}){1,6}/y;

/** Telephone numbers that are written as such: in international form, in groups, or behind a word that says so. */
export function findPhones(window: TextWindow): void {
  const { text } = window;
  for (let at = 0; at < text.length; at += 1) {
    if (!isOf(text, at, DIGIT) || isOf(text, at - 1, DIGIT)) continue;
    if (!hasDigits(text, at)) continue;
    let start = at;
    if (text[start - 1] === '(') start -= 1;
    if (text[start - 1] === '+') start -= 1;
    if (text[start - 1] === '(' && text[start] === '+') start -= 1;
    let end = phoneEnd(window, start);
    if (end === 0 && start < at) {
      start = at;
      end = phoneEnd(window, at);
    }
    if (end === 0) continue;
    window.hit('phone', start, start, end);
    at = end - 1;
  }
  window.work += text.length;
}

/** Whether seven digits follow with nothing but marks between, as in every form. */
function hasDigits(text: string, from: number): boolean {
  let digits = 0;
  for (let at = from; at < from + 30; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits === 7) return true;
    } else if (code !== 0x20 && code !== 0x2d && code !== 0x2e && code !== 0x28 && code !== 0x29 && code !== 0x2f && code !== 0xa0 && code !== 0x2009 && code !== 0x2011) return false;
  }
  return false;
}

/** End of the telephone number that begins at `start`, or 0. */
function phoneEnd(window: TextWindow, start: number): number {
  const { text } = window;
  // Directly behind another number or an address only what begins with a plus and has groups.
  const glued = isOf(text, start - 1, DIGIT) || text.endsWith(PII, start);
  if (!glued && !opens(text, start)) return 0;
  for (const form of FORMS) {
    if (glued && (text[start] !== '+' || form !== FORMS[0])) break;
    form.lastIndex = start;
    window.work += 1;
    if (form.test(text) && closes(text, start, form.lastIndex)) return form.lastIndex;
  }
  if (glued) return 0;
  TALKED.lastIndex = start;
  if (!TALKED.test(text) || !closes(text, start, TALKED.lastIndex)) return 0;
  return TALK.test(text.slice(Math.max(0, start - 32), start)) ? TALKED.lastIndex : 0;
}

function opens(text: string, start: number): boolean {
  const before = text[start - 1] ?? ' ';
  const escaped = /(?:\\[nrt]|%(?:20|3A|3D|22))$/i.test(text.slice(Math.max(0, start - 3), start));
  if (isOf(text, start - 1, ALNUM)) return escaped;
  if (before === ':') return text[start] === '+' || /(?:tel|phone|mobile|fax|cell):$/i.test(text.slice(Math.max(0, start - 8), start));
  return !'._/\\$#@-+~'.includes(before);
}

function closes(text: string, start: number, end: number): boolean {
  const next = text[end] ?? ' ';
  if (isOf(text, end, ALNUM) || '_@%$~'.includes(next)) return false;
  if ('.:,-/'.includes(next) && isOf(text, end + 1, ALNUM)) return false;
  const digits = text.slice(start, end).replace(/\D/g, '').length;
  if (digits < 7 || digits > 15) return false;
  // Pairs in a row that goes on are bytes.
  return !/^0\d[ .]\d\d[ .]/.test(text.slice(start, start + 6)) || (!/[0-9A-Fa-f]{2}[ .]$/.test(text.slice(Math.max(0, start - 3), start)) && !/^[ .][0-9A-Fa-f]{2}(?![0-9A-Za-z])/.test(text.slice(end, end + 4)));
}
