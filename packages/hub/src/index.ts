export { HubError } from './errors.js';
export { Hub } from './hub.js';
export { memoryLog } from './memory-log.js';
export {
  DEFAULT_CLOSE_TIMEOUT_MS,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_MAX_DELIVERED_POSITIONS,
  DEFAULT_MAX_ID_LENGTH,
  DEFAULT_MAX_POSITIONS,
  DEFAULT_MAX_QUEUE_BYTES,
  DEFAULT_MAX_SUBSCRIPTIONS,
  DEFAULT_MAX_UNCOMMITTED_BYTES,
  DEFAULT_REPLAY_STALL_MS,
  DEFAULT_REPLAY_WRITE_BYTES,
} from './options.js';

export type { Connection, ConnectOptions, FilterRequest, FromRequest, SubscribeRequest, Subscription } from './connection.js';
export type {
  Admission,
  Ceiling,
  CloseReason,
  Commands,
  CommittedBatch,
  DeliveredPosition,
  Delivery,
  DeliveryBatch,
  Encoder,
  EventLog,
  Exhausted,
  Handed,
  Ingress,
  LogMark,
  PeerConnection,
  Refused,
  Replayed,
  ReplayFrom,
  ReplayHint,
  RosterEntry,
  Sink,
} from './contracts.js';
export type { HubErrorCode, HubErrorContext } from './errors.js';
export type { EndpointCapabilities, EndpointFacts } from './facts.js';
export type { IngestReceipt } from './ingest.js';
export type { MemoryLogOptions } from './memory-log.js';
export type { HubIncident, HubOptions, HubTimers } from './options.js';
export type { HubStats } from './stats.js';
