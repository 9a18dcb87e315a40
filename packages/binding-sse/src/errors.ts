/**
 * Why a {@link SseConsumer} throws. What goes wrong with the endpoint does not throw: it comes out as an item.
 *
 * - `already-running`: a consumer runs once; make another for the next run.
 * - `store-failed`: the position store could not be read or written; `cause` holds its error. Positions that were not saved
 *   come again in the next run.
 */
export type SseConsumerErrorCode = 'already-running' | 'store-failed';

/** Thrown by {@link SseConsumer}. Never holds a token. */
export class SseConsumerError extends Error {
  override readonly name = 'SseConsumerError';
  readonly code: SseConsumerErrorCode;

  constructor(code: SseConsumerErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
