/** Kept between lines; a longer line gives its memory back. */
const KEPT_BYTES = 65_536;
const LEAST_BYTES = 1_024;

/** The bytes of a line that has not ended yet. Beyond a limit it only counts them, so that it never holds more. */
export class LineBuffer {
  readonly #limit: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes given since the last `clear`. */
  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > this.#limit;
  }

  /** Copies: the owner of a chunk may use its memory again. */
  append(piece: Uint8Array): void {
    const before = this.#length;
    this.#length += piece.length;
    if (this.isTooLong) {
      this.#bytes = new Uint8Array(0);
      return;
    }
    if (this.#length > this.#bytes.length) this.#grow();
    this.#bytes.set(piece, before);
  }

  /** What was appended; only where it is not too long. Valid until the next call. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(0);
  }

  #grow(): void {
    const doubled = Math.max(LEAST_BYTES, this.#length, this.#bytes.length * 2);
    const grown = new Uint8Array(Math.max(this.#length, Math.min(doubled, this.#limit)));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
