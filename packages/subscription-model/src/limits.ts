/** Most bytes of one filter, as JSON text, fields that are ignored included: 64 KiB. */
export const DEFAULT_MAX_FILTER_BYTES = 65_536;
/** Most values of one filter, over all its fields. */
export const DEFAULT_MAX_VALUES = 1_000;
/** Most segments of one type pattern. */
export const DEFAULT_MAX_SEGMENTS = 32;
/** Most bytes of one message: 1 MiB. */
export const DEFAULT_MAX_MESSAGE_BYTES = 1_048_576;
/** Most levels of arrays and objects in a filter or a message. */
export const DEFAULT_MAX_DEPTH = 64;

/** Bounds of one filter. Each takes a positive integer, or `Infinity` for none. */
export interface FilterLimits {
  /** Default {@link DEFAULT_MAX_FILTER_BYTES}. Beyond it: `too-large`. */
  readonly maxFilterBytes?: number;
  /** Default {@link DEFAULT_MAX_VALUES}. Beyond it: `too-many-values`. */
  readonly maxValues?: number;
  /** Default {@link DEFAULT_MAX_SEGMENTS}. Beyond it: `too-many-segments`. */
  readonly maxSegments?: number;
}

/** {@link FilterLimits} with every default filled in. */
export type FilterBounds = Required<FilterLimits>;

/** Fills in defaults. Throws RangeError. */
export function filterBounds(limits: FilterLimits): FilterBounds {
  return {
    maxFilterBytes: bound('maxFilterBytes', limits.maxFilterBytes ?? DEFAULT_MAX_FILTER_BYTES),
    maxValues: bound('maxValues', limits.maxValues ?? DEFAULT_MAX_VALUES),
    maxSegments: bound('maxSegments', limits.maxSegments ?? DEFAULT_MAX_SEGMENTS),
  };
}

/** Checks a limit that may be turned off. Throws RangeError. */
export function bound(name: string, value: number, least = 1): number {
  if (value === Infinity || (Number.isSafeInteger(value) && value >= least)) return value;
  throw new RangeError(`${name} is a whole number, ${String(least)} or more, or Infinity`);
}
