import { isAscii, isUtf8 } from 'node:buffer';

import { DEFAULT_MAX_BYTES, parseEvent, type ParseOptions, type WireEvent } from '@aepkit/envelope';

import type { BodyShape } from './content-type.js';
import { refusalOf } from './error-table.js';
import { joinChunks, lineSegments } from './line-segments.js';
import { refuse, type Refusal } from './refusal.js';

/** Bounds of the Events in one body. */
export interface EventBounds {
  readonly maxEventBytes: number;
  readonly maxLines: number;
  /** Lets the event loop turn once. */
  readonly yieldTurn: () => Promise<void>;
}

/** Bytes that are parsed in one turn of the event loop: a body of 16 MiB must not hold up the other clients. */
const TURN_BYTES = 524_288;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const UNBOUNDED: ParseOptions = { maxBytes: Infinity };

/**
 * Reads every Event of a body, given in the chunks it came in, or refuses it as a whole (AEP-0003 §3.2). Lines end at LF alone:
 * U+2028, U+2029 and U+0085 are content. UTF-8 is checked once for the whole; each line is then decoded by itself, so that no
 * Event that is kept holds the memory of its batch.
 */
export function readEvents(body: readonly Uint8Array[], shape: BodyShape, bounds: EventBounds): WireEvent[] | Refusal | Promise<WireEvent[] | Refusal> {
  if (shape === 'single') return readSingle(joinChunks(body), bounds);
  const segments = lineSegments(body);
  if (!segments.every(isUtf8)) return findProblem(joinChunks(body), bounds) ?? refuse(400, 'invalid-event', 'the body is not UTF-8', { code: 'invalid-utf8' });
  return readBatch({ body, segments, segment: 0, at: 0, events: [], line: 0, blanks: 0 }, bounds);
}

function readSingle(bytes: Buffer, bounds: EventBounds): WireEvent[] | Refusal {
  if (bytes.length > bounds.maxEventBytes) return oversize({ index: 0, line: 1 }, bounds);
  try {
    return [parseEvent(isAscii(bytes) ? bytes.toString('latin1') : bytes, parseOptions(bounds))];
  } catch (error) {
    return refusalOf(error, { index: 0, line: 1 });
  }
}

interface Cursor {
  readonly body: readonly Uint8Array[];
  readonly segments: readonly Buffer[];
  readonly events: WireEvent[];
  /** Number of the segment, and the place in it. */
  segment: number;
  at: number;
  line: number;
  blanks: number;
}

function readBatch(cursor: Cursor, bounds: EventBounds): WireEvent[] | Refusal | Promise<WireEvent[] | Refusal> {
  const refusal = readTurn(cursor, bounds);
  if (refusal !== undefined) return refusal;
  return cursor.segment < cursor.segments.length ? readOn(cursor, bounds) : finish(cursor);
}

async function readOn(cursor: Cursor, bounds: EventBounds): Promise<WireEvent[] | Refusal> {
  while (cursor.segment < cursor.segments.length) {
    await bounds.yieldTurn();
    const refusal = readTurn(cursor, bounds);
    if (refusal !== undefined) return refusal;
  }
  return finish(cursor);
}

function finish(cursor: Cursor): WireEvent[] | Refusal {
  return cursor.events.length > 0 ? cursor.events : refuse(400, 'invalid-event', 'the batch holds no Event', { code: 'empty-batch' });
}

/** Reads lines for one turn. */
function readTurn(cursor: Cursor, bounds: EventBounds): Refusal | undefined {
  let left = TURN_BYTES;
  while (left > 0) {
    const bytes = cursor.segments[cursor.segment];
    if (bytes === undefined) return undefined;
    const from = cursor.at;
    const refusal = readLines(cursor, bytes, Math.min(bytes.length, from + left), bounds);
    if (refusal !== undefined) return refusal;
    left -= cursor.at - from;
    if (cursor.at < bytes.length) return undefined;
    cursor.segment += 1;
    cursor.at = 0;
  }
  return undefined;
}

/** Reads the lines of one segment that start ahead of `limit`. */
function readLines(cursor: Cursor, bytes: Buffer, limit: number, bounds: EventBounds): Refusal | undefined {
  const { events } = cursor;
  const options = parseOptions(bounds);
  // Latin-1 where every byte is ASCII: one byte per character, whatever the engine.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  while (cursor.at < limit) {
    const start = cursor.at;
    const end = lineEnd(bytes, start);
    cursor.at = end + 1;
    cursor.line += 1;
    if (end - start > bounds.maxEventBytes) return oversize({ index: events.length, line: cursor.line }, bounds);
    if (isBlank(bytes, start, end)) {
      cursor.blanks += 1;
      if (cursor.blanks > bounds.maxLines) return tooMany(bounds);
      continue;
    }
    if (events.length >= bounds.maxLines) return tooMany(bounds);
    try {
      events.push(parseEvent(bytes.toString(encoding, start, end), options));
    } catch {
      return findProblem(joinChunks(cursor.body), bounds);
    }
  }
  return undefined;
}

/**
 * The refusal of a batch that does not pass, for one in which something is known to be wrong. Size is checked ahead of
 * content (O-10), so a long line at the end decides over a bad one at the start; otherwise the first bad line does.
 */
function findProblem(bytes: Buffer, bounds: EventBounds): Refusal | undefined {
  let index = 0;
  let line = 0;
  let blanks = 0;
  let first: Refusal | undefined;
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, start);
    const content = bytes.subarray(start, end);
    start = end + 1;
    line += 1;
    if (content.length > bounds.maxEventBytes) return oversize({ index, line }, bounds);
    if (isBlank(content, 0, content.length)) {
      blanks += 1;
      if (blanks > bounds.maxLines) return tooMany(bounds);
      continue;
    }
    if (index >= bounds.maxLines) return tooMany(bounds);
    if (first === undefined) {
      try {
        parseEvent(content, parseOptions(bounds));
      } catch (error) {
        first = refusalOf(error, { index, line });
      }
    }
    index += 1;
  }
  return first;
}

/** Line of an Event, counted from 1, for a refusal that knows its index alone. */
export function lineOf(body: readonly Uint8Array[], shape: BodyShape, index: number): number {
  if (shape === 'single') return 1;
  const bytes = joinChunks(body);
  let line = 0;
  let left = index;
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, start);
    line += 1;
    if (!isBlank(bytes, start, end)) {
      if (left === 0) return line;
      left -= 1;
    }
    start = end + 1;
  }
  return line;
}

/** A line is measured here, in bytes. The default of `parseEvent` is left alone where it cannot fire: that is its fast way. */
function parseOptions(bounds: EventBounds): ParseOptions | undefined {
  return bounds.maxEventBytes <= DEFAULT_MAX_BYTES ? undefined : UNBOUNDED;
}

function lineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(LF, start);
  return end < 0 ? bytes.length : end;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== CR && byte !== TAB) return false;
  }
  return true;
}

function tooMany(bounds: EventBounds): Refusal {
  return refuse(413, 'too-large', `the batch has more than ${String(bounds.maxLines)} lines`, { code: 'too-many-lines' });
}

function oversize(place: { readonly index: number; readonly line: number }, bounds: EventBounds): Refusal {
  return refuse(413, 'too-large', `the line is longer than ${String(bounds.maxEventBytes)} bytes`, { code: 'too-large', ...place });
}
