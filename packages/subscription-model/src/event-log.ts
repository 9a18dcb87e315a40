import type { WireEvent } from '@aepkit/envelope';

/** What a log did with one Event; only `admitted` ones are replayed. */
export type LogAdmission = 'admitted' | 'duplicate' | 'late' | 'unbuffered';

/** Events that were committed together. */
export interface LogBatch {
  readonly events: readonly WireEvent[];
  /** One for each Event, same order. */
  readonly admissions: readonly LogAdmission[];
  /** The mark behind the batch. */
  readonly mark: number;
}

/** One step of a replay behind a mark; only Events are of interest here. */
export type LogStep = { readonly type: 'event'; readonly event: WireEvent } | { readonly type: 'exhausted' | 'session-end' };

/**
 * The part of an event log that cursors need. The `EventLog` of `@aepkit/hub` has this shape, in memory and on disk; this package
 * does not import it.
 */
export interface EventLogLike {
  /** The mark behind the last committed batch. Marks rise with commits; nothing else is assumed of them. */
  mark(): number;
  /** Calls back for every committed batch, in order. Gives a function that ends it. */
  onCommit(listener: (batch: LogBatch) => void): () => void;
  /** Every admitted Event between two marks in the order of the log, in chunks; throws `replay-evicted` where one is gone. */
  replay(from: { readonly type: 'mark'; readonly mark: number }, upTo: number): AsyncIterable<readonly LogStep[]>;
}
