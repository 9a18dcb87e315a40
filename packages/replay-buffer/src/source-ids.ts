import { SortedList } from './sorted-list.js';

/**
 * The ids of one source that are held. Emitters number theirs in rising order more often than not (ULID, UUIDv7, counters), and
 * Events leave in the order they came: such ids are a list that grows at one end and is taken off at the other, which costs a
 * tenth of a hash set and a third of its memory. Whatever does not rise is in a set.
 */
export class SourceIds {
  readonly #rising = new SortedList<string>(compareIds);
  #others: Set<string> | undefined;

  get size(): number {
    return this.#rising.size + (this.#others?.size ?? 0);
  }

  has(id: string): boolean {
    const { last } = this.#rising;
    if (last !== undefined && id <= last && this.#rising.seek((other) => other < id).item === id) return true;
    return this.#others?.has(id) === true;
  }

  /** It has to be new. */
  add(id: string): void {
    const { last } = this.#rising;
    if (last === undefined || id > last) this.#rising.add(id);
    else (this.#others ??= new Set()).add(id);
  }

  /** It has to be there. */
  delete(id: string): void {
    if (this.#rising.first === id) this.#rising.shift();
    else if (this.#others?.delete(id) !== true) this.#rising.remove(id);
  }
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
