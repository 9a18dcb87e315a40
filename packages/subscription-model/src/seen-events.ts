/** Which events were given out and which are processed: the newest so many (C4). */
export class SeenEvents {
  readonly #most: number;
  readonly #states = new Map<string, 'given' | 'done'>();
  #pending = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Events that are given out and not yet processed. */
  get pending(): number {
    return this.#pending;
  }

  get(id: string): 'given' | 'done' | undefined {
    return this.#states.get(id);
  }

  set(id: string, state: 'given' | 'done'): void {
    this.forget(id);
    this.#states.set(id, state);
    if (state === 'given') this.#pending += 1;
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= this.#most) return;
      this.forget(oldest);
    }
  }

  /** The event may come again. */
  forget(id: string): void {
    if (this.#states.get(id) === 'given') this.#pending -= 1;
    this.#states.delete(id);
  }
}
