/** Most bytes of a filter, in UTF-8: 64 KiB. */
export const DEFAULT_MAX_TEXT_BYTES = 65_536;
/** Most members of a filter. */
export const DEFAULT_MAX_KEYS = 64;
/** Most scalars and patterns of a filter, over all its members. */
export const DEFAULT_MAX_VALUES = 1000;

/** Bounds of one filter. Each takes a positive integer, or `Infinity` for none. */
export interface FilterLimits {
  /**
   * Most bytes of filter text, in UTF-8; where there is no text, of the keys and strings of the filter. Default
   * {@link DEFAULT_MAX_TEXT_BYTES}. Beyond it: `too-large`.
   */
  readonly maxTextBytes?: number;
  /** Most members. Default {@link DEFAULT_MAX_KEYS}. Beyond it: `too-many-keys`. */
  readonly maxKeys?: number;
  /** Most scalars and patterns, all members together. Default {@link DEFAULT_MAX_VALUES}. Beyond it: `too-many-values`. */
  readonly maxValues?: number;
}

/** Fills in the defaults; throws a `RangeError` for a limit that is neither a positive integer nor `Infinity`. */
export function resolveLimits(limits: FilterLimits = {}): Required<FilterLimits> {
  const resolved = {
    maxTextBytes: limits.maxTextBytes ?? DEFAULT_MAX_TEXT_BYTES,
    maxKeys: limits.maxKeys ?? DEFAULT_MAX_KEYS,
    maxValues: limits.maxValues ?? DEFAULT_MAX_VALUES,
  };
  for (const [name, value] of Object.entries(resolved)) {
    if (!(value === Infinity || (Number.isSafeInteger(value) && value > 0))) {
      throw new RangeError(`${name} must be a positive integer or Infinity`);
    }
  }
  return resolved;
}
