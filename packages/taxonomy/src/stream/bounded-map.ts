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
  const entries = new Map<string, Value>();
  /** Of the entries that do not weigh 1. */
  const weights = new Map<string, number>();
  let total = 0;
  let forgotten = 0;
  const remove = (key: string): void => {
    total -= weights.get(key) ?? 1;
    weights.delete(key);
    entries.delete(key);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      // The order of a Map is that of insertion: what is used goes to the end.
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value, weight = 1) {
      if (entries.has(key)) remove(key);
      entries.set(key, value);
      if (weight !== 1) weights.set(key, weight);
      total += weight;
      if (total <= limit) return;
      for (const [oldest, old] of entries) {
        if (total <= limit || oldest === key) break;
        remove(oldest);
        forgotten += 1;
        onForget?.(old);
      }
    },
    values: () => entries.values(),
    get forgotten() {
      return forgotten;
    },
  };
}
