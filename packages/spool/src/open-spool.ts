import { resolveOptions, type SpoolOptions } from './options.js';
import type { Spool } from './spool.js';

/** Opens a spool, and makes it where there is none. @throws {@link SpoolError} `not-a-spool`, `no-space`, `unavailable`; RangeError for an option out of bounds. */
export function openSpool(options: SpoolOptions): Promise<Spool> {
  resolveOptions(options);
  throw new Error('not yet');
}
