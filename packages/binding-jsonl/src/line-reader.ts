import { decodeUtf8 } from '@aepkit/envelope';

import { bound, DEFAULT_MAX_LINE_BYTES } from './limits.js';
import { LineBuffer } from './line-buffer.js';

const LF = 0x0a;
const BYTE_ORDER_MARK = 0xfeff;
const BLANK = /^[ \t]*$/;

/** Options of a {@link LineReader}. */
export interface LineReaderOptions {
  /** Longest line, in bytes without its line feed. `Infinity`: off. Default {@link DEFAULT_MAX_LINE_BYTES}. */
  readonly maxLineBytes?: number;
}

/** One complete line: its text, or why it has none. */
export type LineItem =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'bad'; readonly code: 'line-too-long' | 'invalid-utf8' };

/**
 * Cuts bytes in pieces of any size into lines, for JSONL whose lines are something else than Events of AEP 0.1. The rules are those of
 * `JsonlReader`: a line ends at LF alone, CR LF and a byte-order mark at the start are tolerated, blank lines are left out, and no
 * more than `maxLineBytes` of an unfinished line are held. Nothing is parsed.
 *
 * @example
 * ```ts
 * const lines = new LineReader();
 * for (const item of lines.push(bytes)) if (item.type === 'line') show(item.text);
 * ```
 */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #pending: LineBuffer;
  #first = true;

  /** Throws RangeError for options that cannot be used. */
  constructor(options: LineReaderOptions = {}) {
    this.#maxLineBytes = bound('maxLineBytes', options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, 1);
    this.#pending = new LineBuffer(this.#maxLineBytes);
  }

  /** Takes the next bytes and gives an item for every line they complete. Nothing of `chunk` is kept. */
  push(chunk: Uint8Array): LineItem[] {
    const items: LineItem[] = [];
    let at = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
      const piece = chunk.subarray(at, end);
      if (this.#pending.length === 0) this.#read(piece, piece.length > this.#maxLineBytes, items);
      else {
        this.#pending.append(piece);
        this.#read(this.#pending.isTooLong ? piece : this.#pending.bytes(), this.#pending.isTooLong, items);
        this.#pending.clear();
      }
      at = end + 1;
    }
    if (at < chunk.length) this.#pending.append(chunk.subarray(at));
    return items;
  }

  #read(bytes: Uint8Array, tooLong: boolean, items: LineItem[]): void {
    const first = this.#first;
    this.#first = false;
    if (tooLong) {
      items.push({ type: 'bad', code: 'line-too-long' });
      return;
    }
    let text: string;
    try {
      text = decodeUtf8(bytes);
    } catch {
      items.push({ type: 'bad', code: 'invalid-utf8' });
      return;
    }
    if (first && text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    if (text.endsWith('\r')) text = text.slice(0, -1);
    if (!BLANK.test(text)) items.push({ type: 'line', text });
  }
}
