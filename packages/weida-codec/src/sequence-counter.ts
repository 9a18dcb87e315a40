/** Numbers the messages of one scope, from 0 (OPEN-15): once for each message and ahead of its copies (weida §6.2). */
export class SequenceCounter {
  #next = 0;

  /** The number of the next message; every copy of it carries the same. */
  next(): number {
    return this.#next++;
  }
}
