import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openReader } from './connection.js';
import { HistoryError, historyError, isSqliteError } from './errors.js';

/**
 * The connection that reads. Nothing is held across turns of the event loop: a read is a generator whose steps run one per
 * turn, each inside a transaction of its own, so that checkpoints complete and others are served while somebody reads.
 */
export class Reader {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  #open = true;

  constructor(path: string, mapBytes: number, open: typeof openReader = openReader) {
    this.#path = path;
    this.#db = open(path, mapBytes);
    this.#begin = this.#db.prepare('BEGIN');
    this.#end = this.#db.prepare('COMMIT');
  }

  prepare(sql: string): StatementSync {
    return this.#db.prepare(sql);
  }

  /** Runs one small read. What it reads is of one moment. Throws HistoryError. */
  once<T>(read: () => T): T {
    if (!this.#open) throw new HistoryError('closed', `${this.#path} is closed`);
    try {
      this.#begin.run();
      try {
        return read();
      } finally {
        this.#end.run();
      }
    } catch (error) {
      throw isSqliteError(error) ? historyError(error, this.#path) : error;
    }
  }

  /** Runs a read step by step and passes on what the steps give; nothing where a step only scanned. */
  async *steps<T>(read: Iterator<readonly T[], void>): AsyncGenerator<readonly T[], void, void> {
    for (;;) {
      const step = this.once(() => read.next());
      if (step.done === true) return;
      if (step.value.length > 0) yield step.value;
      await nextTurn();
    }
  }

  close(): void {
    this.#open = false;
    this.#db.close();
  }
}
