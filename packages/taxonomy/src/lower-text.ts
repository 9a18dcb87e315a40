import type { AepEvent, JsonValue } from '@aepkit/envelope';

import { GateError } from './errors.js';
import type { GateEntry, GateTree } from './gate-tree.js';
import { labelOf, own, promptOf } from './synthesised.js';

/** What {@link lowerText} makes of an Event. */
export interface Lowering {
  readonly event: AepEvent;
  /** The new `capture`; `undefined` leaves the old one, also where there is none. */
  readonly capture: 'none' | 'metadata' | undefined;
  /** Members above this rank are cut; at 0, and where there is no tree, `data` goes as a whole. */
  readonly rank: number;
  readonly tree: GateTree | undefined;
  /** Whether `[metadata*]` members are degraded, and what cannot be classified goes. */
  readonly degrade: boolean;
}

/** The new text, and that of the new `data` where it has changed and is still there. */
export interface Lowered {
  readonly json: string;
  readonly data: string | undefined;
}

/**
 * Cuts members out of the text of an Event and replaces others, leaving every other character as it was received: digits
 * beyond 2^53, escapes, order, blanks. A member is the text between two delimiters, so that cutting two members at once
 * and one after the other give the same text.
 *
 * One pass, linear. Recursion follows the annotations of the schema, at most five levels; values nobody looks into are
 * skipped by counting brackets.
 */
export function lowerText(json: string, lowering: Lowering): Lowered {
  const { capture } = lowering;
  const work: Work = { ...lowering, text: json, escapes: json.includes('\\'), out: '', copied: 0, data: undefined, labelled: false };
  const from = skipBlanks(json, 0);
  if (json.charCodeAt(from) !== OPEN_BRACE) throw mismatch();
  const end = eachMember(work, from, attribute, ENVELOPE, undefined, 0);
  // An absent `capture` says `metadata`: another level has to be written.
  if (!work.labelled && capture !== undefined && capture !== 'metadata') replace(work, end - 1, end, `,"capture":"${capture}"}`);
  flush(work, json.length);
  return { json: work.out, data: work.data };
}

interface Work extends Lowering {
  readonly text: string;
  /** Whether there is a backslash anywhere. */
  readonly escapes: boolean;
  out: string;
  /** Up to here the text is in `out`, or left out of it. */
  copied: number;
  data: string | undefined;
  labelled: boolean;
}

/**
 * Deals with one value, which begins at `from`. `entry` is what is known of the member, `owner` the object or list around
 * it, parsed, `index` the place of the object, or of the element, in the list around it. Gives the end of the value, and the
 * complement of that where the value goes.
 */
type Step = (work: Work, from: number, entry: GateEntry | undefined, owner: JsonValue | undefined, index: number, tree: GateTree | undefined) => number;

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The members of the envelope that matter, in the form of a tree. */
const ENVELOPE: GateTree = [
  ['capture', 'label'],
  ['data', { members: [] }],
];

/** One member of the envelope. */
function attribute(work: Work, from: number, entry: GateEntry | undefined): number {
  if (entry === ENVELOPE[0]) {
    const end = skipValue(work, from);
    work.labelled = true;
    if (work.capture !== undefined) replace(work, from, end, `"${work.capture}"`);
    return end;
  }
  if (work.rank === 0 || work.tree === undefined) return ~skipValue(work, from);
  if (work.text.charCodeAt(from) !== OPEN_BRACE) throw mismatch();
  flush(work, from);
  const start = work.out.length;
  const end = eachMember(work, from, member, work.tree, work.event.data, 0);
  flush(work, end);
  work.data = work.out.slice(start);
  return end;
}

/** One gated member of an object. */
function member(work: Work, from: number, entry: GateEntry | undefined, owner: JsonValue | undefined, index: number): number {
  if (entry === undefined) return skipValue(work, from);
  const [name, node] = entry;
  if (typeof node === 'number') return node > work.rank ? ~skipValue(work, from) : skipValue(work, from);
  if (typeof node === 'string') return work.degrade ? degraded(work, from, node, owner, index) : skipValue(work, from);
  const first = work.text.charCodeAt(from);
  if ('members' in node) return first === OPEN_BRACE ? eachMember(work, from, member, node.members, own(owner, name), 0) : misfit(work, from, first);
  return first === OPEN_BRACKET ? each(work, from, CLOSE_BRACKET, element, node.elements, own(owner, name), 0) : misfit(work, from, first);
}

function element(work: Work, from: number, _entry: GateEntry | undefined, owner: JsonValue | undefined, index: number, tree: GateTree | undefined): number {
  const first = work.text.charCodeAt(from);
  if (first !== OPEN_BRACE) return misfit(work, from, first);
  return eachMember(work, from, member, tree, Array.isArray(owner) ? (owner[index] as JsonValue | undefined) : undefined, index);
}

/** Of the answers to a form only numbers and booleans are structural to a hop, which does not know the form (AEP-0006). */
function answer(work: Work, from: number): number {
  const first = work.text.charCodeAt(from);
  const structural = first === MINUS || (first >= 48 && first <= 57) || first === 116 || first === 102;
  return structural ? skipValue(work, from) : ~skipValue(work, from);
}

