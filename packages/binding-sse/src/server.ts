export {
  DEFAULT_CLOSE_GRACE_MS,
  DEFAULT_DRAIN_MS,
  DEFAULT_HEARTBEAT_MS,
  DEFAULT_HIGH_WATER_MARK_BYTES,
  DEFAULT_MAX_QUERY_CHARS,
  DEFAULT_RETRY_AFTER_SECONDS,
} from './binding-options.js';
export { sseEncoder } from './encoder.js';
export { formatEventId, MAX_EVENT_ID_BYTES, parseEventId } from './event-id.js';
export { formatExhausted, parseExhausted } from './exhausted-comment.js';
export { sseBinding } from './sse-binding.js';

export type { SseBindingOptions } from './binding-options.js';
export type { SseRefusal, SseRefusalError } from './refusal.js';
export type { SseTimers } from './timers.js';
