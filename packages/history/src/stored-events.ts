import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { LogMark } from '@aepkit/hub';
import { openReader } from './connection.js';
import { HistoryError, historyError, isUnopenable } from './errors.js';
import { EventQueries } from './event-queries.js';
import type { EventQuery, StoredEvent } from './history.js';
import { DEFAULT_MAP_BYTES } from './options.js';
import { hasContent, newerSchema, schemaVersionOf } from './prepare-file.js';
import { Reader } from './reader.js';
import { SCHEMA_VERSION } from './schema.js';

/** The Events of a store that somebody else may be writing. */
export interface StoredEvents {
  /** Mark of the Event committed last; 0 where there is none. */
  mark(): LogMark;
  /**
   * As {@link History.events} gives them. With `session` those of the last moments before a crash may be missing, since only a
   * writer completes the index by position; the order of the log has all of them.
   */
  events(query?: EventQuery): AsyncIterable<StoredEvent>;
  close(): void;
}

/**
 * Opens a store for reading alone: nothing is made, migrated or locked, a writer may run or start meanwhile, and what a
 * process that was killed had committed is there. SQLite may leave its `-wal` and `-shm` beside the file, where it can; a store on
 * a disk that cannot be written is read as it stands.
 *
 * Throws HistoryError `not-a-history`, `newer-schema`, `corrupt` or `unavailable`, the last one also where there is no file and for an
 * older schema, which {@link openHistory} migrates.
 *
 * @example
 * const stored = openStoredEvents('data/history.db');
 * for await (const { json } of stored.events()) process.stdout.write(`${json}\n`);
 * stored.close();
 */
export function openStoredEvents(path: string): StoredEvents {
  try {
    if (!hasContent(path)) throw new HistoryError('not-a-history', `${path} is empty`);
    const reader = new Reader(path, DEFAULT_MAP_BYTES, openStored);
    const queries = new EventQueries(reader);
    const last = reader.prepare('SELECT max(pos) AS last FROM events');
    return {
      mark: () => reader.once(() => Number(last.get()?.last ?? 0)),
      async *events(query = {}) {
        for await (const chunk of reader.steps(queries.run(query))) yield* chunk;
      },
      close: () => {
        reader.close();
      },
    };
  } catch (error) {
    throw historyError(error, path);
  }
}

function openStored(path: string | URL, mapBytes: number): DatabaseSync {
  const db = openWhatever(path, mapBytes);
  try {
    const found = schemaVersionOf(db, String(path));
    if (found > SCHEMA_VERSION) throw newerSchema(String(path), found, SCHEMA_VERSION);
    if (found < SCHEMA_VERSION) throw new HistoryError('unavailable', `${String(path)} has the older schema ${String(found)}: start a collector on it once`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A write-ahead log needs files beside the store. Where none can be made, and none holds anything, the store alone is all there is. */
function openWhatever(path: string | URL, mapBytes: number): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = openReader(path, mapBytes);
    db.prepare('PRAGMA application_id').get();
    return db;
  } catch (error) {
    db?.close();
    const wal = statSync(`${String(path)}-wal`, { throwIfNoEntry: false });
    if (!isUnopenable(error) || (wal !== undefined && wal.size > 0)) throw error;
    const url = pathToFileURL(String(path));
    url.searchParams.set('immutable', '1');
    return openReader(url, mapBytes);
  }
}
