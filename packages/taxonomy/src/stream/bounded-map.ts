/**
 * A map that forgets what was used longest ago once the weights add up to more than its limit, and counts what it forgot.
 */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /** Sets and, where the limit is passed, forgets others. `weight` is 1 or more. */
  set(key: string, value: Value, weight?: number): void;
  values(): Iterable<Value>;
  readonly forgotten: number;
}

export function boundedMap<Value>(limit: number, onForget?: (value: Value) => void): BoundedMap<Value> {
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;
  let forgotten = 0;
  const remove = (key: string, weight: number): void => {
    entries.delete(key);
    total -= weight;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // The order of a Map is that of insertion: what is used goes to the end.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight = 1) {
      const old = entries.get(key);
      if (old !== undefined) remove(key, old.weight);
      entries.set(key, { value, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (total <= limit || oldest === key) break;
        remove(oldest, entry.weight);
        forgotten += 1;
        onForget?.(entry.value);
      }
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
    get forgotten() {
      return forgotten;
    },
  };
}
