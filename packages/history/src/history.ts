import type { WireEvent } from '@aepkit/envelope';
import type { EventLog, LogMark } from '@aepkit/hub';

/** One `(source, session)`, as the store knows it. Times are those in the Events, in milliseconds since 1970. */
export interface SessionSummary {
  readonly source: string;
  readonly session: string;
  /** `agent` of its first Event. */
  readonly agent: string;
  readonly firstTime: number;
  readonly lastTime: number;
  /** Sequenced Events kept. */
  readonly count: number;
  /** Type of the Event committed last. */
  readonly lastType: string;
  /** Whether a `session.ended` is kept; it ends a session for all epochs (AEP-0002 §7.2). */
  readonly ended: boolean;
  /** Mark of the Event committed last: what {@link History.sessions} sorts by, and its cursor. */
  readonly mark: LogMark;
}

/** Narrows {@link History.sessions}. What is given has to hold together. */
export interface SessionQuery {
  readonly source?: string;
  readonly session?: string;
  /** The next page: `mark` of the last summary of this one. */
  readonly before?: LogMark;
  /** Default 100. */
  readonly limit?: number;
}

/** An Event out of the store, with its place in the order of the log. */
export interface StoredEvent extends WireEvent {
  readonly mark: LogMark;
}

/** Narrows {@link History.events}. What is given has to hold together. */
export interface EventQuery {
  readonly source?: string;
  /**
   * Events of the session of this name: all sources, by position, with foreign-emitter Events behind their anchors
   * (AEP-0003 §5). Without it the order is that of the log.
   */
  readonly session?: string;
  readonly types?: readonly string[];
  /** Earliest `time`, in milliseconds since 1970. */
  readonly since?: number;
  /** First `time` that is too late, in milliseconds since 1970. */
  readonly until?: number;
  /** The next page: `mark` of the last Event of this one, in the same order. */
  readonly after?: LogMark;
  /** Default `ascending`. */
  readonly order?: 'ascending' | 'descending';
  /** Default: all of them. */
  readonly limit?: number;
}

/** What the store holds. */
export interface HistoryStats {
  readonly events: number;
  /** Counted per `(source, session)`. */
  readonly sessions: number;
  readonly databaseBytes: number;
  readonly walBytes: number;
  /** Commits since it was opened. */
  readonly commits: number;
  /** Events in those commits, duplicates included. */
  readonly appended: number;
}

/** A durable `EventLog` in one SQLite file, and queries over it. */
export interface History extends EventLog {
  /** The file, symbolic links resolved. */
  readonly path: string;
  /** The copy that was made because opening it migrated the store; `undefined` where nothing was migrated. */
  readonly backup: string | undefined;
  /** Sessions, the one with the latest commit first. */
  sessions(query?: SessionQuery): Promise<readonly SessionSummary[]>;
  /** Events, read in small pieces. What is committed while it runs may or may not be among them. */
  events(query?: EventQuery): AsyncIterable<StoredEvent>;
  /** Whether the Event of this `(source, id)` is kept. */
  has(source: string, id: string): Promise<boolean>;
  stats(): Promise<HistoryStats>;
  /** Commits what was appended, closes the file and gives the lock back. What is called later is answered with `closed`. */
  close(): Promise<void>;
}
