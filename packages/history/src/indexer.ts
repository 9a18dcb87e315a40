import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SEQUENCED } from './schema.js';

/**
 * Fills `positions` and the summaries in `sessions` from `events`, some thousand Events at a time. What is filled and how far
 * is committed together, so it is right after any crash.
 */
export class Indexer {
  readonly #fill: StatementSync;
  readonly #summarise: StatementSync;
  readonly #store: StatementSync;
  #committed: number;
  #filled: number;

  constructor(db: DatabaseSync) {
    this.#fill = db.prepare(
      `INSERT INTO positions SELECT session, kind, epoch, seq, pos FROM events
       WHERE pos > ? AND pos <= ? AND session IS NOT NULL ORDER BY session, kind, epoch, seq, pos`,
    );
    this.#summarise = db.prepare(
      `UPDATE sessions SET
         events = events + added,
         first_time = min(coalesce(first_time, earliest), earliest),
         last_time = max(coalesce(last_time, latest), latest),
         last_pos = newest,
         last_type = (SELECT type FROM events WHERE pos = newest),
         ended = max(ended, ends)
       FROM (
         SELECT session AS of, count(*) AS added, min(time) AS earliest, max(time) AS latest, max(pos) AS newest,
           max(type = 'session.ended') AS ends
         FROM events WHERE pos > ? AND pos <= ? AND kind = ${String(SEQUENCED)} GROUP BY session
       ) WHERE session = of`,
    );
    this.#store = db.prepare('UPDATE state SET indexed = ?');
    this.#committed = Number(db.prepare('SELECT indexed FROM state').get()?.indexed);
    this.#filled = this.#committed;
  }

  /** Filled up to here, for certain. */
  get indexed(): number {
    return this.#committed;
  }

  /** Filled up to here, should the transaction that runs be committed. */
  get filled(): number {
    return this.#filled;
  }

  /** Fills up to `pos`, inside a transaction. */
  run(pos: number): void {
    if (pos === this.#filled) return;
    this.#fill.run(this.#filled, pos);
    this.#summarise.run(this.#filled, pos);
    this.#store.run(pos);
    this.#filled = pos;
  }

  committed(): void {
    this.#committed = this.#filled;
  }

  rolledBack(): void {
    this.#filled = this.#committed;
  }
}
