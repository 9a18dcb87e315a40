import { closeSync, mkdirSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HistoryError, historyError } from './errors.js';
import { APPLICATION_ID, createSchema, MIGRATIONS, SCHEMA_VERSION, type Migration } from './schema.js';

const MAGIC = 'SQLite format 3\0';

/** Makes folder and file where missing, for their owner alone, and returns the path with symbolic links resolved. */
export function locateFile(path: string): string {
  try {
    makeFolder(dirname(resolve(path)));
    closeSync(openSync(path, 'a', 0o600));
    return realpathSync(path);
  } catch (error) {
    throw historyError(error, path);
  }
}

/** Not `mkdir` with `recursive`: that never returns where a folder is there but none can be made in it, as in `/proc`. */
function makeFolder(folder: string): void {
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const parent = dirname(folder);
  if (parent !== folder && !isFolder(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Brings a file to the schema of this version: makes the tables in an empty one, migrates an older one behind a copy of it.
 * Returns the path of that copy. Call it under the lock.
 *
 * Throws `not-a-history` for a file of something else, `newer-schema`, `migration-failed`, `corrupt`, `unavailable`. The
 * file is as it was then.
 */
export function prepareFile(
  path: string,
  version: number = SCHEMA_VERSION,
  migrations: readonly Migration[] = MIGRATIONS,
): string | undefined {
  try {
    const found = schemaVersion(path);
    if (found === undefined) {
      makeFile(path);
      return undefined;
    }
    if (found > version) throw newerSchema(path, found, version);
    return found < version ? migrate(path, found, version, migrations) : undefined;
  } catch (error) {
    throw historyError(error, path);
  }
}

/** The schema version of a history; `undefined` for a file without content. Changes nothing, whatever the file is. */
function schemaVersion(path: string): number | undefined {
  if (!hasContent(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return schemaVersionOf(db, path);
  } finally {
    db.close();
  }
}

/** Whether there is something in a file. Throws `not-a-history` where that is no database. */
export function hasContent(path: string): boolean {
  const head = readHead(path);
  if (head !== '' && head !== MAGIC) throw notAHistory(path);
  return head !== '';
}

/** The schema version of an open history. Throws `not-a-history`. */
export function schemaVersionOf(db: DatabaseSync, path: string): number {
  if (pragma(db, 'application_id') !== APPLICATION_ID) throw notAHistory(path);
  return pragma(db, 'user_version');
}

/** The file is empty or whole, whenever the process dies. */
function makeFile(path: string): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  closeSync(openSync(fresh, 'wx', 0o600));
  using(fresh, createSchema);
  renameSync(fresh, path);
}

function readHead(path: string): string {
  const bytes = Buffer.alloc(MAGIC.length);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** The refusal of a file that a later version has written. */
export function newerSchema(path: string, found: number, known: number): HistoryError {
  return new HistoryError(
    'newer-schema',
    `${path} was written by a newer version (schema ${String(found)}, this one knows ${String(known)}): ` +
      `update, or restore the copy that was made beside it when it was migrated`,
  );
}

function notAHistory(path: string): HistoryError {
  return new HistoryError('not-a-history', `${path} is a file of something else`);
}

function migrate(path: string, from: number, to: number, migrations: readonly Migration[]): string {
  const backup = using(path, (db) => copyInto(db, join(dirname(path), `${basename(path)}.v${String(from)}.bak`)));
  try {
    using(path, (db) => {
      db.exec('BEGIN IMMEDIATE');
      for (let at = from; at < to; at += 1) {
        const step = migrations.find((each) => each.from === at);
        if (step === undefined) throw new Error(`no way from schema ${String(at)} to ${String(at + 1)}`);
        step.migrate(db);
      }
      db.exec(`PRAGMA user_version = ${String(to)}; COMMIT`);
    });
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    throw new HistoryError('migration-failed', `${path} is as it was, schema ${String(from)}: ${says}`, { cause: error });
  }
  return backup;
}

/** A copy that only the owner can read, under a name that is free. */
function copyInto(db: DatabaseSync, wanted: string): string {
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? wanted : `${wanted}-${String(count)}`;
    try {
      closeSync(openSync(target, 'wx', 0o600));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    try {
      db.prepare('VACUUM INTO ?').run(target);
      return target;
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
  }
}

/** An open transaction ends with the connection. */
function using<T>(path: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    return use(db);
  } finally {
    db.close();
  }
}
