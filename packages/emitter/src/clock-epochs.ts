import { EmitterError } from './errors.js';
import type { EpochStore } from './epoch-store.js';

/** A clock before this moment, in milliseconds since 1970, is not set: 2026-01-01. */
const EARLIEST_MS: number = Date.UTC(2026, 0, 1);

/** What the clock of this process gave last, to whichever emitter: one may follow another within a millisecond. */
const shared = { last: 0 };

/** Sources of time of {@link clockEpochs}. */
export interface ClockEpochsOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Milliseconds since 1970 by a clock that is read once at the start of the process and never set. Default
   * `performance.timeOrigin + performance.now()`.
   */
  readonly steady?: () => number;
}

/**
 * Epochs from the wall clock: a seed that only grows, in milliseconds since 1970 (AEP-0001 §7.2).
 *
 * Guarded against a clock that is not set (`invalid-epoch`), one that is set back while the process runs, and two openings within
 * a millisecond. A clock that is set back between two runs of the program cannot be noticed without a memory; where that may happen,
 * use a store. Ends and open requests are not remembered either: pass `history` when a session goes on.
 */
export function clockEpochs(options: ClockEpochsOptions = {}): EpochStore {
  const { now = Date.now, steady = () => performance.timeOrigin + performance.now() } = options;
  const seed = options.now === undefined && options.steady === undefined ? shared : { last: 0 };
  return {
    open(_session, _source, above = -1) {
      const time = Math.floor(Math.max(now(), steady()));
      if (!(time >= EARLIEST_MS && Number.isSafeInteger(time))) {
        return Promise.reject(new EmitterError('invalid-epoch', 'the clock is not set, so it gives no epoch', { path: '$.epoch' }));
      }
      seed.last = Math.max(time, seed.last + 1, above + 1);
      return Promise.resolve({ epoch: seed.last });
    },
  };
}
