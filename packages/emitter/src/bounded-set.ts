/** A set that forgets what was added first. */
export class BoundedSet {
  readonly #values = new Set<string>();
  readonly #max: number;
  #complete = true;

  constructor(max: number) {
    this.#max = max;
  }

  add(value: string): void {
    this.#values.add(value);
    if (this.#values.size <= this.#max) return;
    this.#complete = false;
    for (const oldest of this.#values) return void this.#values.delete(oldest);
  }

  /** Whether nothing was forgotten. */
  get complete(): boolean {
    return this.#complete;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }
}

/** A map that forgets what was set first. */
export class BoundedMap<T> {
  readonly #values = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  set(key: string, value: T): void {
    this.#values.set(key, value);
    if (this.#values.size > this.#max) for (const oldest of this.#values.keys()) return void this.#values.delete(oldest);
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
