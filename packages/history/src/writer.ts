import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { comparePositions } from '@aepkit/envelope';
import { BUSY_TIMEOUT_MS, CHECKPOINT_BYTES, openWriter, type WriterOptions } from './connection.js';
import { historyError, type HistoryError } from './errors.js';
import { ADMITTED, DUPLICATE, LATE, NO_SEQ, UNBUFFERED, type Failure, type Group, type Outcome } from './group.js';
import { Indexer } from './indexer.js';
import { KnownSessions, type KnownSession } from './known-sessions.js';
import type { Place } from './place.js';
import { NEWEST, Positions } from './positions.js';
import { ANCHORED, SEQUENCED, UNANCHORED } from './schema.js';

const START: Place = { epoch: 0, seq: 0 };
/** Events that may stand in `events` and not yet in `positions`: what opening the store after a crash has to catch up on. */
const INDEX_EVERY = 8192;
/** Pages that a commit writes besides those of its texts, as a guess. */
const COMMIT_OVERHEAD_BYTES = 48 * 1024;
const EVENT_OVERHEAD_BYTES = 200;
/** The WAL is on its way to the disk in pieces of this size, so that a checkpoint finds little left to wait for. */
const SYNC_BYTES = CHECKPOINT_BYTES / 4;
/** Beyond this the WAL is taken back even where that means to wait for readers. */
const WAL_LIMIT_BYTES = 4 * CHECKPOINT_BYTES;
const LOOK_EVERY_COMMITS = 64;
/** Readers of ours need a small part of it. Somebody else's may stay, and must not stop the commits. */
const READER_WAIT_MS = 50;

/** Commits groups, one transaction each. All calls are synchronous; it lives in a thread of its own or not. */
export class Writer {
  readonly #path: string;
  readonly #buffer: number;
  readonly #db: DatabaseSync;
  readonly #known: KnownSessions;
  readonly #indexer: Indexer;
  readonly #positions: Positions;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #insert: StatementSync;
  readonly #seen: StatementSync;
  /** Highest `pos` committed, and handed out in the transaction that runs. */
  #mark: number;
  #pos: number;
  #walBytes = 0;
  #unsyncedBytes = 0;
  #wal: number | undefined;
  #syncing = false;
  #commits = 0;

