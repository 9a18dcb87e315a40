import { ALNUM, isOf, runEnd } from './characters.js';
import { applyEdits, placesBefore, type Edit } from './edit.js';
import { findAssignments } from './find-assignments.js';
import { findBearer } from './find-bearer.js';
import { findCommands } from './find-commands.js';
import { findDocuments } from './find-documents.js';
import { findHomes, type Homes } from './find-homes.js';
import { findJwt } from './find-jwt.js';
import { findNames, type NameForm } from './find-names.js';
import { findPem, pemTail } from './find-pem.js';
import { findEmails, findPhones } from './find-pii.js';
import { findTokens, tokenAt, type TokenIndex } from './find-tokens.js';
import { findUrls } from './find-urls.js';
import { HOME, PII, SECRET } from './placeholder.js';
import { TextWindow, type Hit } from './text-window.js';

/** A configured pipeline. */
export interface Settings {
  readonly tokens: TokenIndex;
  readonly names: readonly NameForm[];
  readonly homes: Homes;
  readonly pii: boolean;
  readonly ahead: number;
}

/** What a stream knows of its text: what is given out already, and what of it was taken out. */
export interface Given {
  /** Everything in front is given out. */
  readonly end: number;
  /** Secrets that were taken out in front. */
  readonly edits: readonly Edit[];
  /** Secrets that were found in front and end behind `end`. */
  readonly pending: readonly Pending[];
}

/** A secret that reaches behind what is given out. */
export interface Pending extends Hit {
  /** A part of it was in front already. */
  readonly begun: boolean;
  /** It goes on up to white space. */
  readonly ink: boolean;
  /** It goes on as a PEM block does. */
  readonly block: boolean;
}

/** What is to be done to a text. */
export interface Found {
  /** All edits behind what is given, in order. */
  readonly edits: readonly Edit[];
  /** The hits behind the secrets among them. */
  readonly hits: readonly Hit[];
  readonly secrets: readonly Edit[];
  /** Nothing at or behind this place is decided yet. */
  readonly open: number;
  readonly work: number;
}

/** Rules that say little about what was found; another one names it better. */
const VAGUE: ReadonlySet<string> = new Set(['named-value', 'flag-value', 'told-secret', 'bearer-token', 'authorization-header']);

/**
 * The pipeline of AEP-0003 §9.4 in its order. Secrets and configured values are looked for in the text itself, so that one may be a
 * part of the other; home paths and personal data in what these leave, so that nothing is labelled twice.
 */
export function findEdits(text: string, settings: Settings, final: boolean, given?: Given): Found {
  const begin = given?.end ?? 0;
  const window = new TextWindow(text, final, settings.ahead);
  findPem(window);
  findTokens(window, settings.tokens);
  findJwt(window);
  findBearer(window);
  findAssignments(window);
  findUrls(window);
  findCommands(window);
  findDocuments(window);
  findNames(window, settings.names);
  const hits = window.hits.filter((hit) => hit.from >= begin);
  for (const pending of given?.pending ?? []) hits.push(grown(window, pending));
  const secrets = unite(window, hits, settings.tokens);
  const all = given === undefined ? secrets : [...given.edits, ...secrets];

  const withoutSecrets = all.length === 0 ? text : applyEdits(text, all);
  const place = placesBefore(all);
  const homeWindow = new TextWindow(withoutSecrets, final, settings.ahead);
  findHomes(homeWindow, settings.homes);
  const homes = separate(homeWindow.hits, HOME);

  let work = window.work + homeWindow.work;
  let edits: Edit[] = [...secrets, ...homes.map((edit) => moved(edit, place))];
  if (settings.pii) {
    const withoutHomes = homes.length === 0 ? withoutSecrets : applyEdits(withoutSecrets, homes);
    const homePlace = placesBefore(homes);
    const mailWindow = new TextWindow(withoutHomes, final, settings.ahead);
    findEmails(mailWindow);
    const mails = separate(mailWindow.hits, PII);
    const withoutMails = mails.length === 0 ? withoutHomes : applyEdits(withoutHomes, mails);
    const mailPlace = placesBefore(mails);
    const phoneWindow = new TextWindow(withoutMails, final, settings.ahead);
    findPhones(phoneWindow);
    const phones = separate(phoneWindow.hits, PII);
    work += mailWindow.work + phoneWindow.work;
    edits.push(...mails.map((edit) => moved(moved(edit, homePlace), place)), ...phones.map((edit) => moved(moved(moved(edit, mailPlace), homePlace), place)));
  }
  if (edits.length > secrets.length) edits = edits.filter((edit) => edit.start >= begin).sort((a, b) => a.start - b.start);
  return { edits, hits, secrets, open: window.open, work };
}

/** A pending hit with what came behind it. */
function grown(window: TextWindow, pending: Pending): Pending {
  let { end } = pending;
  if (pending.ink) end = window.ink(end);
  if (pending.block) end = Math.max(end, pemTail(window.text, pending.end));
  return { ...pending, end };
}

function moved(edit: Edit, place: (at: number) => number): Edit {
  const start = place(edit.start);
  // The end lies behind a character of the edit itself, so that nothing replaced behind it is drawn in.
  return { ...edit, from: start, start, end: place(edit.end - 1) + 1 };
}

/** Hits that overlap or touch become one edit, and a secret goes on to the end of its word. */
function unite(window: TextWindow, hits: Hit[], tokens: TokenIndex): Edit[] {
  const { text } = window;
  // What began in front comes first.
  hits.sort((a, b) => a.start - b.start || Number(isBegun(b)) - Number(isBegun(a)) || b.end - a.end);
  const edits: Edit[] = [];
  for (let next = 0; ; ) {
    const first = hits[next];
    if (first === undefined) return edits;
    let { from, end } = first;
    let { rule } = first;
    next += 1;
    for (;;) {
      const hit = hits[next];
      if (hit !== undefined && hit.start <= end) {
        from = Math.min(from, hit.from);
        end = Math.max(end, hit.end);
        if (VAGUE.has(rule) && !VAGUE.has(hit.rule)) rule = hit.rule;
        next += 1;
        continue;
      }
      const glued = isOf(text, end, ALNUM) ? gluedEnd(window, end, rule, tokens) : end;
      if (glued === end) break;
      if (rule === 'configured-name') hits.splice(next, 0, { rule, from: end, start: end, end: glued });
      end = glued;
    }
    edits.push({ rule, from, start: first.start, end, text: SECRET });
  }
}

function isBegun(hit: Hit | Pending): boolean {
  return 'begun' in hit && hit.begun;
}

/**
 * A placeholder ends words, so what stands directly behind a secret would be looked at afresh in a second run. The rest of the word
 * goes with a secret; behind a configured value only what is a token there.
 */
function gluedEnd(window: TextWindow, end: number, rule: string, tokens: TokenIndex): number {
  if (rule !== 'configured-name') return runEnd(window.text, end, ALNUM);
  return tokenAt(window, tokens, end, true)?.end ?? end;
}

/** Edits out of hits of one step; of two that overlap the first and longer one counts. */
function separate(hits: Hit[], text: string): Edit[] {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const edits: Edit[] = [];
  let last = -1;
  for (const hit of hits) {
    if (hit.start < last) continue;
    edits.push({ rule: hit.rule, from: hit.from, start: hit.start, end: hit.end, text });
    last = hit.end;
  }
  return edits;
}
