import { DEFAULT_MAX_DEPTH } from '@aepkit/envelope';

import { bound, count, DEFAULT_MAX_LINE_BYTES } from './limits.js';

/** Unsupported versions that are reported by one reader, unless `maxVersions` says otherwise. */
export const DEFAULT_MAX_VERSIONS = 16;

/** Options of a reader. */
export interface JsonlReaderOptions {
  /** Longest line, in bytes without its line feed. `Infinity`: off. Default {@link DEFAULT_MAX_LINE_BYTES}. */
  readonly maxLineBytes?: number;
  /** Most levels of arrays and objects in an Event. `Infinity`: off. Default 64. */
  readonly maxDepth?: number;
  /** Different unsupported versions that are reported; lines of more are skipped and counted only. `Infinity`: off. Default {@link DEFAULT_MAX_VERSIONS}. */
  readonly maxVersions?: number;
  /** Byte offset of the first byte that will be given, a start of a line. Default 0. */
  readonly offset?: number;
  /** Number of the line that starts there. Default 1. */
  readonly line?: number;
}

/** {@link JsonlReaderOptions} with every default filled in. */
export type ReaderSettings = Required<JsonlReaderOptions>;

/** Fills in defaults. Throws RangeError. */
export function resolveReaderOptions(options: JsonlReaderOptions): ReaderSettings {
  return {
    maxLineBytes: bound('maxLineBytes', options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, 1),
    maxDepth: bound('maxDepth', options.maxDepth ?? DEFAULT_MAX_DEPTH, 1),
    maxVersions: bound('maxVersions', options.maxVersions ?? DEFAULT_MAX_VERSIONS, 0),
    offset: count('offset', options.offset ?? 0, 0),
    line: count('line', options.line ?? 1, 1),
  };
}
