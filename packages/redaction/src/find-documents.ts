import type { TextWindow } from './text-window.js';

/** `host:port:database:user:password`, where the port is one of PostgreSQL, so that no place in a file is taken for one. */
const PGPASS = /(?<![^\n"'`])(?:[\w.-]{1,128}|\*):(?:54\d\d|6432|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?=[^\s[])/g;
/** Passwords as `crypt` keeps them. */
const CRYPT = /\$(?:1|5|6|7|y|gy|apr1|2[abxy]|argon2(?:id?|d)|scrypt|pbkdf2(?:-sha\d{1,3})?|P|H)\$(?=[\w./=,-])/g;
/** The list of the keys of a storage account, as the tool of Azure prints it. */
const ACCOUNT_KEY = /\\{0,8}"keyName\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"[^"\n]{1,64}\\{0,8}",(?:\s|\\{1,8}[nr]){0,64}\\{0,8}"permissions\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"[^"\n]{1,32}\\{0,8}",(?:\s|\\{1,8}[nr]){0,64}\\{0,8}"value\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"/gi;
/** What a workflow of GitHub hides. */
const MASK = /::add-mask::(?!\$|\[REDACTED:)/g;
/** Private members of a JSON Web Key. */
const JWK = /\\{0,8}["'](?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["'](?=[\w-]{16})/g;
/** The line end may be that of a text within a text. */
const DATA = /(?<=^|\n|\\n)([ \t]{0,64})(?:data|stringData):[ \t]{0,16}(?=\r?(\n|\\{1,4}n))/g;
const ENTRY = /^[ \t]{0,80}["']?[\w.-]{1,128}["']?:[ \t]{1,16}["']?([A-Za-z0-9+/]{8,65536}={0,2})(?:["'\\].{0,64})?[ \t]{0,16}$/;
/** The same in JSON, as `kubectl` prints it: the version comes first. */
const JSON_DATA = /\\{0,8}"(?:apiVersion\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"v1|kind\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"Secret)\\{0,8}",(?:\s|\\{1,8}[nr]){0,64}\\{0,8}"data\\{0,8}"\s{0,4}:\s{0,4}\{/g;
const JSON_ENTRY = /(?:\s|\\{1,8}[nr]){0,64},?(?:\s|\\{1,8}[nr]){0,64}\\{0,8}"[^"\n]{1,256}\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"(?:([A-Za-z0-9+/]{8,65536}={0,2})|[^"\n]{0,65536})\\{0,8}"/y;
const NEAR = 700;
const MAX_WORD = 2048;

/** Secrets whose place in a document of a known kind says what they are. */
export function findDocuments(window: TextWindow): void {
  words(window, 'password-file', PGPASS, 1, /[^\s"'`[]/);
  words(window, 'password-hash', CRYPT, 20, /[\w./$=,+-]/, true);
  words(window, 'named-value', ACCOUNT_KEY, 20, /[\w+/=]/);
  awaits(window, '"keyName"', '"apiVersion"', '"kind"');
  words(window, 'named-value', MASK, 1, /\S/);
  for (const match of window.text.matchAll(JWK)) {
    const start = match.index + match[0].length;
    const end = wordEnd(window, start, /[\w-]/);
    const held = window.text.slice(start, end);
    // `k` and short ones may be anything outside of a key.
    if (held.length < 42 && !/"kty\\{0,8}"/.test(window.text.slice(Math.max(0, match.index - NEAR), match.index))) continue;
    if (/\d/.test(held) && /[a-z]/.test(held) && /[A-Z]/.test(held)) window.hit('json-web-key', match.index, start, end);
  }
  manifests(window);
  jsonManifests(window);
}

/** What goes on in the next lines is not decided while they are not there. */
function awaits(window: TextWindow, ...names: readonly string[]): void {
  const { text } = window;
  if (window.final) return;
  const from = Math.max(0, text.length - 400);
  for (const name of names) {
    const at = text.indexOf(name, from);
    window.work += 400;
    if (at >= 0) window.undecided(at);
  }
}

function words(window: TextWindow, rule: string, mark: RegExp, min: number, alphabet: RegExp, whole = false): void {
  for (const match of window.text.matchAll(mark)) {
    const start = match.index + match[0].length;
    const end = wordEnd(window, start, alphabet);
    if (end - start >= min) window.hit(rule, match.index, whole ? match.index : start, end);
  }
}

function wordEnd({ text }: TextWindow, from: number, alphabet: RegExp): number {
  let end = from;
  while (end < from + MAX_WORD && end < text.length && alphabet.test(text.charAt(end))) end += 1;
  return end;
}

/** The entries under `data:` that are base64 of a text: manifests of Kubernetes have secrets so, whatever they are called. */
function manifests(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(DATA)) {
    const from = match.index;
    const own = match[1]?.length ?? 0;
    const limit = window.limit(from);
    const mark = match[2] ?? '\n';
    let at = text.indexOf(mark, from + match[0].length) + mark.length;
    while (at > 0 && at < limit) {
      const feed = window.next(mark, at);
      const line = text.slice(at, Math.min(feed < 0 ? text.length : feed, limit)).replace(/\r$/, '');
      window.work += line.length;
      if (line.trim() !== '' && line.length - line.trimStart().length <= own) break;
      const value = ENTRY.exec(line)?.[1];
      if (value !== undefined && encodesText(value)) {
        const start = at + line.indexOf(value, line.indexOf(':'));
        window.hit('kubernetes-secret', from, start, start + value.length);
      }
      at = feed < 0 ? 0 : feed + mark.length;
    }
    if (at === 0 || at >= text.length) window.undecided(from);
  }
}

function jsonManifests(window: TextWindow): void {
  const { text } = window;
  for (const match of text.matchAll(JSON_DATA)) {
    const from = match.index;
    const limit = window.limit(from);
    let at = from + match[0].length;
    for (;;) {
      JSON_ENTRY.lastIndex = at;
      const entry = at < limit ? JSON_ENTRY.exec(text) : null;
      if (entry === null) break;
      at = JSON_ENTRY.lastIndex;
      window.work += entry[0].length;
      const value = entry[1];
      if (value !== undefined && encodesText(value)) {
        const start = entry.index + entry[0].lastIndexOf(value);
        window.hit('kubernetes-secret', from, start, start + value.length);
      }
    }
    if (text.length - at < NEAR) window.undecided(from);
  }
}

/** Whether a word is base64 of something that can be read. What cannot be is an ordinary word of that length. */
export function encodesText(word: string): boolean {
  if (word.length % 4 !== 0) return false;
  try {
    const held = atob(word.slice(0, 256));
    return /^[\x09\x0a\x0d\x20-\x7e]{5,}$/.test(held) || (word.length >= 40 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word));
  } catch {
    return false;
  }
}
