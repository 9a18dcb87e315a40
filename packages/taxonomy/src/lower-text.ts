import type { AepEvent, JsonValue } from '@aepkit/envelope';

import { GateError } from './errors.js';
import { nodeOf, type GateNode, type GateTree } from './gate-tree.js';
import { isList } from './holds-above.js';
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
  const cursor: Cursor = { text: json, at: skipBlanks(json, 0), out: '', copied: 0 };
  const { event, capture, rank, tree, degrade } = lowering;
  let data: string | undefined;
  let label = capture === undefined || capture === 'metadata' ? undefined : capture;
  expect(cursor, OPEN_BRACE);
  eachMember(cursor, (name, start, kept) => {
    if (name === 'capture') {
      label = undefined;
      const value = cursor.at;
      skipValue(cursor);
      if (capture !== undefined) replace(cursor, value, `"${capture}"`);
    } else if (name === 'data') {
      if (rank === 0 || tree === undefined) return cut(cursor, start, kept);
      flush(cursor, cursor.at);
      const from = cursor.out.length;
      walkObject({ cursor, rank, degrade, event }, tree, event.data);
      flush(cursor, cursor.at);
      data = cursor.out.slice(from);
    } else {
      skipValue(cursor);
    }
    return true;
  });
  // An absent `capture` says `metadata`: another level has to be written.
  if (label !== undefined) replace(cursor, cursor.at - 1, `,"capture":"${label}"}`);
  flush(cursor, json.length);
  return { json: cursor.out, data };
}

interface Cursor {
  readonly text: string;
  at: number;
  out: string;
  /** Up to here the text is in `out`, or left out of it. */
  copied: number;
}

