import type { ResumeItem } from '@aepkit/resume';

/**
 * Why a stream ended.
 *
 * - `ended`: the endpoint ended it in good order; `detail` holds its goodbye, for example `slow-consumer` or `shutting-down`.
 * - `cut`: the connection broke.
 * - `no-answer`: there was no connection, or no answer in time.
 * - `silent`: not a byte for `heartbeatTimeoutMs`.
 * - `unavailable`: 429 or 5xx.
 * - `protocol`: what came is not an event stream that can be read on, for example a line that never ends.
 * - `complete`: a request with `live: false` got its whole replay; the run is over.
 * - `no-content`: 204; the endpoint wants no further request, the run is over.
 */
export type ClosedReason = 'ended' | 'cut' | 'no-answer' | 'silent' | 'unavailable' | 'protocol' | 'complete' | 'no-content';

/** What a {@link SseConsumer} gives. */
export type SseItem =
  /** A stream is open, an Event, something that is missing, or a message that was skipped. */
  | ResumeItem
  /** The stream is over. The next attempt comes in `retryInMs`; without it there is none. */
  | { readonly type: 'closed'; readonly reason: ClosedReason; readonly detail?: string; readonly status?: number; readonly retryInMs?: number }
  /** The endpoint refuses for good; the run is over. `code` and `detail` are its words, untrusted. */
  | { readonly type: 'refused'; readonly status: number; readonly code: string; readonly detail: string };
