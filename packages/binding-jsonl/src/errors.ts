/**
 * Why Events were not written.
 *
 * - `not-one-line`: the text of an Event holds a CR or LF, which only one that was put together by hand can.
 * - `too-large`: the text of an Event is longer than `maxLineBytes`.
 * - `invalid-name`: an agent or session has no file name: it is empty or holds half of a surrogate pair.
 * - `no-space`: the disk, the quota or the file is full.
 * - `short-write`: the system wrote a part, twice, and did not say why.
 * - `unwritable`: the file or its folder cannot be opened for writing, or is something else.
 * - `sync-failed`: the lines were written, but the system could not bring them to the disk.
 * - `rotate-failed`: the file could not be renamed; writing goes on in it.
 * - `io`: another failure of the system; `cause` has it.
 * - `queue-full`: too much is waiting; nothing of this call was written.
 * - `broken-pipe`: whoever read the stream has gone.
 * - `closed`: the writer was closed before.
 */
export type JsonlWriteErrorCode =
  | 'not-one-line'
  | 'too-large'
  | 'invalid-name'
  | 'no-space'
  | 'short-write'
  | 'unwritable'
  | 'sync-failed'
  | 'rotate-failed'
  | 'io'
  | 'queue-full'
  | 'broken-pipe'
  | 'closed';

/** What a {@link JsonlWriteError} may carry besides its code. */
export interface JsonlWriteErrorFacts {
  readonly path?: string | undefined;
  readonly failed?: readonly number[];
  readonly cause?: unknown;
}

/** Thrown by everything that writes. */
export class JsonlWriteError extends Error {
  override readonly name = 'JsonlWriteError';
  readonly code: JsonlWriteErrorCode;
  /** The file, where it is about one. */
  readonly path: string | undefined;
  /**
   * Places, from 0, of the Events given to the call that are not known to be kept; the others are. `undefined` where the call
   * was refused as a whole. With `sync-failed` they stand in the file all the same.
   */
  readonly failed: readonly number[] | undefined;
  /** The system's own code, for example `ENOSPC`. */
  readonly errno: string | undefined;

  constructor(code: JsonlWriteErrorCode, message: string, facts: JsonlWriteErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.path = facts.path;
    this.failed = facts.failed;
    this.errno = errnoOf(facts.cause);
  }
}

/**
 * Why following a file ended.
 *
 * - `not-a-file`: the path names a folder, a pipe or a device.
 * - `unreadable`: the system refuses to look at the file or its folder; `cause` says why.
 * - `invalid-position`: `from` is no position that a follower gave out.
 */
export type JsonlFollowErrorCode = 'not-a-file' | 'unreadable' | 'invalid-position';

/** Thrown by a follower. */
export class JsonlFollowError extends Error {
  override readonly name = 'JsonlFollowError';
  readonly code: JsonlFollowErrorCode;
  readonly path: string | undefined;
  /** The system's own code, for example `EACCES`. */
  readonly errno: string | undefined;

  constructor(code: JsonlFollowErrorCode, message: string, facts: { readonly path?: string; readonly cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.path = facts.path;
    this.errno = errnoOf(facts.cause);
  }
}

/** The `code` of a system error. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
