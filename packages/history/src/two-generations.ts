/**
 * A bounded cache of two maps. What is used is in the young one or moves there; {@link TwoGenerations.age} drops what was
 * not used since the time before, once the young one is large. So nothing leaves at any other moment.
 */
export class TwoGenerations<K, V> {
  readonly #size: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#young.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
  }

  age(): void {
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
