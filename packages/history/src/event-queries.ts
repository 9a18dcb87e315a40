import type { StatementSync } from 'node:sqlite';
import { Chunk, shareOf } from './chunk.js';
import type { EventQuery, StoredEvent } from './history.js';
import { KeptEvent } from './kept-event.js';
import { Lane, mergeLanes, type PlacedRow, type ReadRows } from './lane.js';
import { checkLimit } from './options.js';
import { compareSpots, type Spot } from './place.js';
import { NEWEST } from './positions.js';
import type { Reader } from './reader.js';
import { arrayRows, type RunRows } from './rows.js';
import { ANCHORED, SEQUENCED, UNANCHORED } from './schema.js';

/** Events that one step looks at, wanted or not. */
const SCAN_ROWS = 512;
const KINDS = [SEQUENCED, ANCHORED, UNANCHORED] as const;
const FIRST: Spot = { epoch: -1, seq: -1, pos: -1 };
const LAST: Spot = { epoch: NEWEST, seq: NEWEST, pos: NEWEST };

/** Bound as `:source` and so on. */
const WANTED = `iif((:source IS NULL OR e.source = :source) AND e.time >= :since AND e.time < :until
  AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types))), e.json, NULL) AS json`;

type Parameters = Readonly<Record<string, string | number | null>>;

/** Events by session, source, type and time. */
export class EventQueries {
  readonly #source: StatementSync;
  readonly #keys: StatementSync;
  readonly #has: StatementSync;
  readonly #spot: StatementSync;
  readonly #log: readonly [ascending: RunRows, descending: RunRows];
  readonly #session: readonly [ascending: RunRows, descending: RunRows];

  constructor(reader: Reader) {
    this.#source = reader.prepare('SELECT source FROM sources WHERE uri = ?');
    this.#has = reader.prepare('SELECT 1 FROM events WHERE id = ? AND source = (SELECT source FROM sources WHERE uri = ?)');
    this.#keys = reader.prepare('SELECT session FROM sessions WHERE name = ?');
    this.#spot = reader.prepare('SELECT epoch, seq, pos FROM events WHERE pos = ?');
    const log = (sign: string, order: string): RunRows =>
      arrayRows(
        reader.prepare(
          `SELECT 0 AS epoch, 0 AS seq, e.pos, ${WANTED} FROM events AS e WHERE e.pos ${sign} :pos
           ORDER BY e.pos ${order} LIMIT :limit`,
        ),
      );
    const session = (sign: string, order: string): RunRows =>
      arrayRows(
        reader.prepare(
          `SELECT p.epoch, p.seq, p.pos, ${WANTED} FROM positions AS p CROSS JOIN events AS e ON e.pos = p.pos
           WHERE p.session = :session AND p.kind = :kind AND (p.epoch, p.seq, p.pos) ${sign} (:epoch, :seq, :pos)
           ORDER BY p.epoch ${order}, p.seq ${order}, p.pos ${order} LIMIT :limit`,
        ),
      );
    this.#log = [log('>', 'ASC'), log('<', 'DESC')];
    this.#session = [session('>', 'ASC'), session('<', 'DESC')];
  }

  has(source: string, id: string): boolean {
    return this.#has.get(id, source) !== undefined;
  }

  /** Gives Events out in chunks; an empty one where a step only scanned. */
  *run(query: EventQuery): Generator<readonly StoredEvent[], void, void> {
    const { limit = Infinity } = query;
    checkLimit(limit);
    const filter = this.#filterOf(query);
    if (filter === undefined || limit <= 0) return;
    const chunk = new Chunk<StoredEvent>();
    let left = limit;
    let scanned = 0;
    for (const { pos, json } of query.session === undefined ? this.#inLog(query, filter) : this.#inSession(query.session, query, filter)) {
      scanned += 1;
      if (json !== null) {
        chunk.add(new KeptEvent(json, pos), json.length);
        left -= 1;
        if (left === 0) break;
      }
      if (chunk.full || scanned % SCAN_ROWS === 0) yield chunk.take();
    }
    yield chunk.take();
  }

  #inLog({ order, after }: EventQuery, filter: Parameters): Iterable<PlacedRow> {
    const descending = order === 'descending';
    const rows = this.#log[descending ? 1 : 0];
    const read: ReadRows = ({ pos }, limit) => rows({ ...filter, pos, limit });
    const behind = descending ? LAST : FIRST;
    return mergeLanes([new Lane(read, after === undefined ? behind : { ...behind, pos: after }, shareOf(1), { sequenced: true })], compareSpots);
  }

  #inSession(name: string, { order, after }: EventQuery, filter: Parameters): Iterable<PlacedRow> {
    const descending = order === 'descending';
    const rows = this.#session[descending ? 1 : 0];
    const behind = after === undefined ? (descending ? LAST : FIRST) : this.#spotOf(after);
    const keys = this.#keys.all(name).map((row) => Number(row.session));
    const share = shareOf(keys.length * KINDS.length);
    const lanes = keys.flatMap((session) =>
      KINDS.map((kind) => {
        const read: ReadRows = ({ epoch, seq, pos }, limit) => rows({ ...filter, session, kind, epoch, seq, pos, limit });
        return new Lane(read, behind, share, { sequenced: kind === SEQUENCED });
      }),
    );
    return mergeLanes(lanes, descending ? (a, b) => compareSpots(b, a) : compareSpots);
  }

  /** `undefined`: no Event can match. */
  #filterOf({ source, types, since, until }: EventQuery): Parameters | undefined {
    if (Number.isNaN(since) || Number.isNaN(until)) throw new RangeError('since and until are times in milliseconds');
    const key = source === undefined ? null : this.#source.get(source)?.source;
    if (key === undefined) return undefined;
    return {
      source: key === null ? null : Number(key),
      since: Math.max(since ?? -NEWEST, -NEWEST),
      until: Math.min(until ?? NEWEST, NEWEST),
      types: types === undefined ? null : JSON.stringify(types),
    };
  }

  #spotOf(mark: number): Spot {
    const row = this.#spot.get(mark);
    if (row === undefined) throw new RangeError('after names no Event of the store');
    return { epoch: Number(row.epoch ?? 0), seq: Number(row.seq ?? 0), pos: mark };
  }
}
