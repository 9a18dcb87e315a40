import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { comparePositions } from '@aepkit/envelope';
import type { Place } from './place.js';
import { NOBODY, SEQUENCED } from './schema.js';
import { TwoGenerations } from './two-generations.js';

/** What the writer remembers of sources, and of sessions, before it asks the database again: twice this at most, each. */
const REMEMBERED_BYTES = 8 * 1024 ** 2;
/** One entry, its name apart. */
const ENTRY_BYTES = 400;

/** What the writer has to know of one `(source, session)` to place an Event in it. */
export interface KnownSession {
  /** `sessions.session`. */
  readonly key: number;
  /** Sequenced Events kept. */
  count: number;
  /** How many of them are not in `positions` yet. */
  unindexed: number;
  /** Highest position; read when it is asked for. */
  max: Place | undefined;
  /** Below this an Event is late for certain; it only rises. */
  lateBelow: Place | undefined;
  /** Highest position that retention has deleted. */
  readonly lost: Place | undefined;
}

/** The sessions of one name, by number of their source. */
interface KnownName {
  readonly bySource: Map<number, KnownSession>;
  nobody: number | undefined;
}

/** The first Event of a session. */
export interface FirstEvent {
  readonly agent: string;
  readonly pos: number;
  /** Nothing can have come before it (AEP-0003 §5, start of a session). */
  readonly startKnown: boolean;
}

/**
 * Sources and sessions by name, remembered. A session leaves the memory only when all its Events are in `positions`, so that
 * what is read about one from the database is complete.
 */
export class KnownSessions {
  readonly #sources = new TwoGenerations<string, number>(REMEMBERED_BYTES);
  readonly #names = new TwoGenerations<string, KnownName>(REMEMBERED_BYTES);
  #unindexed: KnownSession[] = [];
  #forgotten = false;
  readonly #findSource: StatementSync;
  readonly #addSource: StatementSync;
  readonly #findSessions: StatementSync;
  readonly #addSession: StatementSync;
  readonly #findMax: StatementSync;

  constructor(db: DatabaseSync) {
    this.#findSource = db.prepare('SELECT source FROM sources WHERE uri = ?');
    this.#addSource = db.prepare('INSERT INTO sources (uri) VALUES (?)');
    this.#findSessions = db.prepare('SELECT session, source, events, lost_epoch, lost_seq FROM sessions WHERE name = ?');
    this.#addSession = db.prepare(
      'INSERT INTO sessions (name, source, agent, first_pos, start_known) VALUES (?, ?, ?, ?, ?)',
    );
    this.#findMax = db.prepare(
      `SELECT epoch, seq FROM positions WHERE session = ? AND kind = ${String(SEQUENCED)} ORDER BY epoch DESC, seq DESC LIMIT 1`,
    );
  }

  source(uri: string): number {
    const known = this.#sources.get(uri);
    if (known !== undefined) return known;
    const found = this.#findSource.get(uri)?.source;
    const source = Number(found ?? this.#addSource.run(uri).lastInsertRowid);
    this.#sources.set(uri, source, bytesOf(uri));
    return source;
  }

  find(name: string, source: number): KnownSession | undefined {
    return this.#name(name).bySource.get(source);
  }

  open(name: string, source: number, first: FirstEvent): KnownSession {
    const key = this.#insert(name, source, first);
    const session: KnownSession = { key, count: 0, unindexed: 0, max: undefined, lateBelow: undefined, lost: undefined };
    this.#name(name).bySource.set(source, session);
    this.#names.grow(ENTRY_BYTES);
    return session;
  }

  /** The row for foreign-emitter Events of a name that nobody has sequenced Events under. */
  nobody(name: string, pos: number): number {
    const known = this.#name(name);
    known.nobody ??= this.#insert(name, NOBODY, { agent: '', pos, startKnown: false });
    return known.nobody;
  }

  /** The session of a name with the highest position: where a foreign-emitter Event is anchored. */
  highest(name: string): KnownSession | undefined {
    let highest: KnownSession | undefined;
    for (const session of this.#name(name).bySource.values()) {
      const max = this.max(session);
      if (max === undefined) continue;
      if (highest?.max === undefined || comparePositions(max, highest.max) > 0) highest = session;
    }
    return highest;
  }

  max(session: KnownSession): Place | undefined {
    if (session.max === undefined && session.count > 0) {
      const row = this.#findMax.get(session.key);
      if (row !== undefined) session.max = { epoch: Number(row.epoch), seq: Number(row.seq) };
    }
    return session.max;
  }

  /** One more sequenced Event was inserted. */
  added(session: KnownSession): void {
    session.count += 1;
    if (session.unindexed === 0) this.#unindexed.push(session);
    session.unindexed += 1;
  }

  /** Whether there may be Events outside `positions` that nothing here counts; {@link indexed} has to be next. */
  get forgotten(): boolean {
    return this.#forgotten;
  }

  /** Whether {@link indexed} would do well to come soon. */
  get crowded(): boolean {
    return this.#sources.heavy || this.#names.heavy;
  }

  /** Every Event is in `positions`. */
  indexed(): void {
    this.#forgotten = false;
    for (const session of this.#unindexed) session.unindexed = 0;
    this.#unindexed = [];
    this.#sources.age();
    this.#names.age();
  }

  /** What was learnt inside a transaction that was rolled back is not so. */
  forget(): void {
    this.#sources.clear();
    this.#names.clear();
    this.#unindexed = [];
    this.#forgotten = true;
  }

  #name(name: string): KnownName {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const found: KnownName = { bySource: new Map(), nobody: undefined };
    for (const row of this.#findSessions.all(name)) {
      const key = Number(row.session);
      if (row.source === NOBODY) found.nobody = key;
      else {
        const lost = row.lost_epoch === null ? undefined : { epoch: Number(row.lost_epoch), seq: Number(row.lost_seq) };
        found.bySource.set(Number(row.source), {
          key,
          count: Number(row.events),
          unindexed: 0,
          max: undefined,
          lateBelow: undefined,
          lost,
        });
      }
    }
    this.#names.set(name, found, bytesOf(name) + found.bySource.size * ENTRY_BYTES);
    return found;
  }

  #insert(name: string, source: number, first: FirstEvent): number {
    const { agent, pos, startKnown } = first;
    return Number(this.#addSession.run(name, source, agent, pos, startKnown ? 1 : 0).lastInsertRowid);
  }
}

function bytesOf(name: string): number {
  return 2 * name.length + ENTRY_BYTES;
}
