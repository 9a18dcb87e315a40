const CHUNK_ITEMS = 512;

/** A place in a {@link SortedList}; good until the next change of the list. */
export interface Cursor<T> {
  /** The item here, `undefined` beyond the end. */
  readonly item: T | undefined;
  next(): void;
}

/**
 * Items in ascending order, in chunks: adding behind the last and taking the first are O(1), everything else is a binary
 * search and a move within one chunk. No two items may compare as equal.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  #chunks: T[][] = [];
  #size = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0];
  }

  get last(): T | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  add(item: T): void {
    this.#size += 1;
    const tail = this.#chunks.at(-1);
    const last = tail?.at(-1);
    if (tail === undefined || last === undefined) this.#chunks.push([item]);
    else if (this.#compare(last, item) > 0) this.#insert(item);
    else if (tail.length < CHUNK_ITEMS) tail.push(item);
    else this.#chunks.push([item]);
  }

  /** Takes the first item out. */
  shift(): T | undefined {
    const head = this.#chunks[0];
    const item = head?.shift();
    if (head === undefined || item === undefined) return undefined;
    this.#size -= 1;
    if (head.length === 0) this.#chunks.shift();
    return item;
  }

  /** Takes this item out; it has to be in the list. */
  remove(item: T): void {
    if (this.first === item) {
      this.shift();
      return;
    }
    const before = (other: T): boolean => this.#compare(other, item) < 0;
    const number = this.#chunkOf(before);
    const chunk = this.#chunks[number];
    if (chunk === undefined) return;
    const index = lowerBound(chunk, before);
    if (chunk[index] !== item) return;
    this.#size -= 1;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(number, 1);
  }

  /** The first item that is not before the wanted place. `isBefore` must hold for a prefix of the list. */
  seek(isBefore: (item: T) => boolean): Cursor<T> {
    const chunks = this.#chunks;
    let number = this.#chunkOf(isBefore);
    let chunk = chunks[number];
    let index = chunk === undefined ? 0 : lowerBound(chunk, isBefore);
    return {
      get item(): T | undefined {
        return chunk?.[index];
      },
      next(): void {
        index += 1;
        if (chunk !== undefined && index >= chunk.length) {
          chunk = chunks[++number];
          index = 0;
        }
      },
    };
  }

  /** Every item in order; the list must not change meanwhile. */
  *[Symbol.iterator](): Generator<T, void, void> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /**
   * Number of the first chunk whose last item is not before. Most of what is looked for is near an end, and the items in between
   * are cold memory: the ends are asked first.
   */
  #chunkOf(isBefore: (item: T) => boolean): number {
    const chunks = this.#chunks;
    const head = chunks[0]?.at(-1);
    if (head === undefined || !isBefore(head)) return 0;
    const tail = chunks.at(-2)?.at(-1);
    let low = 1;
    let high = chunks.length;
    if (tail !== undefined && isBefore(tail)) low = high - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = chunks[middle]?.at(-1);
      if (last !== undefined && isBefore(last)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(item: T): void {
    const before = (other: T): boolean => this.#compare(other, item) < 0;
    const number = this.#chunkOf(before);
    const chunk = this.#chunks[number];
    if (chunk === undefined) return;
    chunk.splice(lowerBound(chunk, before), 0, item);
    if (chunk.length > CHUNK_ITEMS) this.#chunks.splice(number + 1, 0, chunk.splice(CHUNK_ITEMS >>> 1));
  }
}

function lowerBound<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