function degraded(work: Work, from: number, node: 'prompt' | 'label' | 'values', owner: JsonValue | undefined, index: number): number {
  if (node === 'values') {
    const first = work.text.charCodeAt(from);
    return first === OPEN_BRACE ? eachMember(work, from, answer, undefined, undefined, 0) : misfit(work, from, first);
  }
  const { agent, subject } = work.event;
  const end = skipValue(work, from);
  replace(work, from, end, JSON.stringify(node === 'label' ? labelOf(owner, index) : promptOf({ agent, subject, kind: own(owner, 'kind') })));
  return end;
}

/**
 * A value of another kind than the schema has where gated members are expected. Text or structure there cannot be
 * classified, so a hop that lowers takes it out; numbers, booleans and null stay.
 */
function misfit(work: Work, from: number, first: number): number {
  const end = skipValue(work, from);
  return work.degrade && (first === QUOTE || first === OPEN_BRACE || first === OPEN_BRACKET) ? ~end : end;
}

function eachMember(work: Work, from: number, step: Step, tree: GateTree | undefined, owner: JsonValue | undefined, index: number): number {
  return each(work, from, CLOSE_BRACE, step, tree, owner, index);
}

/**
 * Walks the members of an object or the elements of a list that opens at `from`, and gives the end of it. `index` is that of
 * the object in the list around it; elements are counted.
 */
function each(work: Work, from: number, close: number, step: Step, tree: GateTree | undefined, owner: JsonValue | undefined, index: number): number {
  const { text } = work;
  let start = from + 1;
  let at = skipBlanks(text, start);
  if (text.charCodeAt(at) === close) return at + 1;
  let kept = false;
  for (let count = 0; ; count++) {
    let entry: GateEntry | undefined;
    if (close === CLOSE_BRACE) {
      const quote = at;
      if (text.charCodeAt(quote) !== QUOTE) throw mismatch();
      at = skipString(work, quote);
      if (tree !== undefined) entry = entryAt(work, tree, quote + 1, at - 1);
      at = skipBlanks(text, at);
      if (text.charCodeAt(at) !== COLON) throw mismatch();
      at = skipBlanks(text, at + 1);
    }
    const known = entry !== undefined || tree === undefined || close === CLOSE_BRACKET;
    const end = known ? step(work, at, entry, owner, close === CLOSE_BRACE ? index : count, tree) : skipValue(work, at);
    at = skipBlanks(text, end < 0 ? ~end : end);
    const delimiter = text.charCodeAt(at);
    if (delimiter !== COMMA && delimiter !== close) throw mismatch();
    if (end < 0) {
      // What is cut goes with the comma in front of it; ahead of the first that stays, with the comma behind it.
      flush(work, kept ? start - 1 : start);
      work.copied = !kept && delimiter === COMMA ? at + 1 : at;
    } else {
      kept = true;
    }
    at += 1;
    if (delimiter === close) return at;
    start = at;
    at = skipBlanks(text, at);
  }
}

/** What is known of the member whose name stands between two quotes. A name spelled with escapes is the same name. */
function entryAt({ text, escapes }: Work, tree: GateTree, from: number, end: number): GateEntry | undefined {
  const length = end - from;
  if (escapes && text.slice(from, end).includes('\\')) {
    const name = JSON.parse(text.slice(from - 1, end + 1)) as string;
    return tree.find((entry) => entry[0] === name);
  }
  for (const entry of tree) if (entry[0].length === length && text.startsWith(entry[0], from)) return entry;
  return undefined;
}

function replace(work: Work, from: number, end: number, by: string): void {
  flush(work, from);
  work.out += by;
  work.copied = end;
}

function flush(work: Work, upTo: number): void {
  if (upTo <= work.copied) return;
  work.out += work.text.slice(work.copied, upTo);
  work.copied = upTo;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit > 32 || (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 13)) return at;
    at += 1;
  }
}

/** The end of the string whose quote is at `from`. */
function skipString({ text, escapes }: Work, from: number): number {
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw mismatch();
    at = quote + 1;
    if (!escapes) return at;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}

/** The end of the value at `from`, without recursion: the depth is the sender's. */
function skipValue(work: Work, from: number): number {
  const { text } = work;
  const first = text.charCodeAt(from);
  if (first === QUOTE) return skipString(work, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, from);
  let depth = 1;
  for (let at = from + 1; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = skipString(work, at);
      continue;
    }
    at += 1;
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
    else if ((unit === CLOSE_BRACE || unit === CLOSE_BRACKET) && --depth === 0) return at;
  }
  throw mismatch();
}

function skipScalar(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    // Letters, digits, and the signs and the point of numbers.
    if (!((unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 122) || unit === 43 || unit === MINUS || unit === 46 || unit === 69)) break;
    at += 1;
  }
  if (at === from) throw mismatch();
  return at;
}

function mismatch(): GateError {
  return new GateError('text-mismatch', 'json is not the text of one JSON object');
}
