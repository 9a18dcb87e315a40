import type { SessionBuffer } from './session-buffer.js';

/** Buffers by the time of their last write, oldest first. */
export class Recency {
  #oldest: SessionBuffer | undefined;
  #newest: SessionBuffer | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get oldest(): SessionBuffer | undefined {
    return this.#oldest;
  }

  add(buffer: SessionBuffer): void {
    this.#size += 1;
    buffer.older = this.#newest;
    buffer.newer = undefined;
    if (this.#newest === undefined) this.#oldest = buffer;
    else this.#newest.newer = buffer;
    this.#newest = buffer;
  }

  remove(buffer: SessionBuffer): void {
    this.#size -= 1;
    if (buffer.older === undefined) this.#oldest = buffer.newer;
    else buffer.older.newer = buffer.newer;
    if (buffer.newer === undefined) this.#newest = buffer.older;
    else buffer.newer.older = buffer.older;
    buffer.older = undefined;
    buffer.newer = undefined;
  }

  /** The buffer has just been written. */
  touch(buffer: SessionBuffer): void {
    if (buffer === this.#newest) return;
    this.remove(buffer);
    this.add(buffer);
  }

  *[Symbol.iterator](): Generator<SessionBuffer, void, void> {
    for (let buffer = this.#oldest; buffer !== undefined; buffer = buffer.newer) yield buffer;
  }
}
