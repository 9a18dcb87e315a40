import { createHash } from 'node:crypto';

import type { JsonlFile } from './file-system.js';
import type { FollowItem, JsonlPosition } from './follow-item.js';
import type { FollowSettings } from './follow-options.js';
import { JsonlReader } from './jsonl-reader.js';
import { lastLineStart, readRange } from './torn-tail.js';

/** Bytes ahead of a place that tell whether it is still that place: several lines, with ids of Events in them. */
const WINDOW_BYTES = 4_096;

/** Where to begin in a file. */
export type TailStart = 'start' | 'end' | JsonlPosition;

/** What one read of a file gave. */
export type TailRead = { readonly type: 'items'; readonly items: FollowItem[] } | { readonly type: 'end' } | { readonly type: 'truncated' };

/** One open file that is read as it grows. While it is open, its inode is not used again. */
export class Tail {
  readonly id: string;
  readonly key: string;
  readonly path: string;
  readonly #file: JsonlFile;
  readonly #settings: FollowSettings;
  readonly #buffer: Buffer;
  #reader: JsonlReader;
  /** How far the file has been read. */
  #read: number;
  /** The last bytes ahead of `#read`, to compare with at the next read. */
  #window: Buffer;
  /** The last bytes ahead of the last complete line that the caller has. */
  #boundary: Buffer;
  /** Where the last bytes came from, while their items are handed out: the buffer still holds them, behind their window. */
  #chunk: { readonly base: number; readonly start: number } | undefined;
  #given: { readonly offset: number; readonly line: number };
  #position: JsonlPosition | undefined;

  private constructor(file: JsonlFile, names: { id: string; key: string; path: string }, settings: FollowSettings, start: { offset: number; line: number; window: Uint8Array }) {
    this.#file = file;
    this.id = names.id;
    this.key = names.key;
    this.path = names.path;
    this.#settings = settings;
    this.#buffer = Buffer.alloc(WINDOW_BYTES + settings.chunkBytes);
    const { offset, line } = start;
    this.#reader = new JsonlReader({ ...settings.reader, offset, line });
    this.#window = Buffer.from(start.window);
    this.#boundary = this.#window;
    this.#read = offset;
    this.#given = { offset, line };
  }

  /** Opens a file. Gives `undefined` where it is not the one that a position speaks of. Throws what the file system throws. */
  static async open(path: string, start: TailStart, settings: FollowSettings): Promise<Tail | undefined> {
    const file = await settings.fileSystem.openRead(path);
    try {
      const { id, key, size } = await file.facts();
      const offset = start === 'start' ? 0 : start === 'end' ? await lastLineStart(file, size) : start.offset;
      const window = offset > size ? undefined : await readRange(file, Math.max(0, offset - WINDOW_BYTES), offset);
      const expected = typeof start === 'object' ? start.check : undefined;
      if (window !== undefined && (expected === undefined || expected === checkOf(window))) {
        return new Tail(file, { id, key, path }, settings, { offset, line: typeof start === 'object' ? start.line : 1, window });
      }
      await file.close();
      return undefined;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** How far the file has been read. */
  get offset(): number {
    return this.#read;
  }

  /**
   * Reads on. Every read begins with bytes that are known: a file that was truncated and has grown beyond the old end
   * differs there, whatever its size.
   */
  async read(): Promise<TailRead> {
    const known = this.#window.length;
    const length = await this.#file.read(this.#buffer.subarray(0, known + this.#settings.chunkBytes), this.#read - known);
    if (length < known || !this.#window.equals(this.#buffer.subarray(0, known))) return { type: 'truncated' };
    if (length === known) return { type: 'end' };
    this.#chunk = { base: this.#read - known, start: this.#read };
    const items = this.#reader.push(this.#buffer.subarray(known, length));
    this.#read += length - known;
    this.#window = Buffer.from(this.#buffer.subarray(Math.max(0, length - WINDOW_BYTES), length));
    return { type: 'items', items: items.map((item) => ({ ...item, file: this.id })) };
  }

  /** An item was handed to the caller. */
  gave(item: FollowItem): void {
    if ('end' in item && item.type !== 'note' && item.type !== 'tail') this.#given = { offset: item.end, line: item.line + 1 };
  }

  /** All items of the last read were handed to the caller. */
  gaveAll(): void {
    const { offset, line } = this.#reader;
    this.#given = { offset, line };
    this.#boundary = this.#ahead();
    this.#chunk = undefined;
  }

  /** Where to go on behind what the caller has. */
  position(): JsonlPosition {
    if (this.#position?.offset !== this.#given.offset) {
      this.#position = { file: this.id, ...this.#given, check: checkOf(this.#ahead()) };
    }
    return this.#position;
  }

  /** The unfinished line at the end, for a file that will not be looked at any more. */
  rest(): FollowItem[] {
    const tail = this.#reader.tail();
    return tail === undefined ? [] : [{ ...tail, file: this.id }];
  }

  /** Begins again at the start, after a truncation. */
  restart(): void {
    this.#reader = new JsonlReader(this.#settings.reader);
    this.#read = 0;
    this.#chunk = undefined;
    this.#window = Buffer.alloc(0);
    this.#boundary = this.#window;
    this.#given = { offset: 0, line: 1 };
    this.#position = undefined;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** The last bytes ahead of what the caller has. */
  #ahead(): Buffer {
    const { offset } = this.#given;
    if (this.#chunk === undefined || offset <= this.#chunk.start) return this.#boundary;
    const end = offset - this.#chunk.base;
    return Buffer.from(this.#buffer.subarray(Math.max(0, end - WINDOW_BYTES), end));
  }
}

/** Half of a SHA-256, in hex. */
function checkOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
