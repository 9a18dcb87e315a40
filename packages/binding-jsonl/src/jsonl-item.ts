import type { EnvelopeErrorCode, WireEvent } from '@aepkit/envelope';

/**
 * Why a complete line is no Event: a code of the envelope, or `line-too-long` for a line above `maxLineBytes`.
 */
export type JsonlBadCode = EnvelopeErrorCode | 'line-too-long';

/** Where in a file something stands. */
export interface JsonlPlace {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly start: number;
  /** Byte offset behind it, its line feed included: reading may be resumed here (AEP-0003 §7). */
  readonly end: number;
}

/** A line that is an Event. */
export interface JsonlEvent extends JsonlPlace {
  readonly type: 'event';
  readonly event: WireEvent;
}

/** A complete line that is no Event. It is skipped, and reading goes on behind it. */
export interface JsonlBad extends JsonlPlace {
  readonly type: 'bad';
  readonly code: JsonlBadCode;
  /** Where in the JSON text: `$` for the whole, `$.data.a[0]`. */
  readonly path: string;
  /** A sentence for people. Holds names of members, never values. */
  readonly message: string;
}

/** The first line of a version that is not read here. Later lines of that version are skipped and counted. */
export interface JsonlSkippedVersion extends JsonlPlace {
  readonly type: 'skipped-version';
  /** What `aep` says, cut after 64 characters: untrusted. */
  readonly version: string;
}

/** A line of white space only. */
export interface JsonlBlank extends JsonlPlace {
  readonly type: 'blank';
}

/** Something tolerated that is not how JSONL is written: given once per file. The place is that of the line it was first met on. */
export interface JsonlNote extends JsonlPlace {
  readonly type: 'note';
  /** `byte-order-mark`: one at the start of the file. `crlf`: lines end in CR LF. */
  readonly code: 'byte-order-mark' | 'crlf';
}

/** Bytes behind the last line feed: a line that is not written yet, or one that was torn. */
export interface JsonlTail extends JsonlPlace {
  readonly type: 'tail';
}

/** What a reader makes of a line. */
export type JsonlItem = JsonlEvent | JsonlBad | JsonlSkippedVersion | JsonlBlank | JsonlNote | JsonlTail;

/** What a reader has counted. */
export interface JsonlStats {
  /** Complete lines: the sum of the four that follow. */
  readonly lines: number;
  readonly events: number;
  readonly bad: number;
  readonly blank: number;
  /** Lines of versions that are not read here, reported or not. */
  readonly skipped: number;
}
