import type { StatementSync } from 'node:sqlite';
import type { ReadRows } from './lane.js';
import type { Place } from './place.js';
import { Positions } from './positions.js';
import type { Reader } from './reader.js';
import { arrayRows, type RunRows } from './rows.js';
import { NOBODY } from './schema.js';

/** What is kept of a `(source, session)`, as far as a replay needs it. */
export interface SessionRow {
  readonly key: number;
  readonly source: string;
  /** Nothing can have come before its first Event (AEP-0003 §5). */
  readonly startKnown: boolean;
  /** The highest position that retention has deleted. */
  readonly lost: Place | undefined;
}

/** What replays ask the database. Everything is as of a mark: what was committed behind it is not there. */
export class SessionReads {
  readonly positions: Positions;
  readonly #sessions: StatementSync;
  readonly #rows: RunRows;
  readonly #recent: StatementSync;

  constructor(reader: Reader) {
    this.positions = new Positions(reader);
    this.#sessions = reader.prepare(
      `SELECT session, uri, start_known, lost_epoch, lost_seq FROM sessions JOIN sources USING (source)
       WHERE name = ? AND source <> ${String(NOBODY)} AND first_pos <= ? ORDER BY session`,
    );
    this.#rows = arrayRows(
      reader.prepare(
        `SELECT p.epoch, p.seq, p.pos, e.json, e.type FROM positions AS p CROSS JOIN events AS e ON e.pos = p.pos
         WHERE p.session = :session AND p.kind = :kind AND (p.epoch, p.seq, p.pos) > (:epoch, :seq, :pos) AND p.pos <= :upTo
         ORDER BY p.epoch, p.seq, p.pos LIMIT :limit`,
      ),
    );
    // As bytes: Node 22 ends a text at U+0000.
    this.#recent = reader.prepare(
      `SELECT CAST(name AS BLOB) AS name FROM sessions WHERE last_pos IS NOT NULL AND first_pos <= ? ORDER BY last_pos DESC`,
    );
  }

  /** The sessions of a name, one per source. */
  named(name: string, upTo: number): readonly SessionRow[] {
    return this.#sessions.all(name, upTo).map((row) => ({
      key: Number(row.session),
      source: String(row.uri),
      startKnown: row.start_known === 1,
      lost: row.lost_epoch === null ? undefined : { epoch: Number(row.lost_epoch), seq: Number(row.lost_seq) },
    }));
  }

  /** Names of the sessions committed to last, of those wanted; the one with the oldest commit first. */
  recentNames(limit: number, upTo: number, wanted: ReadonlySet<string> | undefined): readonly string[] {
    const names = new Set<string>();
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (const row of this.#recent.iterate(upTo)) {
      names.add(decoder.decode(row.name as Uint8Array));
      if (names.size >= limit) break;
    }
    return [...names].filter((name) => wanted === undefined || wanted.has(name)).reverse();
  }

  rows(session: number, kind: number, upTo: number): ReadRows {
    return ({ epoch, seq, pos }, limit) => this.#rows({ session, kind, epoch, seq, pos, upTo, limit });
  }
}
