/**
 * Why a spool refused something.
 *
 * - `line-too-long`: a line of more than `maxLineBytes`.
 * - `invalid-line`: a line that holds a line feed or a carriage return, or nothing.
 * - `not-a-spool`: the path is no folder, or a folder with something else in it, or one of another user.
 * - `no-space`: the disk, or the user's share of it, is full; nothing of the call is kept.
 * - `unavailable`: the file system failed; `cause` has its error.
 * - `closed`: the spool was closed.
 */
export type SpoolErrorCode = 'line-too-long' | 'invalid-line' | 'not-a-spool' | 'no-space' | 'unavailable' | 'closed';

/** What a {@link Spool} throws. Messages name places, never lines. */
export class SpoolError extends Error {
  override readonly name = 'SpoolError';
  readonly code: SpoolErrorCode;

  constructor(code: SpoolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Wraps an error of the file system. */
export function failure(what: string, error: unknown): SpoolError {
  if (error instanceof SpoolError) return error;
  const code = codeOf(error) ?? 'unknown error';
  return new SpoolError(NO_SPACE.has(code) ? 'no-space' : 'unavailable', `${what}: ${code}`, { cause: error });
}

/** The `code` of a system error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
