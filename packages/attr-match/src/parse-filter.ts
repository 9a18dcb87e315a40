import { EnvelopeError, parseJson } from '@aepkit/envelope';
import { compileFilter } from './compile-filter.js';
import { FilterError } from './errors.js';
import type { Filter } from './filter.js';
import { resolveLimits, type FilterLimits } from './limits.js';

/**
 * Compiles an `attr-match` filter from JSON text, such as the `filter` parameter of an SSE request once decoded. Reads it as
 * strictly as an Event is read: a member named twice is refused, and integers keep every digit.
 *
 * Throws {@link FilterError}: what {@link compileFilter} refuses, and `invalid-json`, `duplicate-key`, `too-large` for the
 * text itself.
 */
export function parseFilter(text: string, limits?: FilterLimits): Filter {
  const { maxTextBytes } = resolveLimits(limits);
  return compileFilter(readJson(text, maxTextBytes), limits);
}

function readJson(text: string, maxBytes: number): unknown {
  try {
    return parseJson(text, { maxBytes, maxDepth: MAX_FILTER_DEPTH, bigints: true });
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    if (error.code === 'too-large') throw new FilterError('too-large', '$', `more than ${maxBytes} bytes`, { cause: error });
    if (error.code === 'duplicate-member') throw new FilterError('duplicate-key', error.path, 'the name stands twice', { cause: error });
    throw new FilterError('invalid-json', error.path, `not strict JSON (${error.code})`, { cause: error });
  }
}

// A legal filter is two deep; the rest is room for a precise answer.
const MAX_FILTER_DEPTH = 16;
