import { WeidaError, type WeidaErrorCode } from './errors.js';
import { readText } from './read-text.js';
import { joinUint, type Uint } from './uint.js';
import { invalidUtf8At } from './utf8.js';

/** Most containers that hold something, one in another, in a skipped value (weida §5 D3). */
const MAX_DEPTH = 8;
/** Most items of a list-valued field (weida §5 D10). */
const MAX_ITEMS = 64;
const NOTHING = new Uint8Array(0);
const NO_LIST: readonly Uint[] = Object.freeze([]);

/**
 * The strict CBOR of headers (weida §5), one item at a time. One instance serves the whole module: reading a header is
 * synchronous and calls nothing of the caller's.
 */
export class CborReader {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #end = 0;
  /** Octet of the stream that stands at index 0. */
  #base = 0;
  /** Items left of each open container while a value is skipped; nothing grows with the input. */
  readonly #left = new Float64Array(MAX_DEPTH);

  /** Starts on `bytes[start..end)`, whose first octet is octet `offset` of the stream. */
  open(bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#base = offset - start;
  }

  /** Lets go of the octets. */
  close(): void {
    this.#bytes = NOTHING;
  }

  /** Where the next item begins, for {@link failAt}. */
  get at(): number {
    return this.#at;
  }

  /** Refuses what stands at `at`. */
  failAt(at: number, code: WeidaErrorCode, clause: string, detail: string): never {
    throw new WeidaError(code, this.#base + at, clause, detail);
  }

  /** Number of entries of the map that begins here. */
  map(top: boolean): number {
    const at = this.#at;
    const byte = this.#bytes[at] ?? 0;
    if (at < this.#end && byte >= 0xa0 && byte <= 0xb7) {
      this.#at = at + 1;
      return byte - 0xa0;
    }
    if (at < this.#end && byte >= 0xb8 && byte <= 0xbb) return this.#count(at, byte & 0x1f, 2);
    if (at < this.#end && byte === 0xbf) this.failAt(at, 'indefinite-length', top ? 'W-149' : 'W-167', 'a map of indefinite length');
    if (!top) return this.#wrongType(at, 'a map');
    if (at >= this.#end) return this.#truncated(at);
    return this.failAt(at, 'not-a-map', 'W-121', 'the header is not a map');
  }

  /** The next key; `previous` is the one before it, or -1. */
  key(previous: Uint): Uint {
    const at = this.#at;
    let key: Uint = this.#bytes[at] ?? 0;
    if (at < this.#end && key < 24) this.#at = at + 1;
    else if (at < this.#end && key <= 0x1b) key = this.#argument(at, key);
    else if (at >= this.#end) return this.#truncated(at);
    else {
      this.#refuseForbidden(at);
      return this.failAt(at, 'key-type', 'W-124', 'a key that is no unsigned integer');
    }
    if (key > previous) return key;
    // Ascending order alone finds every repetition, in constant space (weida §5 D5).
    return key < previous
      ? this.failAt(at, 'key-order', 'W-161', `key ${key} after key ${previous}`)
      : this.failAt(at, 'duplicate-key', 'W-123', `key ${key} twice`);
  }

  uint(): Uint {
    const at = this.#at;
    const byte = this.#bytes[at] ?? 0;
    if (at < this.#end) {
      if (byte < 24) {
        this.#at = at + 1;
        return byte;
      }
      if (byte <= 0x1b) return this.#argument(at, byte);
    }
    return this.#wrongType(at, 'an unsigned integer');
  }

  text(cap: number): string {
    const at = this.#at;
    const byte = this.#bytes[at] ?? 0;
    if (at >= this.#end || byte < 0x60 || byte > 0x7b) return this.#wrongType(at, 'a text string');
    let length: Uint = byte - 0x60;
    if (length < 24) this.#at = at + 1;
    else length = this.#argument(at, length);
    if (length > cap) return this.failAt(at, 'too-long', 'W-126', `a text of ${length} octets where ${cap} are allowed`);
    const from = this.#at;
    const to = from + Number(length);
    if (to > this.#end) return this.#truncated(at);
    this.#at = to;
    return readText(this.#bytes, from, to) ?? this.#invalidUtf8(from, to);
  }

  /** A byte string of exactly `length` octets, copied. */
  bytes(length: number): Uint8Array {
    const at = this.#at;
    const byte = this.#bytes[at] ?? 0;
    if (at >= this.#end || byte < 0x40 || byte > 0x5b) return this.#wrongType(at, 'a byte string');
    const found = this.#argument(at, byte & 0x1f);
    if (found !== length) return this.failAt(at, 'producer-length', 'W-201', `${found} octets where ${length} are needed`);
    const from = this.#at;
    if (from + length > this.#end) return this.#truncated(at);
    this.#at = from + length;
    // Not `slice`: that of a Buffer, which is what sockets give, is a view.
    const copy = new Uint8Array(length);
    for (let i = 0; i < length; i++) copy[i] = this.#bytes[from + i] ?? 0;
    return copy;
  }

  /** A list of unsigned integers. */
  uints(max: number = MAX_ITEMS, clause = 'W-173'): readonly Uint[] {
    const at = this.#at;
    const byte = this.#bytes[at] ?? 0;
    if (at >= this.#end || byte < 0x80 || byte > 0x9b) return this.#wrongType(at, 'an array');
    const count = this.#argument(at, byte & 0x1f);
    // Before anything is reserved (weida §5 D10).
    if (count > max) return this.failAt(at, 'too-many-items', clause, `${count} items where ${max} are allowed`);
    if (count === 0) return NO_LIST;
    const list: Uint[] = [];
    for (let i = 0; i < count; i++) list.push(this.uint());
    return list;
  }

  /** Skips one item of any depth up to the limit, without recursion (weida §5 D3). */
  skip(): void {
    const left = this.#left;
    let depth = 0;
    for (;;) {
      const at = this.#at;
      const inside = this.#skipHead();
      if (inside > 0) {
        if (depth === MAX_DEPTH) this.failAt(at, 'too-deep', 'W-158', `more than ${MAX_DEPTH} containers one in another`);
        left[depth++] = inside;
        continue;
      }
      while (depth > 0) {
        const rest = (left[depth - 1] ?? 0) - 1;
        left[depth - 1] = rest;
        if (rest > 0) break;
        depth--;
      }
      if (depth === 0) return;
    }
  }

  /** After the map, nothing may follow. */
  finish(): void {
    if (this.#at < this.#end) this.failAt(this.#at, 'trailing-bytes', 'W-172', 'octets after the map');
  }

  /** Skips the head of an item, and what follows it unless it is a container; gives the number of items inside. */
  #skipHead(): number {
    const at = this.#at;
    if (at >= this.#end) return this.#truncated(at);
    this.#refuseForbidden(at);
    const byte = this.#bytes[at] ?? 0;
    const major = byte >> 5;
    if (major === 7) {
      const to = at + (byte === 0xfa ? 5 : byte === 0xfb ? 9 : 1);
      if (to > this.#end) return this.#truncated(at);
      this.#at = to;
      return 0;
    }
    if (major === 4) return this.#count(at, byte & 0x1f, 1);
    if (major === 5) return this.#count(at, byte & 0x1f, 2) * 2;
    const argument = this.#argument(at, byte & 0x1f);
    if (major < 2) return 0;
    const from = this.#at;
    if (argument > this.#end - from) return this.#truncated(at);
    this.#at = from + Number(argument);
    if (major === 3 && invalidUtf8At(this.#bytes, from, this.#at) >= 0) this.#invalidUtf8(from, this.#at);
    return 0;
  }

  /** Entries of a container, `size` items each: more than there are octets is a lie told at once. */
  #count(at: number, info: number, size: number): number {
    const count = this.#argument(at, info);
    return count > (this.#end - this.#at) / size ? this.#truncated(at) : Number(count);
  }

  /** The argument that the low five bits of the octet at `at` announce; the reader stands behind it after. */
  #argument(at: number, info: number): Uint {
    if (info < 24) {
      this.#at = at + 1;
      return info;
    }
    const bytes = this.#bytes;
    const size = 1 << (info - 24);
    if (at + 1 + size > this.#end) return this.#truncated(at);
    this.#at = at + 1 + size;
    const first = bytes[at + 1] ?? 0;
    if (size === 1) return first;
    const second = (first << 8) | (bytes[at + 2] ?? 0);
    if (size === 2) return second;
    const high = ((second << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)) >>> 0;
    if (size === 4) return high;
    const low = (((bytes[at + 5] ?? 0) << 24) | ((bytes[at + 6] ?? 0) << 16) | ((bytes[at + 7] ?? 0) << 8) | (bytes[at + 8] ?? 0)) >>> 0;
    return joinUint(high, low);
  }

  #wrongType(at: number, wanted: string): never {
    if (at >= this.#end) return this.#truncated(at);
    this.#refuseForbidden(at);
    return this.failAt(at, 'wrong-type', 'W-125', `not ${wanted}`);
  }

  /** Refuses what no header holds, whatever is expected (weida §5 D7, D8). */
  #refuseForbidden(at: number): void {
    const byte = this.#bytes[at] ?? 0;
    const major = byte >> 5;
    const info = byte & 0x1f;
    if (info === 31 && major >= 2 && major <= 5) {
      this.failAt(at, 'indefinite-length', `W-${162 + major}`, 'an item of indefinite length');
    }
    if (major === 6) this.failAt(at, 'tag', 'W-168', 'a tag');
    if (byte === 0xf9) this.failAt(at, 'half-float', 'W-169', 'a half-precision float');
    if (major === 7 ? info >= 28 : info >= 28) this.failAt(at, 'malformed', 'W-121', 'an octet that begins no item');
    if (major === 7 && (info < 20 || info === 24)) this.failAt(at, 'simple-value', 'W-170', 'a simple value without a meaning here');
  }

  #invalidUtf8(from: number, to: number): never {
    return this.failAt(Math.max(from, invalidUtf8At(this.#bytes, from, to)), 'invalid-utf8', 'OPEN-1', 'a text that is no UTF-8');
  }

  #truncated(at: number): never {
    return this.failAt(at, 'malformed', 'W-121', 'the header ends inside an item');
  }
}
