import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Place, Spot } from './place.js';

/** No mark is higher. */
export const NEWEST: number = Number.MAX_SAFE_INTEGER;

/** Questions to the index by position. Each costs what it counts, whatever the store holds. */
export class Positions {
  readonly #countAfter: StatementSync;
  readonly #fromTop: StatementSync;
  readonly #lowest: StatementSync;

  constructor(db: Pick<DatabaseSync, 'prepare'>) {
    this.#countAfter = db.prepare(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM positions WHERE session = ? AND kind = ? AND (epoch, seq) > (?, ?) AND pos <= ? LIMIT ?
       )`,
    );
    this.#fromTop = db.prepare(
      `SELECT epoch, seq, pos FROM positions WHERE session = ? AND kind = ? AND pos <= ?
       ORDER BY epoch DESC, seq DESC, pos DESC LIMIT 1 OFFSET ?`,
    );
    this.#lowest = db.prepare(
      `SELECT epoch, seq, pos FROM positions WHERE session = ? AND kind = ? AND pos <= ? ORDER BY epoch, seq, pos LIMIT 1`,
    );
  }

  /** How many Events of a kind stand behind a position; counted up to `limit`. */
  countAfter(session: number, kind: number, place: Place, upTo: number, limit: number): number {
    return Number(this.#countAfter.get(session, kind, place.epoch, place.seq, upTo, limit)?.n);
  }

  /** Where the n-th Event of a kind stands, counted down from the highest position. */
  fromTop(session: number, kind: number, n: number, upTo: number): Spot | undefined {
    if (n === Infinity) return undefined;
    return spotOf(this.#fromTop.get(session, kind, upTo, n - 1));
  }

  lowest(session: number, kind: number, upTo: number): Spot | undefined {
    return spotOf(this.#lowest.get(session, kind, upTo));
  }
}

function spotOf(row: Record<string, SQLOutputValue> | undefined): Spot | undefined {
  return row && { epoch: Number(row.epoch), seq: Number(row.seq), pos: Number(row.pos) };
}
