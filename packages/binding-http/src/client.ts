export { DEFAULT_DISCOVERY_TIMEOUT_MS, DEFAULT_MAX_DISCOVERY_BYTES, discover } from './discover.js';
export {
  DEFAULT_BASE_DELAY_MS,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_MAX_BATCH_BYTES,
  DEFAULT_MAX_BATCH_EVENTS,
  DEFAULT_MAX_DELAY_MS,
  DEFAULT_MAX_QUEUED_BYTES,
  DEFAULT_MAX_RETRY_MS,
  DEFAULT_REQUEST_TIMEOUT_MS,
} from './emitter-options.js';
export { DiscoverError, HttpEmitError } from './errors.js';
export { HttpEmitter } from './http-emitter.js';

export type { ClientTimers } from './deadline.js';
export type { DiscoveredEndpoints, DiscoverOptions, Discovery } from './discover.js';
export type { FetchLike, HttpEmitterOptions, HttpRetry } from './emitter-options.js';
export type { DiscoverErrorCode, HttpEmitErrorCode, HttpEmitErrorFacts } from './errors.js';
export type { Receipt, SendOptions } from './http-emitter.js';
