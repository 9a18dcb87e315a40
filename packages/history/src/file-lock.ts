import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { HistoryError, historyError, isBusy } from './errors.js';

/** Gives the lock back. */
export type Unlock = () => void;

/**
 * Locks `path` for one process and one caller in it, through a lock on an empty file beside it. The operating system
 * drops that lock when the process dies, however it dies, so a lock is never stale. Throws `locked`.
 */
export function lockFile(path: string): Unlock {
  const file = `${path}.lock`;
  let db: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file);
    // Nothing is ever written into it, so it needs no journal beside it.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (isBusy(error)) throw new HistoryError('locked', `${path} is open in another process or in another place of this one`, { cause: error });
    throw historyError(error, file);
  }
  const held = db;
  return () => {
    held.close();
  };
}
