import { joinUint, type Uint } from './uint.js';

/** The largest value of a QUIC varint: 2^62−1. */
export const MAX_VARINT = 0x3fff_ffff_ffff_ffffn;

/** A QUIC varint (RFC 9000 §16), octet by octet; any of the four lengths is legal for any value (weida §3). */
export class VarintReader {
  #high = 0;
  #low = 0;
  #left = 0;

  /** Whether octets are missing of a value that has begun. */
  get partial(): boolean {
    return this.#left > 0;
  }

  /** Takes one octet; gives the value when it was the last one. */
  push(octet: number): Uint | undefined {
    if (this.#left === 0) {
      this.#left = (1 << (octet >> 6)) - 1;
      this.#high = 0;
      this.#low = octet & 0x3f;
    } else {
      this.#left--;
      this.#high = ((this.#high << 8) | (this.#low >>> 24)) >>> 0;
      this.#low = ((this.#low << 8) | octet) >>> 0;
    }
    return this.#left === 0 ? joinUint(this.#high, this.#low) : undefined;
  }
}

/** Writes a varint in its shortest form; gives the index behind it. The value is at most {@link MAX_VARINT}. */
export function writeVarint(value: Uint, bytes: Uint8Array, at: number): number {
  const size = value < 0x40 ? 1 : value < 0x4000 ? 2 : value < 0x4000_0000 ? 4 : 8;
  let rest = BigInt(value);
  for (let i = at + size - 1; i >= at; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  bytes[at] = (bytes[at] ?? 0) | ([0, 0, 0x40, 0, 0x80, 0, 0, 0, 0xc0][size] ?? 0);
  return at + size;
}
