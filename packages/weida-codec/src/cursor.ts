import { type CursorRecord } from './cursor-record.js';
import { plainUint, type Uint } from './uint.js';

/**
 * How far one payload has come, as its receiver reports (weida §6.7): the largest offset of each level that was ordered. A
 * repeated or a smaller offset changes nothing, another level is ignored, a level that never comes is no fault.
 */
export class Cursor {
  readonly #offsets = new Map<Uint, Uint | undefined>();

  /** @param ordered the `report` of the DATA header. */
  constructor(ordered: readonly Uint[]) {
    for (const level of ordered) this.#offsets.set(plainUint(level), undefined);
  }

  /** Takes a record; true where it moved its level forward. */
  record(record: CursorRecord): boolean {
    const level = plainUint(record.level);
    if (!this.#offsets.has(level)) return false;
    const offset = this.#offsets.get(level);
    if (offset !== undefined && record.offset <= offset) return false;
    this.#offsets.set(level, plainUint(record.offset));
    return true;
  }

  /** Octets that have reached a level; `undefined` where nothing was said about it. */
  at(level: Uint): Uint | undefined {
    return this.#offsets.get(plainUint(level));
  }
}
