export { checkMessage, parseMessage } from './parse-message.js';
export { compileFilter, matches, parseFilter } from './compile-filter.js';
export { compilePattern, matchesType } from './type-pattern.js';
export { ConsumerError, FilterError, MessageError, StreamError } from './errors.js';
export { CRITERIA, FILTER_FIELDS } from './filter-source.js';
export { DEFAULT_DELIVERY_MODE, DELIVERY_MODES } from './delivery-mode.js';
export { DEFAULT_MAX_DEPTH, DEFAULT_MAX_FILTER_BYTES, DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_MAX_SEGMENTS, DEFAULT_MAX_VALUES } from './limits.js';
export {
  DEFAULT_HEARTBEAT_INTERVAL_MS,
  DEFAULT_LIFETIME_MS,
  DEFAULT_MAX_CONTROL_BACKLOG,
  DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION,
  DEFAULT_MAX_ID_LENGTH,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_MAX_SUBSCRIPTIONS,
  DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION,
  DEFAULT_MAX_UNACKNOWLEDGED,
  DEFAULT_MAX_UNACKNOWLEDGED_BYTES,
} from './producer-options.js';
export {
  DEFAULT_ACK_TIMEOUT_MS,
  DEFAULT_BACKOFF_MS,
  DEFAULT_BACKOFF_MULTIPLIER,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_MAX_BACKOFF_MS,
} from './retry-policy.js';
export { DEFAULT_MAX_MARKS, eventLogStream } from './event-log-stream.js';
export { DEFAULT_MAX_PENDING, DEFAULT_MAX_REMEMBERED } from './consumer-options.js';
export { DEFAULT_STREAM_BYTES, DEFAULT_STREAM_EVENTS, memoryStream } from './memory-stream.js';
export { MESSAGE_VERSION } from './message.js';
export { messageOfEvent } from './message-of-event.js';
export { readWireError, WIRE_ERROR_CODES, wireError } from './wire-error.js';
export { runConsumer } from './run-consumer.js';
export { runProducer } from './run-producer.js';
export { SubscriptionConsumer } from './consumer.js';
export { SubscriptionIndex } from './subscription-index.js';
export { SubscriptionProducer } from './producer.js';

export type { ClauseExplanation, ClauseReason, Explanation } from './explanation.js';
export type { CompileOptions } from './compile-filter.js';
export type { ConnectOptions, ProducerConnection } from './producer-connection.js';
export type { ConsumerErrorCode, FilterErrorCode, MessageErrorCode, MessageFacts, StreamErrorCode } from './errors.js';
export type { ConsumerItem, EventItem } from './consumer-item.js';
export type { ConsumerOptions } from './consumer-options.js';
export type { ConsumerSubscription, ConsumerSubscriptionState } from './consumer-subscription.js';
export type { Delivery, Message, Routable } from './message.js';
export type { DeliveryMode } from './delivery-mode.js';
export type { EventLogLike, LogAdmission, LogBatch, LogStep } from './event-log.js';
export type { EventLogStreamOptions } from './event-log-stream.js';
export type { EventStream, StreamEntry, StreamPlace, StreamReader } from './event-stream.js';
export type { Filter, FilterClause } from './filter.js';
export type { FilterField, FilterSource } from './filter-source.js';
export type { FilterLimits } from './limits.js';
export type { Incoming, TextDuplex } from './duplex.js';
export type { IndexEntry } from './subscription-index.js';
export type { MemoryStreamOptions } from './memory-stream.js';
export type { ParseMessageOptions } from './parse-message.js';
export type { PatternOptions, TypePattern } from './type-pattern.js';
export type { ProducerIncident } from './producer-incident.js';
export type { ProducerOptions, Subscriber } from './producer-options.js';
export type { ProducerStats, Publication } from './producer.js';
export type { RetryPolicy } from './retry-policy.js';
export type { SessionState } from './session-state.js';
export type { SubscriptionFacts } from './producer-subscription.js';
export type { Timers } from './clock.js';
export type { WireError, WireErrorCode } from './wire-error.js';
