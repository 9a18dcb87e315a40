import { comparePlaces, type Placed } from './place.js';
import type { Cursor, SortedList } from './sorted-list.js';

/** One ordered list on its way through a replay, with others to be merged. */
export class Lane<T extends Placed> {
  readonly #list: SortedList<T>;
  readonly #isWanted: (item: T) => boolean;
  #cursor: Cursor<T>;
  #next: T | undefined;

  /** @param isBefore holds for those ahead of the start; `isWanted` for those to give out */
  constructor(list: SortedList<T>, isBefore: (item: T) => boolean, isWanted: (item: T) => boolean) {
    this.#list = list;
    this.#isWanted = isWanted;
    this.#cursor = list.seek(isBefore);
    this.#next = this.#skipUnwanted();
  }

  get next(): T | undefined {
    return this.#next;
  }

  advance(): void {
    this.#cursor.next();
    this.#next = this.#skipUnwanted();
  }

  /**
   * Finds the place again after others wrote. `false`: the next item is gone. It is enough to look at that one, since
   * eviction takes the lowest first, and what was admitted meanwhile is not wanted.
   */
  resume(): boolean {
    const next = this.#next;
    if (next === undefined) return true;
    if (!next.held) return false;
    this.#cursor = this.#list.seek((item) => comparePlaces(item, next) < 0);
    return true;
  }

  #skipUnwanted(): T | undefined {
    while (this.#cursor.item !== undefined && !this.#isWanted(this.#cursor.item)) this.#cursor.next();
    return this.#cursor.item;
  }
}
