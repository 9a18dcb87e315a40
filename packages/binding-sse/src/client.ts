export {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_HEARTBEAT_TIMEOUT_MS,
  DEFAULT_MAX_BACKOFF_MS,
  DEFAULT_MAX_MESSAGE_BYTES,
  DEFAULT_MAX_RETRY_AFTER_MS,
  DEFAULT_MAX_URL_CHARS,
  DEFAULT_MIN_BACKOFF_MS,
} from './consumer-options.js';
export { SseConsumerError } from './errors.js';
export { formatEventId, MAX_EVENT_ID_BYTES, parseEventId } from './event-id.js';
export { formatExhausted, parseExhausted } from './exhausted-comment.js';
export { SseConsumer } from './sse-consumer.js';
export { DEFAULT_MAX_SEEN, DEFAULT_MAX_SESSIONS } from '@aepkit/resume';

export type { FetchLike, SseConsumerOptions } from './consumer-options.js';
export type { SseConsumerErrorCode } from './errors.js';
export type { SseConsumerStats } from './sse-consumer.js';
export type { ClosedReason, SseItem } from './sse-item.js';
export type { SseTimers } from './timers.js';
export type { GapReason, PositionStore, ResumeMode, SavedPosition } from '@aepkit/resume';
