/** Largest text or byte sequence that is parsed, in bytes of UTF-8: 1 MiB. `Infinity` turns the limit off. */
export const DEFAULT_MAX_BYTES: number = 1024 * 1024;

/** Most levels of arrays and objects, the outermost one included. `Infinity` turns the limit off. */
export const DEFAULT_MAX_DEPTH = 64;

/** Limits of the JSON door. */
export interface ParseOptions {
  /** Most bytes of UTF-8; default {@link DEFAULT_MAX_BYTES}. Beyond: `too-large`. */
  readonly maxBytes?: number;
  /** Most levels; default {@link DEFAULT_MAX_DEPTH}. Beyond: `too-deep`. */
  readonly maxDepth?: number;
}

/** Limits with every default filled in. */
export interface Limits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

const DEFAULTS: Limits = { maxBytes: DEFAULT_MAX_BYTES, maxDepth: DEFAULT_MAX_DEPTH };

/** Fills in defaults. Throws RangeError for a limit that is no whole number above 0 and not `Infinity`. */
export function resolveLimits(options: ParseOptions | undefined): Limits {
  if (options === undefined) return DEFAULTS;
  const limits = { maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES, maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH };
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== Infinity && !(Number.isInteger(limit) && limit >= 1)) {
      throw new RangeError(`${name} is a whole number above 0 or Infinity`);
    }
  }
  return limits;
}
