/**
 * A bounded cache of two maps. What is used is in the young one or moves there; {@link TwoGenerations.age} drops what was
 * not used since the time before, once the young one is heavy. So nothing leaves at any other moment.
 */
export class TwoGenerations<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #weight = 0;

  /** @param limit weight at which the young map has aged */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get heavy(): boolean {
    return this.#weight >= this.#limit;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#young.set(key, old);
    return old;
  }

  set(key: K, value: V, weight: number): void {
    this.#young.set(key, value);
    this.grow(weight);
  }

  /** A value that is held has become heavier. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  age(): void {
    if (!this.heavy) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#weight = 0;
  }
}
