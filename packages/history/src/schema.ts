import type { DatabaseSync } from 'node:sqlite';

/** What this version writes. Raise it with a migration in {@link MIGRATIONS}. */
export const SCHEMA_VERSION = 1;
/** `AEPh`: tells a history from another program's database. */
export const APPLICATION_ID = 0x41455068;
/** Few system calls per commit, and still little to write for a single Event. */
const PAGE_BYTES = 8192;

/** Kinds of Events in the order of a session. */
export const SEQUENCED = 0;
/** A foreign-emitter Event; `epoch` and `seq` are those of its anchor (AEP-0003 §5). */
export const ANCHORED = 1;
/** A foreign-emitter Event of a session that held nothing: in queries only. */
export const UNANCHORED = 2;

/** `sessions.source` of the row that holds the unanchored Events of a name. No source has this number. */
export const NOBODY = 0;

/**
 * `events` in the order of the log; `(source, id)` is unique (AEP-0001 §4.1), with the id first since time-ordered ids then
 * go to one end of the index whatever the number of sources. `late`: outside the replay depth when it came.
 *
 * `positions` is the index by position. It is a table because it is filled a few thousand Events at a time: an index would
 * rewrite one page per session and commit. `state.indexed` says up to where it is filled, and so are the summaries in
 * `sessions`. A `sessions` row is one `(source, session)`; `first_pos` is its first Event, `start_known` says whether nothing can
 * have come ahead of that one (AEP-0003 §5), `lost_*` is for the highest position that retention has deleted.
 */
const TABLES = `
  CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    indexed INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (1, 0);
  CREATE TABLE sources (
    source INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    source INTEGER NOT NULL,
    agent TEXT NOT NULL,
    first_pos INTEGER NOT NULL,
    start_known INTEGER NOT NULL,
    lost_epoch INTEGER,
    lost_seq INTEGER,
    events INTEGER NOT NULL DEFAULT 0,
    first_time INTEGER,
    last_time INTEGER,
    last_pos INTEGER,
    last_type TEXT,
    ended INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, source)
  ) STRICT;
  CREATE INDEX sessions_by_commit ON sessions (last_pos) WHERE last_pos IS NOT NULL;
  CREATE TABLE events (
    pos INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    id TEXT NOT NULL,
    session INTEGER,
    kind INTEGER,
    late INTEGER NOT NULL,
    epoch INTEGER,
    seq INTEGER,
    type TEXT NOT NULL,
    time INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (id, source)
  ) STRICT;
  CREATE TABLE positions (
    session INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    PRIMARY KEY (session, kind, epoch, seq, pos)
  ) STRICT, WITHOUT ROWID;
`;

/** Makes the tables in an empty database: all of them or none. */
export function createSchema(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${String(PAGE_BYTES)}`);
  db.exec(`BEGIN IMMEDIATE; ${TABLES}
    PRAGMA application_id = ${String(APPLICATION_ID)};
    PRAGMA user_version = ${String(SCHEMA_VERSION)};
    COMMIT;`);
}

/** One step from a schema version to the next. It runs inside a transaction. */
export interface Migration {
  readonly from: number;
  readonly migrate: (db: DatabaseSync) => void;
}

/** None yet. */
export const MIGRATIONS: readonly Migration[] = [];
