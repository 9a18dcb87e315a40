import type { LogMark } from '@aepkit/hub';
import type { HistoryError } from './errors.js';
import type { Group, Outcome } from './group.js';

/** Runs a writer, here or elsewhere. Requests are done in the order they are made. */
export interface Engine {
  /** The mark when it was opened. */
  readonly mark: LogMark;
  /** Calls back in a later turn of the event loop. */
  commit(group: Group, done: (result: Outcome | HistoryError) => void): void;
  /** Brings positions and summaries up to the last commit, and says up to where they are. Rejects with HistoryError. */
  index(): Promise<LogMark>;
  close(): Promise<void>;
}