  constructor(options: WriterOptions) {
    this.#path = options.path;
    this.#buffer = options.buffer;
    this.#db = openWriter(options);
    this.#begin = this.#db.prepare('BEGIN IMMEDIATE');
    this.#end = this.#db.prepare('COMMIT');
    this.#insert = this.#db.prepare(
      `INSERT INTO events (pos, source, id, session, kind, late, epoch, seq, type, time, json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, source) DO NOTHING`,
    );
    this.#seen = this.#db.prepare('SELECT 1 FROM events WHERE id = ? AND source = ?');
    this.#known = new KnownSessions(this.#db);
    this.#indexer = new Indexer(this.#db);
    this.#positions = new Positions(this.#db);
    const last = this.#db.prepare('SELECT max(pos) AS last FROM events').get()?.last;
    this.#mark = Math.max(Number(last ?? 0), this.#indexer.indexed);
    this.#pos = this.#mark;
    this.index();
  }

  get mark(): number {
    return this.#mark;
  }

  get indexed(): number {
    return this.#indexer.indexed;
  }

  /**
   * Commits the batches of a group together. Where that fails they are tried one by one, so that one batch takes no other
   * with it.
   */
  commit(group: Group): Outcome {
    const admissions = new Uint8Array(group.ids.length);
    const failures: Failure[] = [];
    const whole = this.#transact(group, 0, group.ids.length, admissions);
    if (whole !== undefined) {
      let from = 0;
      for (const [batch, size] of group.sizes.entries()) {
        const failed = group.sizes.length === 1 ? whole : this.#transact(group, from, from + size, admissions);
        if (failed !== undefined) failures.push({ batch, code: failed.code, message: failed.message });
        from += size;
      }
    }
    return { admissions, failures, mark: this.#mark, indexed: this.#indexer.indexed };
  }

  /** Brings positions and summaries up to the last commit. Throws HistoryError. */
  index(): void {
    if (this.#indexer.indexed === this.#mark) {
      this.#known.indexed();
      return;
    }
    try {
      this.#begin.run();
      this.#fill(this.#mark);
      this.#end.run();
      this.#indexer.committed();
    } catch (error) {
      this.#rollBack();
      throw historyError(error, this.#path);
    }
  }

  /**
   * Takes the WAL back into the file where enough has gathered. To be called when answers are on their way, so that nobody
   * waits for the disk but the group behind. Readers hold it up for one small read at most, but where they do so again and
   * again it waits for them.
   */
  checkpoint(): void {
    try {
      if (this.#unsyncedBytes >= SYNC_BYTES && !this.#syncing) this.#syncAhead();
      if (this.#walBytes >= CHECKPOINT_BYTES) {
        this.#walBytes = 0;
        this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      }
      this.#commits += 1;
      if (this.#commits % LOOK_EVERY_COMMITS === 0 && statSync(`${this.#path}-wal`).size > WAL_LIMIT_BYTES) {
        this.#db.exec(`PRAGMA busy_timeout = ${String(READER_WAIT_MS)}; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
      }
    } catch {
      // A disk that takes no checkpoint takes no commit either, and a commit has somebody to tell.
    }
  }

  close(): void {
    try {
      this.index();
    } catch {
      // The next opening makes up for it.
    }
    this.#db.close();
    if (this.#wal !== undefined && !this.#syncing) closeSync(this.#wal);
    this.#wal = undefined;
  }

  /** In another thread. Whether it works out does not matter: the checkpoint syncs by itself, and finds less to do. */
  #syncAhead(): void {
    this.#unsyncedBytes = 0;
    this.#syncing = true;
    const file = (this.#wal ??= openSync(`${this.#path}-wal`, 'r+'));
    fdatasync(file, () => {
      this.#syncing = false;
      if (this.#wal === undefined) closeSync(file);
    });
  }

  #transact(group: Group, from: number, to: number, admissions: Uint8Array): HistoryError | undefined {
    try {
      if (this.#known.forgotten) this.index();
      this.#begin.run();
      let bytes = COMMIT_OVERHEAD_BYTES;
      for (let at = from; at < to; at += 1) {
        admissions[at] = this.#add(group, at);
        bytes += EVENT_OVERHEAD_BYTES + (group.json[at] ?? '').length;
      }
      if (this.#pos - this.#indexer.filled >= INDEX_EVERY || this.#known.crowded) this.#fill(this.#pos);
      this.#end.run();
      this.#indexer.committed();
      this.#mark = this.#pos;
      this.#walBytes += bytes;
      this.#unsyncedBytes += bytes;
      return undefined;
    } catch (error) {
      this.#rollBack();
      return historyError(error, this.#path);
    }
  }

  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself, as it may when the disk is full.
    }
    this.#pos = this.#mark;
    this.#indexer.rolledBack();
    this.#known.forget();
  }

  #fill(pos: number): void {
    this.#walBytes += (pos - this.#indexer.filled) * EVENT_OVERHEAD_BYTES;
    this.#indexer.run(pos);
    this.#known.indexed();
  }

  #add(group: Group, at: number): number {
    const owner = group.owners[group.owner[at] ?? 0];
    if (owner === undefined) throw new RangeError('a group names an owner that it does not have');
    const source = this.#known.source(owner.source);
    const seq = group.seqs[at] ?? NO_SEQ;
    if (owner.session === undefined) return this.#put(group, at, source, null, null) ? UNBUFFERED : DUPLICATE;
    if (seq === NO_SEQ) return this.#addForeign(group, at, source, owner.session);
    const place = { epoch: group.epochs[at] ?? 0, seq };
    return this.#addSequenced(group, at, source, owner.session, owner.agent, place);
  }

  #addSequenced(group: Group, at: number, source: number, name: string, agent: string, place: Place): number {
    let late = false;
    let session = this.#known.find(name, source);
    if (session === undefined) {
      // Another Event with the id of one that is kept opens no session (AEP-0003 §5).
      if (this.#isSeen(group, at, source)) return DUPLICATE;
      const startKnown = group.types[group.type[at] ?? 0] === 'session.started' || (place.epoch === 0 && place.seq === 0);
      session = this.#known.open(name, source, { agent, pos: this.#pos + 1, startKnown });
    } else {
      const highest = this.#known.max(session) ?? session.lost;
      if (highest !== undefined && comparePositions(place, highest) <= 0) {
        if (this.#isSeen(group, at, source)) return DUPLICATE;
        late = this.#isLate(session, place);
      }
    }
    if (!this.#put(group, at, source, session.key, SEQUENCED, late, place)) return DUPLICATE;
    this.#known.added(session);
    if (session.max === undefined || comparePositions(place, session.max) > 0) session.max = place;
    return late ? LATE : ADMITTED;
  }

  /** It is anchored at what is highest when it comes (AEP-0003 §5), and has no place where nothing is held. */
  #addForeign(group: Group, at: number, source: number, name: string): number {
    const anchor = this.#known.highest(name);
    if (anchor?.max !== undefined) return this.#put(group, at, source, anchor.key, ANCHORED, false, anchor.max) ? ADMITTED : DUPLICATE;
    if (this.#isSeen(group, at, source)) return DUPLICATE;
    this.#put(group, at, source, this.#known.nobody(name, this.#pos + 1), UNANCHORED);
    return UNBUFFERED;
  }

  #isSeen(group: Group, at: number, source: number): boolean {
    return this.#seen.get(group.ids[at] ?? '', source) !== undefined;
  }

  /** Whether an Event would stand below the replay depth, so that it would open a hole to serve it (AEP-0003 §5). */
  #isLate(session: KnownSession, place: Place): boolean {
    const buffer = this.#buffer;
    if (session.lost !== undefined && comparePositions(place, session.lost) <= 0) return true;
    if (session.count < buffer) return false;
    if (session.lateBelow !== undefined && comparePositions(place, session.lateBelow) < 0) return true;
    let above = this.#positions.countAfter(session.key, SEQUENCED, place, NEWEST, buffer);
    if (above < buffer && above + session.unindexed >= buffer) {
      this.#fill(this.#pos);
      above = this.#positions.countAfter(session.key, SEQUENCED, place, NEWEST, buffer);
    }
    if (above < buffer) return false;
    session.lateBelow = this.#positions.fromTop(session.key, SEQUENCED, buffer, NEWEST);
    return true;
  }

  #put(group: Group, at: number, source: number, session: number | null, kind: number | null, late = false, place: Place = START): boolean {
    const { changes } = this.#insert.run(
      this.#pos + 1,
      source,
      group.ids[at] ?? '',
      session,
      kind,
      late ? 1 : 0,
      session === null ? null : place.epoch,
      session === null ? null : place.seq,
      group.types[group.type[at] ?? 0] ?? '',
      group.times[at] ?? 0,
      group.json[at] ?? '',
    );
    if (Number(changes) === 0) return false;
    this.#pos += 1;
    return true;
  }
}
