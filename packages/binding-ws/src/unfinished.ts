/**
 * Counts the bytes of a message that is not complete: what came in since the last whole one, control frames taken off. Within
 * the chunk that ends a message the count is short by the start of the next one.
 */
export class Unfinished {
  readonly #now: () => number;
  readonly #total: (change: number) => void;
  #bytes = 0;
  #since = 0;
  #control = 0;
  #completed = false;
  #ended = false;

  /** `total` is told of every change, for a sum over all connections. */
  constructor(now: () => number, total: (change: number) => void) {
    this.#now = now;
    this.#total = total;
  }

  get state(): { readonly bytes: number; readonly since: number } | undefined {
    return this.#bytes === 0 ? undefined : { bytes: this.#bytes, since: this.#since };
  }

  /** A whole message was read. */
  complete(): void {
    this.#completed = true;
  }

  /** A whole control frame was read. */
  control(bytes: number): void {
    this.#control += bytes;
  }

  /** A chunk was read to its end. */
  received(bytes: number): void {
    if (this.#ended) return;
    this.#set(this.#completed ? 0 : Math.max(0, this.#bytes + bytes - this.#control));
    this.#completed = false;
    this.#control = 0;
  }

  /** The time counts from now: nothing was read for a while. */
  restart(): void {
    this.#since = this.#now();
  }

  end(): void {
    this.#ended = true;
    this.#set(0);
  }

  #set(bytes: number): void {
    if (this.#bytes === 0 && bytes > 0) this.#since = this.#now();
    const change = bytes - this.#bytes;
    this.#bytes = bytes;
    if (change !== 0) this.#total(change);
  }
}
