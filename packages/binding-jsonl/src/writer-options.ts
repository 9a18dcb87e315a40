import { randomBytes } from 'node:crypto';

import type { JsonlWriteError } from './errors.js';
import { nodeFileSystem, type JsonlFileSystem } from './file-system.js';
import { bound, count, DEFAULT_MAX_LINE_BYTES, LONGEST_TIMER_MS } from './limits.js';
import { GLOBAL_TIMERS, type JsonlTimers } from './timers.js';

/** Bytes in one call of `write`, unless `maxBatchBytes` says otherwise: 256 KiB. A longer line goes alone. */
export const DEFAULT_MAX_BATCH_BYTES = 262_144;
/** Bytes waiting in one writer or log, unless `maxQueuedBytes` says otherwise: 64 MiB. */
export const DEFAULT_MAX_QUEUED_BYTES = 67_108_864;
/** Size of a file from which it is rotated, unless `rotateBytes` says otherwise: off. */
export const DEFAULT_ROTATE_BYTES: number = Number.POSITIVE_INFINITY;
/** Files that a log holds open, unless `maxOpenFiles` says otherwise. */
export const DEFAULT_MAX_OPEN_FILES = 64;
/** Permissions of files made here, unless `fileMode` says otherwise: the owner alone. */
export const DEFAULT_FILE_MODE = 0o600;
/** Permissions of folders made here, unless `directoryMode` says otherwise: the owner alone. */
export const DEFAULT_DIRECTORY_MODE = 0o700;

/**
 * When lines are brought to the disk.
 *
 * - `never`: when the system does. They survive the death of this process, not that of the machine.
 * - a number: at most so many milliseconds after they were written.
 * - `always`: before `append` resolves.
 */
export type FsyncPolicy = 'never' | 'always' | number;

/** A file that was renamed. */
export interface JsonlRotation {
  readonly path: string;
  /** Its new path. */
  readonly to: string;
}

/** Options that a writer of one file and a log share. */
export interface JsonlCommonOptions {
  /** Default `never`. */
  readonly fsync?: FsyncPolicy;
  /**
   * What to do on opening with bytes behind the last line feed, which a crash or a full disk left. `newline`, the default:
   * end that line, for readers to report. `truncate`: cut them off, unless they are a whole Event that lacks its line feed;
   * only for a file that no other process writes to.
   */
  readonly tornTail?: 'newline' | 'truncate';
  /** A file is renamed before a write that would make it larger than this, in bytes. Default {@link DEFAULT_ROTATE_BYTES}. */
  readonly rotateBytes?: number;
  /** Longest line, in bytes without its line feed. `Infinity`: off. Default {@link DEFAULT_MAX_LINE_BYTES}. */
  readonly maxLineBytes?: number;
  /** Most bytes in one write. `Infinity`: off. Default {@link DEFAULT_MAX_BATCH_BYTES}. */
  readonly maxBatchBytes?: number;
  /** Most bytes waiting. `Infinity`: off. Default {@link DEFAULT_MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
  /** Default {@link DEFAULT_FILE_MODE}. */
  readonly fileMode?: number;
  /** Default {@link DEFAULT_DIRECTORY_MODE}. */
  readonly directoryMode?: number;
  /** Called for every rotation this writer makes. What it throws is dropped. */
  readonly onRotate?: (rotation: JsonlRotation) => void;
  /** Called for failures that belong to no call: a late sync, a rotation. What it throws is dropped. */
  readonly onError?: (error: JsonlWriteError) => void;
  /** Milliseconds since 1970, for names of rotated files. Default `Date.now`. */
  readonly now?: () => number;
  /** Twelve hex digits that make the name of a rotated file unique. Default: random. */
  readonly suffix?: () => string;
  /** Default: the global timers, without keeping the process alive. */
  readonly timers?: JsonlTimers;
  /** Default: the one of Node. */
  readonly fileSystem?: JsonlFileSystem;
}

/** Options of a {@link JsonlWriter}. */
export interface JsonlWriterOptions extends JsonlCommonOptions {
  /** The file. Missing folders are made. */
  readonly path: string;
}

/** Options of a {@link JsonlLog}. */
export interface JsonlLogOptions extends JsonlCommonOptions {
  /** The folder above those of the agents. */
  readonly root: string;
  /** Most files open at once. `Infinity`: off. Default {@link DEFAULT_MAX_OPEN_FILES}. */
  readonly maxOpenFiles?: number;
}

/** {@link JsonlCommonOptions} with every default filled in. */
export interface WriterSettings extends Required<Omit<JsonlCommonOptions, 'onRotate' | 'onError'>> {
  readonly onRotate: (rotation: JsonlRotation) => void;
  readonly onError: (error: JsonlWriteError) => void;
}

/** A timer that only syncs must not keep a program from ending: what was written is with the system already. */
const IDLE_TIMERS: JsonlTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
  clearTimeout: GLOBAL_TIMERS.clearTimeout.bind(GLOBAL_TIMERS),
};

const TORN_TAILS: readonly string[] = ['newline', 'truncate'];

/** Fills in defaults. Throws RangeError and TypeError. */
export function resolveWriterOptions(options: JsonlCommonOptions): WriterSettings {
  const { fsync = 'never', tornTail = 'newline', onRotate, onError } = options;
  if (fsync !== 'never' && fsync !== 'always') count('fsync', fsync, 1, LONGEST_TIMER_MS);
  if (!TORN_TAILS.includes(tornTail)) throw new TypeError('tornTail is newline or truncate');
  return {
    fsync,
    tornTail,
    rotateBytes: bound('rotateBytes', options.rotateBytes ?? DEFAULT_ROTATE_BYTES, 1),
    maxLineBytes: bound('maxLineBytes', options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, 1),
    maxBatchBytes: bound('maxBatchBytes', options.maxBatchBytes ?? DEFAULT_MAX_BATCH_BYTES, 1),
    maxQueuedBytes: bound('maxQueuedBytes', options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES, 1),
    fileMode: count('fileMode', options.fileMode ?? DEFAULT_FILE_MODE, 0, 0o7777),
    directoryMode: count('directoryMode', options.directoryMode ?? DEFAULT_DIRECTORY_MODE, 0, 0o7777),
    onRotate: (rotation) => {
      ignoreThrow(() => onRotate?.(rotation));
    },
    onError: (error) => {
      ignoreThrow(() => onError?.(error));
    },
    now: options.now ?? Date.now,
    suffix: options.suffix ?? (() => randomBytes(6).toString('hex')),
    timers: options.timers ?? IDLE_TIMERS,
    fileSystem: options.fileSystem ?? nodeFileSystem,
  };
}

/** A text option that names a place. Throws TypeError. */
export function place(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) throw new TypeError(`${name} is a path`);
  return value;
}

function ignoreThrow(run: () => void): void {
  try {
    run();
  } catch {
    // A callback for counters must not change what happens to Events.
  }
}
