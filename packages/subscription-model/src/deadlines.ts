/** Something that falls due once. */
export interface Deadline {
  readonly at: number;
  readonly run: () => void;
  /** Its place in the heap; below 0 when it is not in there. */
  place: number;
}

/** Deadlines by time: adding, removing and taking the earliest cost the logarithm of how many there are, and removed ones leave nothing. */
export class Deadlines {
  readonly #heap: Deadline[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** When the earliest falls due. */
  get next(): number | undefined {
    return this.#heap[0]?.at;
  }

  add(at: number, run: () => void): Deadline {
    const deadline: Deadline = { at, run, place: this.#heap.length };
    this.#heap.push(deadline);
    this.#up(deadline);
    return deadline;
  }

  remove(deadline: Deadline | undefined): void {
    if (deadline === undefined || deadline.place < 0 || this.#heap[deadline.place] !== deadline) return;
    const place = deadline.place;
    const last = this.#heap.pop();
    deadline.place = -1;
    if (last === undefined || last === deadline) return;
    this.#put(last, place);
    this.#up(last);
    this.#down(last);
  }

  /** Removes and gives the earliest one that is due. */
  take(now: number): Deadline | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    this.remove(first);
    return first;
  }

  clear(): void {
    for (const deadline of this.#heap) deadline.place = -1;
    this.#heap.length = 0;
  }

  #put(deadline: Deadline, place: number): void {
    this.#heap[place] = deadline;
    deadline.place = place;
  }

  #up(deadline: Deadline): void {
    for (let place = deadline.place; place > 0; ) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || parent.at <= deadline.at) return;
      this.#put(parent, place);
      this.#put(deadline, above);
      place = above;
    }
  }

  #down(deadline: Deadline): void {
    for (;;) {
      const left = this.#heap[2 * deadline.place + 1];
      const right = this.#heap[2 * deadline.place + 2];
      const least = right !== undefined && left !== undefined && right.at < left.at ? right : left;
      if (least === undefined || least.at >= deadline.at) return;
      const place = least.place;
      this.#put(least, deadline.place);
      this.#put(deadline, place);
    }
  }
}
