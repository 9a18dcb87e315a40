import { nodeWatch, type DirectoryWatch } from './directory-watch.js';
import { JsonlFollowError } from './errors.js';
import { nodeFileSystem, type JsonlFileSystem } from './file-system.js';
import type { JsonlPosition } from './follow-item.js';
import { bound, count, LONGEST_TIMER_MS } from './limits.js';
import { resolveReaderOptions, type JsonlReaderOptions } from './reader-options.js';
import { isRotatedName } from './rotated-name.js';
import { GLOBAL_TIMERS, type JsonlTimers } from './timers.js';

/** Time between two looks when nothing is reported, in milliseconds, unless `pollMs` says otherwise. */
export const DEFAULT_POLL_MS = 1_000;
/** Bytes read at once, unless `chunkBytes` says otherwise: 64 KiB. */
export const DEFAULT_CHUNK_BYTES = 65_536;
/** How long a rotated file is looked at for late lines, in milliseconds, unless `lateMs` says otherwise. */
export const DEFAULT_LATE_MS = 10_000;
/** Rotated files that are held open for that, unless `maxLateFiles` says otherwise. */
export const DEFAULT_MAX_LATE_FILES = 16;

/** Options of {@link followJsonl}. */
export interface FollowOptions extends Omit<JsonlReaderOptions, 'offset' | 'line'> {
  /**
   * Where to begin: with the whole file (`start`, the default), behind its last complete line (`end`), or where a follower
   * stopped. After `end` lines are counted from there.
   */
  readonly from?: 'start' | 'end' | JsonlPosition;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Ends it as well when all that is there has been given out, instead of waiting for more. Default `false`. */
  readonly once?: boolean;
  /** Milliseconds. `Infinity`: only what the system reports. Default {@link DEFAULT_POLL_MS}. */
  readonly pollMs?: number;
  /** Default {@link DEFAULT_CHUNK_BYTES}. */
  readonly chunkBytes?: number;
  /** Milliseconds. `Infinity`: until `maxLateFiles`. Default {@link DEFAULT_LATE_MS}. */
  readonly lateMs?: number;
  /** `Infinity`: off. Default {@link DEFAULT_MAX_LATE_FILES}. */
  readonly maxLateFiles?: number;
  /** Whether a name in the folder is that of a rotated file. Default: begins with `base` and a dot or hyphen, neither another `.jsonl` nor packed. */
  readonly isRotated?: (name: string, base: string) => boolean;
  /** `false`: polls alone. Default: `fs.watch`. */
  readonly watch?: DirectoryWatch | false;
  /** Milliseconds, of any clock that only goes forward. Default `performance.now`. */
  readonly now?: () => number;
  /** Default: the global timers. */
  readonly timers?: JsonlTimers;
  /** Default: the one of Node. */
  readonly fileSystem?: JsonlFileSystem;
}

/** {@link FollowOptions} with every default filled in. */
export interface FollowSettings extends Required<Omit<FollowOptions, 'signal' | 'watch' | keyof JsonlReaderOptions>> {
  readonly signal: AbortSignal | undefined;
  readonly watch: DirectoryWatch | undefined;
  readonly reader: Required<Omit<JsonlReaderOptions, 'offset' | 'line'>>;
}

/** Fills in defaults. Throws RangeError, and {@link JsonlFollowError} `invalid-position`. */
export function resolveFollowOptions(options: FollowOptions): FollowSettings {
  const { maxLineBytes, maxDepth, maxVersions } = resolveReaderOptions(options);
  const pollMs = bound('pollMs', options.pollMs ?? DEFAULT_POLL_MS, 1);
  if (pollMs !== Infinity) count('pollMs', pollMs, 1, LONGEST_TIMER_MS);
  return {
    from: checkFrom(options.from ?? 'start'),
    signal: options.signal,
    once: options.once ?? false,
    pollMs,
    chunkBytes: count('chunkBytes', options.chunkBytes ?? DEFAULT_CHUNK_BYTES, 1),
    lateMs: bound('lateMs', options.lateMs ?? DEFAULT_LATE_MS, 0),
    maxLateFiles: bound('maxLateFiles', options.maxLateFiles ?? DEFAULT_MAX_LATE_FILES, 0),
    isRotated: options.isRotated ?? isRotatedName,
    watch: options.watch === false ? undefined : (options.watch ?? nodeWatch),
    now: options.now ?? (() => performance.now()),
    timers: options.timers ?? GLOBAL_TIMERS,
    fileSystem: options.fileSystem ?? nodeFileSystem,
    reader: { maxLineBytes, maxDepth, maxVersions },
  };
}

/** A position comes from a file of the caller: it is checked before anything is read by it. */
function checkFrom(from: unknown): 'start' | 'end' | JsonlPosition {
  if (from === 'start' || from === 'end') return from;
  const late = isPlace(from) ? (from.late ?? []) : undefined;
  if (!isPlace(from) || !Array.isArray(late) || !late.every((place) => isPlace(place) && place.late === undefined)) {
    throw new JsonlFollowError('invalid-position', 'from is start, end or a position that a follower gave');
  }
  return from;
}

function isPlace(value: unknown): value is JsonlPosition {
  if (typeof value !== 'object' || value === null) return false;
  const { file, offset, line, check } = value as Readonly<Record<string, unknown>>;
  return typeof file === 'string' && typeof check === 'string' && isWhole(offset, 0) && isWhole(line, 1);
}

function isWhole(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}
