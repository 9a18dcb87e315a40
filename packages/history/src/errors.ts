/**
 * Why a {@link HistoryError} was thrown. The README has a sentence for each.
 *
 * `locked`, `newer-schema`, `not-a-history` and `migration-failed` come from `openHistory` alone, the others from everything.
 */
export type HistoryErrorCode =
  | 'locked'
  | 'newer-schema'
  | 'not-a-history'
  | 'migration-failed'
  | 'corrupt'
  | 'unavailable'
  | 'closed';

/** What this package throws: a closed `code` for programs, a message that names the file for people. */
export class HistoryError extends Error {
  override readonly name: string = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** The primary result code behind an error of `node:sqlite`; `undefined` for any other error. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Whether `node:sqlite` threw it. */
export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** Whether a file, or one beside it, could not be opened or made. */
export function isUnopenable(error: unknown): boolean {
  const code = resultCode(error);
  return code === SQLITE_CANTOPEN || code === SQLITE_READONLY;
}

/**
 * Turns what SQLite or the file system threw into a {@link HistoryError}. A damaged file is `corrupt`; everything else is
 * taken for a state that may pass (disk full, I/O, permissions), and so `unavailable`.
 */
export function historyError(error: unknown, path: string): HistoryError {
  if (error instanceof HistoryError) return error;
  const code = resultCode(error);
  const says = error instanceof Error ? error.message : String(error);
  const damaged = code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
  return new HistoryError(damaged ? 'corrupt' : 'unavailable', `${path}: ${says}`, { cause: error });
}
