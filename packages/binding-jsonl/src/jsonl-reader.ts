import { decodeUtf8, EnvelopeError, type ParseOptions } from '@aepkit/envelope';

import type { JsonlItem, JsonlNote, JsonlStats, JsonlTail } from './jsonl-item.js';
import { LineBuffer } from './line-buffer.js';
import { lineParseOptions, readLine } from './read-line.js';
import { resolveReaderOptions, type JsonlReaderOptions, type ReaderSettings } from './reader-options.js';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;
const BLANK = /^[ \t\r]*$/;

/**
 * Bytes that are decoded at once. The texts of Events are cut out of what is decoded, so this also bounds how much memory an
 * Event that is kept holds on to besides its own.
 */
const BLOCK_BYTES = 8_192;

/**
 * Reads JSONL (AEP-0003 §3.1) from bytes in pieces of any size, and gives one item for every complete line.
 *
 * A line ends at LF alone: U+2028, U+2029, U+0085 and a bare CR are content. CR LF, blank lines and a byte-order mark at the
 * start are tolerated and reported. A line that is no Event is reported and skipped; a line of a version that is not read
 * here is skipped, and its version reported once. What stands behind the last line feed is not written yet: see
 * {@link JsonlReader.tail}. Never more than `maxLineBytes` of an unfinished line are held; a longer line is reported once, at
 * its end.
 *
 * Items come in the order of the file and, notes and suppressed versions aside, meet end to start.
 *
 * @example
 * ```ts
 * const reader = new JsonlReader();
 * for (const item of reader.push(bytes)) if (item.type === 'event') show(item.event.json);
 * ```
 */
export class JsonlReader {
  readonly #settings: ReaderSettings;
  readonly #parse: ParseOptions;
  readonly #pending: LineBuffer;
  readonly #versions = new Set<string>();
  #offset: number;
  #line: number;
  #crlf = false;
  #counts = { events: 0, bad: 0, blank: 0, skipped: 0 };

  /** Throws RangeError for options that cannot be used. */
  constructor(options: JsonlReaderOptions = {}) {
    this.#settings = resolveReaderOptions(options);
    this.#parse = lineParseOptions(this.#settings.maxLineBytes, this.#settings.maxDepth);
    this.#pending = new LineBuffer(this.#settings.maxLineBytes);
    this.#offset = this.#settings.offset;
    this.#line = this.#settings.line;
  }

  /** Byte offset behind the last complete line: where to resume (AEP-0003 §7). */
  get offset(): number {
    return this.#offset;
  }

  /** Number of the line that starts there. */
  get line(): number {
    return this.#line;
  }

  /** Takes the next bytes and gives an item for every line they complete. Nothing of `chunk` is kept. */
  push(chunk: Uint8Array): JsonlItem[] {
    // A string has lost the bytes that offsets count, and perhaps its bad ones.
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a chunk is a Uint8Array');
    const items: JsonlItem[] = [];
    let at = 0;
    if (this.#pending.length > 0) {
      const end = nextLineFeed(chunk, 0);
      this.#pending.append(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return items;
      this.#finishPending(items);
      at = end + 1;
    }
    while (at < chunk.length) {
      let end = lastLineFeed(chunk, at, Math.min(chunk.length, at + BLOCK_BYTES));
      if (end < 0) end = nextLineFeed(chunk, at + BLOCK_BYTES);
      if (end < 0) break;
      // A line above the limit is not even decoded.
      if (end - at > BLOCK_BYTES && end - at > this.#settings.maxLineBytes) this.#tooLong(end - at, items);
      else this.#readBlock(chunk.subarray(at, end + 1), items);
      at = end + 1;
    }
    if (at < chunk.length) this.#pending.append(chunk.subarray(at));
    return items;
  }

  /** What stands behind the last line feed, if anything. It changes nothing: more bytes may complete the line. */
  tail(): JsonlTail | undefined {
    if (this.#pending.length === 0) return undefined;
    return { type: 'tail', line: this.#line, start: this.#offset, end: this.#offset + this.#pending.length };
  }

  /** Lines seen so far. */
  stats(): JsonlStats {
    const { events, bad, blank, skipped } = this.#counts;
    return { lines: events + bad + blank + skipped, events, bad, blank, skipped };
  }

  #finishPending(items: JsonlItem[]): void {
    const length = this.#pending.length;
    if (this.#pending.isTooLong) this.#tooLong(length, items);
    else this.#readBytes(this.#pending.bytes(), items);
    this.#pending.clear();
  }

  /** Reads complete lines, each with its line feed. A line feed in the text is one in the bytes and the other way round. */
  #readBlock(block: Uint8Array, items: JsonlItem[]): void {
    let text: string;
    try {
      text = decodeUtf8(block);
    } catch {
      this.#readEach(block, items);
      return;
    }
    const isAscii = text.length === block.length;
    let from = 0;
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      const size = isAscii ? end - at : nextLineFeed(block, from) - from;
      this.#readText(text.slice(at, end), size, items);
      at = end + 1;
      from += size + 1;
    }
  }

  /** Reads lines one by one, because one among them is not UTF-8. */
  #readEach(block: Uint8Array, items: JsonlItem[]): void {
    for (let at = 0; at < block.length; ) {
      const end = nextLineFeed(block, at);
      this.#readBytes(block.subarray(at, end), items);
      at = end + 1;
    }
  }

