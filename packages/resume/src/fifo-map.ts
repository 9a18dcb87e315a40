interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
}

/**
 * A map that forgets what was put into it first. The order is kept beside it: to find its oldest entry, a `Map` walks past all that were
 * deleted before, which at a full bound costs the length of the map each time.
 */
export class FifoMap<Value> {
  readonly #max: number;
  readonly #forgotten: (value: Value) => void;
  readonly #entries = new Map<string, Entry<Value>>();
  /** Entries in the order of their arrival, and those that were replaced since. */
  #order: (Entry<Value> | undefined)[] = [];
  #head = 0;

  /** `forgotten` is told of what goes; not of what is replaced. */
  constructor(max: number, forgotten: (value: Value) => void) {
    this.#max = max;
    this.#forgotten = forgotten;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Puts an entry at the end, also one that is there. */
  set(key: string, value: Value): void {
    const entry = { key, value };
    this.#entries.set(key, entry);
    this.#order.push(entry);
    while (this.#entries.size > this.#max) this.#shift();
    if (this.#order.length > 2 * this.#entries.size + 1_024) {
      this.#order = this.#kept();
      this.#head = 0;
    }
  }

  /** Its values, the oldest first. */
  values(): Value[] {
    return this.#kept().map(({ value }) => value);
  }

  #kept(): Entry<Value>[] {
    return this.#order.slice(this.#head).filter((each) => each !== undefined && this.#entries.get(each.key) === each) as Entry<Value>[];
  }

  #shift(): void {
    const entry = this.#order[this.#head];
    this.#order[this.#head] = undefined;
    this.#head += 1;
    if (entry === undefined || this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    this.#forgotten(entry.value);
  }
}
