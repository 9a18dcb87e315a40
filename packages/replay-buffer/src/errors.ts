/** The codes of {@link ReplayEvictedError}. Closed: a new member is a breaking change. */
export type ReplayBufferErrorCode = 'replay-evicted';

/**
 * A running replay lost its next Event to eviction (AEP-0003 §5). It is never skipped: end the consumer as a slow one, and
 * its next resume gets the `replay-exhausted` marker.
 */
export class ReplayEvictedError extends Error {
  override readonly name: string = 'ReplayEvictedError';
  /** Always `replay-evicted`. */
  readonly code: ReplayBufferErrorCode = 'replay-evicted';

  constructor() {
    super('an Event that this replay was still to give has been evicted');
  }
}