  #readBytes(bytes: Uint8Array, items: JsonlItem[]): void {
    let text: string;
    try {
      text = decodeUtf8(bytes);
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error;
      if (bytes.length > this.#settings.maxLineBytes) {
        this.#tooLong(bytes.length, items);
        return;
      }
      if (bytes.at(-1) === CR) this.#noteCrlf(bytes.length, items);
      this.#bad(error, bytes.length, items);
      return;
    }
    this.#readText(text, bytes.length, items);
  }

  /** Reads one line; `size` is its bytes without the line feed. */
  #readText(line: string, size: number, items: JsonlItem[]): void {
    if (size > this.#settings.maxLineBytes) {
      this.#tooLong(size, items);
      return;
    }
    let text = line;
    if (this.#offset === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK) {
      text = text.slice(1);
      items.push(this.#note('byte-order-mark', size));
    }
    if (text.charCodeAt(text.length - 1) === CR) {
      text = text.slice(0, -1);
      this.#noteCrlf(size, items);
    }
    if (text.length === 0 || BLANK.test(text)) {
      const start = this.#offset;
      items.push({ type: 'blank', line: this.#line, start, end: this.#advance(size) });
      this.#counts.blank += 1;
      return;
    }
    const verdict = readLine(text, this.#parse);
    if (verdict.type === 'event') {
      const start = this.#offset;
      items.push({ type: 'event', event: verdict.event, line: this.#line, start, end: this.#advance(size) });
      this.#counts.events += 1;
    } else if (verdict.type === 'bad') {
      this.#bad(verdict, size, items);
    } else {
      this.#skip(verdict.version, size, items);
    }
  }

  /** A line of an unsupported version is skipped, and the version mentioned once (AEP-0003 §3.1). */
  #skip(version: string, size: number, items: JsonlItem[]): void {
    const { maxVersions } = this.#settings;
    const line = this.#line;
    const start = this.#offset;
    const end = this.#advance(size);
    this.#counts.skipped += 1;
    if (this.#versions.has(version) || this.#versions.size >= maxVersions) return;
    this.#versions.add(version);
    items.push({ type: 'skipped-version', version, line, start, end });
  }

  #bad({ code, path, message }: Pick<EnvelopeError, 'code' | 'path' | 'message'>, size: number, items: JsonlItem[]): void {
    const start = this.#offset;
    items.push({ type: 'bad', code, path, message, line: this.#line, start, end: this.#advance(size) });
    this.#counts.bad += 1;
  }

  #tooLong(size: number, items: JsonlItem[]): void {
    const start = this.#offset;
    const message = `$: more than ${String(this.#settings.maxLineBytes)} bytes in one line`;
    items.push({ type: 'bad', code: 'line-too-long', path: '$', message, line: this.#line, start, end: this.#advance(size) });
    this.#counts.bad += 1;
  }

  #noteCrlf(size: number, items: JsonlItem[]): void {
    if (this.#crlf) return;
    this.#crlf = true;
    items.push(this.#note('crlf', size));
  }

  #note(code: JsonlNote['code'], size: number): JsonlNote {
    return { type: 'note', code, line: this.#line, start: this.#offset, end: this.#offset + size + 1 };
  }

  #advance(size: number): number {
    this.#line += 1;
    this.#offset += size + 1;
    return this.#offset;
  }
}

function nextLineFeed(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === LF) return at;
  return -1;
}

/** The last line feed in `[from, to)`. */
function lastLineFeed(bytes: Uint8Array, from: number, to: number): number {
  for (let at = to - 1; at >= from; at -= 1) if (bytes[at] === LF) return at;
  return -1;
}
