export { bodyReader, isBodyRefusal } from './body-reader.js';
export { httpBinding } from './http-binding.js';
export {
  DEFAULT_BODY_TIMEOUT_MS,
  DEFAULT_LINGER_BYTES,
  DEFAULT_LINGER_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_EVENT_BYTES,
  DEFAULT_MAX_LINES,
  DEFAULT_MAX_PENDING_BYTES,
  DEFAULT_RETRY_AFTER_SECONDS,
} from './options.js';

export type { BodyReader, BodyReaderOptions, BodyRefusal } from './body-reader.js';
export type { HttpBindingOptions, HttpEndpoints, HttpTimers } from './options.js';
export type { HttpRefusal } from './refusal.js';
