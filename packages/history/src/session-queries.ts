import type { StatementSync } from 'node:sqlite';
import type { SessionQuery, SessionSummary } from './history.js';
import { checkLimit } from './options.js';
import { NEWEST } from './positions.js';
import type { Reader } from './reader.js';

const DEFAULT_LIMIT = 100;

/** Summaries of sessions, from what the indexer keeps. */
export class SessionQueries {
  readonly #recent: StatementSync;
  readonly #named: StatementSync;
  readonly #totals: StatementSync;

  constructor(reader: Reader) {
    // Texts as bytes: Node 22 ends a text at U+0000.
    const select = `SELECT CAST(uri AS BLOB) AS uri, CAST(name AS BLOB) AS name, CAST(agent AS BLOB) AS agent,
        first_time, last_time, events, last_type, ended, last_pos
      FROM sessions CROSS JOIN sources USING (source)
      WHERE last_pos < :before AND (:source IS NULL OR uri = :source)`;
    const page = 'ORDER BY last_pos DESC LIMIT :limit';
    this.#recent = reader.prepare(`${select} ${page}`);
    this.#named = reader.prepare(`${select} AND name = :session ${page}`);
    // Every Event has the next `pos`, so the highest is their number.
    this.#totals = reader.prepare(
      'SELECT (SELECT max(pos) FROM events) AS events, (SELECT count(*) FROM sessions WHERE last_pos IS NOT NULL) AS sessions',
    );
  }

  totals(): { readonly events: number; readonly sessions: number } {
    const row = this.#totals.get();
    return { events: Number(row?.events ?? 0), sessions: Number(row?.sessions) };
  }

  list({ source, session, before = NEWEST, limit = DEFAULT_LIMIT }: SessionQuery): readonly SessionSummary[] {
    checkLimit(limit);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const text = (value: unknown): string => decoder.decode(value as Uint8Array);
    const page = { before, source: source ?? null, limit: limit === Infinity ? -1 : limit };
    const rows = session === undefined ? this.#recent.all(page) : this.#named.all({ ...page, session });
    return rows.map((row) => ({
      source: text(row.uri),
      session: text(row.name),
      agent: text(row.agent),
      firstTime: Number(row.first_time),
      lastTime: Number(row.last_time),
      count: Number(row.events),
      lastType: String(row.last_type),
      ended: row.ended === 1,
      mark: Number(row.last_pos),
    }));
  }
}