interface Walk {
  readonly cursor: Cursor;
  readonly rank: number;
  readonly degrade: boolean;
  readonly event: AepEvent;
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Cursor at the opening brace of an object whose members may be gated; `value` is the same object, parsed. */
function walkObject(walk: Walk, tree: GateTree, value: JsonValue | undefined, index = 0): void {
  const { cursor } = walk;
  expect(cursor, OPEN_BRACE);
  eachMember(cursor, (name, start, kept) => {
    const node = nodeOf(tree, name);
    if (node !== undefined) return walkNode(walk, node, value, name, index, start, kept);
    skipValue(cursor);
    return true;
  });
}

/** Deals with one gated member; false where it is cut. */
function walkNode(walk: Walk, node: GateNode, owner: JsonValue | undefined, name: string, index: number, start: number, kept: boolean): boolean {
  const { cursor, rank, degrade, event } = walk;
  const first = cursor.text.charCodeAt(cursor.at);
  if (typeof node === 'number') {
    if (node > rank) return cut(cursor, start, kept);
    skipValue(cursor);
    return true;
  }
  if (typeof node === 'string') {
    if (!degrade) {
      skipValue(cursor);
      return true;
    }
    if (node === 'values') return walkValues(cursor, first, start, kept);
    const at = cursor.at;
    skipValue(cursor);
    replace(
      cursor,
      at,
      JSON.stringify(node === 'label' ? labelOf(owner, index) : promptOf({ agent: event.agent, subject: event.subject, kind: own(owner, 'kind') })),
    );
    return true;
  }
  if (isList(node)) {
    if (first !== OPEN_BRACKET) return walkMisfit(walk, first, start, kept);
    walkList(walk, node[0], own(owner, name));
  } else {
    if (first !== OPEN_BRACE) return walkMisfit(walk, first, start, kept);
    walkObject(walk, node, own(owner, name));
  }
  return true;
}

function walkList(walk: Walk, tree: GateTree, list: JsonValue | undefined): void {
  const { cursor } = walk;
  expect(cursor, OPEN_BRACKET);
  let index = 0;
  each(cursor, CLOSE_BRACKET, (start, kept) => {
    const element = Array.isArray(list) ? (list[index] as JsonValue | undefined) : undefined;
    const first = cursor.text.charCodeAt(cursor.at);
    index += 1;
    if (first !== OPEN_BRACE) return walkMisfit(walk, first, start, kept);
    walkObject(walk, tree, element, index - 1);
    return true;
  });
}

/** Of the answers to a form only numbers and booleans are structural to a hop, which does not know the form (AEP-0006). */
function walkValues(cursor: Cursor, first: number, start: number, kept: boolean): boolean {
  if (first !== OPEN_BRACE) {
    if (first === QUOTE || first === OPEN_BRACKET) return cut(cursor, start, kept);
    skipValue(cursor);
    return true;
  }
  expect(cursor, OPEN_BRACE);
  eachMember(cursor, (_name, from, keptBefore) => {
    const unit = cursor.text.charCodeAt(cursor.at);
    const structural = unit === MINUS || (unit >= 48 && unit <= 57) || unit === 116 || unit === 102;
    if (!structural) return cut(cursor, from, keptBefore);
    skipValue(cursor);
    return true;
  });
  return true;
}

/**
 * A value of another kind than the schema has where gated members are expected. Text or structure there cannot be
 * classified, so a hop that lowers takes it out; numbers, booleans and null stay.
 */
function walkMisfit({ cursor, degrade }: Walk, first: number, start: number, kept: boolean): boolean {
  if (degrade && (first === QUOTE || first === OPEN_BRACE || first === OPEN_BRACKET)) return cut(cursor, start, kept);
  skipValue(cursor);
  return true;
}

/**
 * Cursor behind an opening brace. Calls `member` with the cursor at each value, the place behind the delimiter in front of
 * the member, and whether an earlier one was kept; it moves the cursor behind the value and says whether the member stays.
 */
function eachMember(cursor: Cursor, member: (name: string, start: number, kept: boolean) => boolean): void {
  each(cursor, CLOSE_BRACE, (start, kept) => {
    const from = cursor.at;
    skipString(cursor);
    const raw = cursor.text.slice(from + 1, cursor.at - 1);
    cursor.at = skipBlanks(cursor.text, cursor.at);
    expect(cursor, COLON);
    cursor.at = skipBlanks(cursor.text, cursor.at);
    return member(raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw, start, kept);
  });
}

function each(cursor: Cursor, close: number, item: (start: number, kept: boolean) => boolean): void {
  const { text } = cursor;
  let start = cursor.at;
  let kept = false;
  cursor.at = skipBlanks(text, cursor.at);
  if (text.charCodeAt(cursor.at) === close) {
    cursor.at += 1;
    return;
  }
  for (;;) {
    const stays = item(start, kept);
    cursor.at = skipBlanks(text, cursor.at);
    const delimiter = text.charCodeAt(cursor.at);
    if (delimiter !== COMMA && delimiter !== close) throw mismatch();
    // What is cut goes with the comma in front of it; ahead of the first that stays, with the comma behind it.
    if (!stays) cursor.copied = !kept && delimiter === COMMA ? cursor.at + 1 : cursor.at;
    kept ||= stays;
    cursor.at += 1;
    if (delimiter === close) return;
    start = cursor.at;
    cursor.at = skipBlanks(text, cursor.at);
  }
}

/** Leaves out what begins at `start`, up to the delimiter that {@link each} finds behind it. */
function cut(cursor: Cursor, start: number, kept: boolean): false {
  flush(cursor, kept ? start - 1 : start);
  skipValue(cursor);
  return false;
}

function replace(cursor: Cursor, from: number, by: string): void {
  flush(cursor, from);
  cursor.out += by;
  cursor.copied = cursor.at;
}

function flush(cursor: Cursor, upTo: number): void {
  if (upTo <= cursor.copied) return;
  cursor.out += cursor.text.slice(cursor.copied, upTo);
  cursor.copied = upTo;
}

function expect(cursor: Cursor, unit: number): void {
  if (cursor.text.charCodeAt(cursor.at) !== unit) throw mismatch();
  cursor.at += 1;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 13) return at;
    at += 1;
  }
}

function skipString(cursor: Cursor): void {
  const { text } = cursor;
  expect(cursor, QUOTE);
  for (let from = cursor.at; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw mismatch();
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    from = quote + 1;
    if (slashes % 2 === 0) {
      cursor.at = from;
      return;
    }
  }
}

function skipValue(cursor: Cursor): void {
  const { text } = cursor;
  let depth = 0;
  do {
    switch (text.charCodeAt(cursor.at)) {
      case QUOTE:
        skipString(cursor);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        cursor.at += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        cursor.at += 1;
        break;
      default:
        if (depth === 0) skipScalar(cursor);
        else cursor.at += 1;
        if (cursor.at > text.length) throw mismatch();
    }
  } while (depth > 0);
}

function skipScalar(cursor: Cursor): void {
  const { text } = cursor;
  const from = cursor.at;
  for (;;) {
    const unit = text.charCodeAt(cursor.at);
    // Letters, digits, and the signs and the point of numbers.
    if (!((unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 122) || unit === 43 || unit === MINUS || unit === 46 || unit === 69)) break;
    cursor.at += 1;
  }
  if (cursor.at === from) throw mismatch();
}

function mismatch(): GateError {
  return new GateError('text-mismatch', 'json is not the text of one JSON object');
}
