import { DatabaseSync } from 'node:sqlite';
import { HistoryError } from './errors.js';

/** How much WAL gathers, by the writer's estimate, before it is taken back into the file between two commits. */
export const CHECKPOINT_BYTES: number = 16 * 1024 ** 2;
/** Where the estimate was too low SQLite checkpoints by itself, inside a commit. */
const AUTO_CHECKPOINT_PAGES = 4096;
/**
 * Writing goes to the ends of the trees and needs few pages. A larger cache means fresh memory for each: with 64 MiB inserts
 * cost three times as much.
 */
const WRITER_CACHE_KIB = 16 * 1024;
const READER_CACHE_KIB = 4 * 1024;
/** Somebody may look into the file with another program. */
export const BUSY_TIMEOUT_MS = 5000;

/** What the writer needs to open the file. */
export interface WriterOptions {
  readonly path: string;
  readonly buffer: number;
  readonly synchronous: 'NORMAL' | 'FULL';
  readonly maxBytes: number;
}

/** The connection that writes. */
export function openWriter({ path, synchronous, maxBytes }: WriterOptions): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)};
    PRAGMA synchronous = ${synchronous};
    PRAGMA cache_size = ${String(-WRITER_CACHE_KIB)};
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${String(AUTO_CHECKPOINT_PAGES)};
    PRAGMA journal_size_limit = ${String(2 * CHECKPOINT_BYTES)};
  `);
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (mode !== 'wal') {
    db.close();
    throw new HistoryError('unavailable', `${path}: the file system has no shared memory, which a write-ahead log needs`);
  }
  if (maxBytes !== Infinity) {
    const page = Number(db.prepare('PRAGMA page_size').get()?.page_size);
    db.exec(`PRAGMA max_page_count = ${String(Math.floor(maxBytes / page))}`);
  }
  return db;
}

/** The connection that reads. `bytes` of the file are mapped instead of copied. A URL may have parameters of SQLite. */
export function openReader(path: string | URL, bytes: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  // SQLite cuts it to 2 GiB.
  const map = Math.min(bytes, Number.MAX_SAFE_INTEGER);
  db.exec(`
    PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)};
    PRAGMA cache_size = ${String(-READER_CACHE_KIB)};
    PRAGMA mmap_size = ${String(map)};
  `);
  return db;
}
