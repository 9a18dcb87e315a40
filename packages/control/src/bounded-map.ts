/** Limits of a {@link BoundedMap}. */
export interface MapLimits {
  readonly maxEntries: number;
  /** Of keys and values together, in UTF-16 units. */
  readonly maxLength: number;
}

interface Entry<V> {
  value: V;
  length: number;
}

/**
 * A map by untrusted keys that stays within a number of entries and a total length. The oldest entries go first; `mayForget`
 * keeps those that must stay. An entry that is replaced keeps its age.
 */
export class BoundedMap<V> {
  readonly #limits: MapLimits;
  readonly #mayForget: (value: V) => boolean;
  readonly #forgotten: (key: string) => void;
  readonly #entries = new Map<string, Entry<V>>();
  #length = 0;

  constructor(limits: MapLimits, hooks: { readonly mayForget?: (value: V) => boolean; readonly forgotten?: (key: string) => void } = {}) {
    this.#limits = limits;
    this.#mayForget = hooks.mayForget ?? (() => true);
    this.#forgotten = hooks.forgotten ?? (() => undefined);
  }

  get size(): number {
    return this.#entries.size;
  }

  get length(): number {
    return this.#length;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** `false`: there is no room, since nothing older may be forgotten; nothing was changed then. `length`: of the value. */
  set(key: string, value: V, length = 0): boolean {
    const old = this.#entries.get(key);
    const size = key.length + length;
    if (old !== undefined) {
      this.#length += size - old.length;
      old.value = value;
      old.length = size;
      return true;
    }
    if (!this.#makeRoom(size)) return false;
    this.#entries.set(key, { value, length: size });
    this.#length += size;
    return true;
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#length -= entry.length;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  #makeRoom(size: number): boolean {
    const { maxEntries, maxLength } = this.#limits;
    if (size > maxLength) return false;
    for (const [key, { value }] of this.#entries) {
      if (this.#entries.size < maxEntries && this.#length + size <= maxLength) return true;
      if (!this.#mayForget(value)) return false;
      this.delete(key);
      this.#forgotten(key);
    }
    return true;
  }
}
