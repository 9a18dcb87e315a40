import { DEFAULT_MAX_BYTES, EnvelopeError, parseEvent, type WireEvent } from '@aepkit/envelope';

import { CliError, EXIT } from './exit-code.js';

/** One line of a file of Events. */
export type Line =
  | { readonly type: 'event'; readonly number: number; readonly event: WireEvent }
  | { readonly type: 'blank'; readonly number: number }
  /** A byte-order mark at the start of the file; the line follows without it. */
  | { readonly type: 'mark'; readonly number: number }
  | { readonly type: 'bad'; readonly number: number; readonly code: string; readonly path: string; readonly message: string };

/** Options of {@link readLines}. */
export interface ReadLinesOptions {
  /** Longest line in bytes; a longer one is `bad` and skipped to its end. Default 1 MiB. */
  readonly maxLineBytes?: number;
}

const NEWLINE = 0x0a;

/**
 * Reads Events, one a line. Only LF ends a line (AEP-0003 §3.1); a CR before it and a byte-order mark at the start are tolerated, the
 * mark being told. Anywhere else a mark makes a `bad` line: two files were put together, and its Event would be lost unnoticed.
 */
export async function* readLines(input: AsyncIterable<unknown>, name: string, options: ReadLinesOptions = {}): AsyncGenerator<Line> {
  const maxBytes = options.maxLineBytes ?? DEFAULT_MAX_BYTES;
  let number = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (piece: Uint8Array): void => {
    size += piece.length;
    // Of a line that is too long only the length is of interest.
    if (size <= maxBytes) parts.push(piece);
    else parts = [];
  };
  const finish = function* (): Generator<Line> {
    number += 1;
    const bytes = Buffer.concat(parts);
    const length = size;
    parts = [];
    size = 0;
    if (length > maxBytes) {
      yield { type: 'bad', number, code: 'too-large', path: '$', message: `the line has ${length} bytes, more than ${maxBytes}` };
      return;
    }
    const marked = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    if (marked) yield { type: 'mark', number };
    yield parseLine(marked ? bytes.subarray(3) : bytes, number, maxBytes);
  };
  try {
    for await (const chunk of input) {
      let rest = chunk as Uint8Array;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        take(rest.subarray(0, end));
        yield* finish();
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) take(rest);
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new CliError(`cannot read ${name}: ${error.message}`, EXIT.usage);
    throw error;
  }
  if (size > 0) yield* finish();
}

function parseLine(bytes: Uint8Array, number: number, maxBytes: number): Line {
  if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return { type: 'blank', number };
  try {
    return { type: 'event', number, event: parseEvent(bytes, { maxBytes }) };
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    return { type: 'bad', number, code: error.code, path: error.path, message: error.message };
  }
}
