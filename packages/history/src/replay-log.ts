import type { StatementSync } from 'node:sqlite';
import type { LogMark, Replayed } from '@aepkit/hub';
import { Chunk } from './chunk.js';
import { KeptEvent } from './kept-event.js';
import type { Reader } from './reader.js';
import { arrayRows, type RunRows } from './rows.js';
import { ANCHORED } from './schema.js';

/** Events that one step looks at, wanted or not. */
const SCAN_ROWS = 512;

/** What replays in the order of the log ask the database. */
export class LogReads {
  readonly #rows: RunRows;
  readonly #keys: StatementSync;

  constructor(reader: Reader) {
    // Late and unanchored Events are not served by replays, and Events without a session belong to none.
    this.#rows = arrayRows(
      reader.prepare(
        `SELECT pos, iif(late = 0 AND kind <= ${String(ANCHORED)}
           AND (:keys IS NULL OR session IN (SELECT value FROM json_each(:keys))), json, NULL) AS json
       FROM events WHERE pos > :given AND pos <= :upTo ORDER BY pos LIMIT :limit`,
      ),
    );
    this.#keys = reader.prepare('SELECT session FROM sessions WHERE name = ?');
  }

  /** Admitted Events behind one mark up to another, in the order of the log: all of them, however deep. */
  *replay(after: LogMark, upTo: LogMark, wanted: ReadonlySet<string> | undefined): Generator<readonly Replayed[], void, void> {
    const keys = wanted === undefined ? null : JSON.stringify([...wanted].flatMap((name) => this.#keysOf(name)));
    const chunk = new Chunk<Replayed>();
    let given = after;
    for (let more = true; more; ) {
      let scanned = 0;
      for (const [pos, json] of this.#rows({ given, upTo, keys, limit: SCAN_ROWS })) {
        given = Number(pos);
        scanned += 1;
        if (typeof json === 'string') chunk.add({ type: 'event', event: new KeptEvent(json, given) }, json.length);
        if (chunk.full) break;
      }
      more = scanned === SCAN_ROWS || chunk.full;
      yield chunk.take();
    }
  }

  #keysOf(name: string): readonly number[] {
    return this.#keys.all(name).map((row) => Number(row.session));
  }
}
