import { nodeFileSystem, type SpoolFileSystem } from './file-system.js';

/** What a spool may occupy, in bytes. */
export const DEFAULT_MAX_BYTES = 67_108_864;
/** Longest line, in bytes. */
export const DEFAULT_MAX_LINE_BYTES = 1_048_576;
/** How long a lock of a drainer that cannot be looked at holds without a sign of life, in milliseconds. */
export const DEFAULT_LOCK_TIMEOUT_MS = 60_000;
/** Lines that one delivery gets. */
export const DEFAULT_BATCH_LINES = 500;
/** Bytes that one delivery gets; one line may be longer. */
export const DEFAULT_BATCH_BYTES = 1_048_576;

/** Options of {@link openSpool}. */
export interface SpoolOptions {
  /** The folder; it and those above it are made where missing, for their owner only. */
  readonly path: string;
  /**
   * What the spool may occupy on disk: every append takes whole blocks of 4,096 bytes. Appends at the same moment do not see each
   * other and may go over by what they bring. Default 67,108,864; `Infinity`: no limit.
   */
  readonly maxBytes?: number;
  /** Default 1,048,576; `Infinity`: no limit. */
  readonly maxLineBytes?: number;
  /** Whether an append waits for the disk and so survives the death of the machine, not only that of the process. Default false. */
  readonly fsync?: boolean;
  /** Default 60,000. A drainer on this machine is looked up among its processes and needs no time limit. */
  readonly lockTimeoutMs?: number;
  /** Default that of Node. */
  readonly fileSystem?: SpoolFileSystem;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/** Options with everything filled in. */
export type ResolvedSpoolOptions = Required<SpoolOptions>;

export function resolveOptions(options: SpoolOptions): ResolvedSpoolOptions {
  const resolved: ResolvedSpoolOptions = {
    path: options.path,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    maxLineBytes: options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES,
    fsync: options.fsync ?? false,
    lockTimeoutMs: options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS,
    fileSystem: options.fileSystem ?? nodeFileSystem,
    now: options.now ?? Date.now,
  };
  if (resolved.path === '') throw new RangeError('path must not be empty');
  for (const name of ['maxBytes', 'maxLineBytes', 'lockTimeoutMs'] as const) {
    if (!(resolved[name] >= 1)) throw new RangeError(`${name} must be at least 1`);
  }
  return resolved;
}
