import { type Uint } from './uint.js';
import { utf8Length, writeUtf8 } from './utf8.js';

/**
 * More than the longest header there is: every text and every list has a cap. Three lists of 64 integers and two
 * guarantee sets stay below 2 KiB, as do all the texts of DATA.
 */
const ROOM = 4096;
/** Kept free before the header for the preamble: magic, kind, and a length of up to two octets. */
const PREAMBLE = 4;

/** Writes headers into one piece of memory that serves the whole module; what is given out is a copy. */
export class CborWriter {
  readonly #bytes = new Uint8Array(ROOM);
  #at = PREAMBLE;
  #entries = 0;
  /** Entries of the map around the one that is being written. */
  #outer = 0;

  /** Starts a header. */
  open(): void {
    this.#at = PREAMBLE;
    this.#entries = 0;
  }

  /** Octets of the header so far. */
  get length(): number {
    return this.#at - PREAMBLE;
  }

  /** The header. */
  header(): Uint8Array {
    return this.#bytes.slice(PREAMBLE, this.#at);
  }

  /** The header behind its preamble (weida §3). */
  frame(kind: number): Uint8Array {
    const bytes = this.#bytes;
    const length = this.#at - PREAMBLE;
    let start = 0;
    if (length < 0x40) {
      start = 1;
      bytes[3] = length;
    } else {
      bytes[2] = 0x40 | (length >> 8);
      bytes[3] = length & 0xff;
    }
    bytes[start] = 0x57;
    bytes[start + 1] = kind;
    return bytes.slice(start, this.#at);
  }

  /** Begins a map of fewer than 24 entries; give the result to {@link endMap}. One map may stand in another. */
  map(): number {
    this.#outer = this.#entries;
    this.#entries = 0;
    return this.#at++;
  }

  /** Ends the map that begins at `start`. */
  endMap(start: number): void {
    this.#bytes[start] = 0xa0 | this.#entries;
    this.#entries = this.#outer;
  }

  /** A key below 24; keys come in ascending order. */
  key(key: number): void {
    this.#bytes[this.#at++] = key;
    this.#entries++;
  }

  /** An unsigned integer in its shortest form. */
  uint(value: Uint): void {
    this.#head(0, value);
  }

  /** The head of a list; its items follow. */
  list(length: number): void {
    this.#head(0x80, length);
  }

  /** A byte string. */
  bytes(value: Uint8Array): void {
    this.#head(0x40, value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** A text of at most `cap` octets. False, with nothing written, where it is longer; and where it is no Unicode. */
  text(text: string, cap: number): boolean {
    const length = text.length;
    if (length > cap) return false;
    const start = this.#at;
    this.#head(0x60, length);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) {
        this.#at = start;
        return this.#wideText(text, cap);
      }
      bytes[at++] = unit;
    }
    this.#at = at;
    return true;
  }

  #wideText(text: string, cap: number): boolean {
    const octets = utf8Length(text);
    if (octets < 0 || octets > cap) return false;
    this.#head(0x60, octets);
    this.#at = writeUtf8(text, this.#bytes, this.#at);
    return true;
  }

  #head(major: number, value: Uint): void {
    const bytes = this.#bytes;
    if (value < 24) {
      bytes[this.#at++] = major | Number(value);
    } else if (value < 0x100) {
      bytes[this.#at++] = major | 24;
      bytes[this.#at++] = Number(value);
    } else if (value < 0x1_0000) {
      const small = Number(value);
      bytes[this.#at++] = major | 25;
      bytes[this.#at++] = small >> 8;
      bytes[this.#at++] = small;
    } else if (value < 0x1_0000_0000) {
      bytes[this.#at++] = major | 26;
      this.#word(Number(value));
    } else {
      bytes[this.#at++] = major | 27;
      if (typeof value === 'number') {
        this.#word(Math.floor(value / 0x1_0000_0000));
        this.#word(value % 0x1_0000_0000);
      } else {
        this.#word(Number(value >> 32n));
        this.#word(Number(value & 0xffff_ffffn));
      }
    }
  }

  #word(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#at++] = value >>> 24;
    bytes[this.#at++] = value >>> 16;
    bytes[this.#at++] = value >>> 8;
    bytes[this.#at++] = value;
  }
}
