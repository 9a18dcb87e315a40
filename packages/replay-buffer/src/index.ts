export { ReplayEvictedError } from './errors.js';
export {
  DEFAULT_BYTES,
  DEFAULT_CHUNK_STEPS,
  DEFAULT_CHUNK_TEXT,
  DEFAULT_COPY,
  DEFAULT_EVICTED_SESSIONS,
  DEFAULT_PER_SESSION_EVENTS,
  DEFAULT_SESSIONS,
} from './options.js';
export {
  ANCHOR_OVERHEAD_BYTES,
  EVENT_OVERHEAD_BYTES,
  EVICTED_OVERHEAD_BYTES,
  SESSION_OVERHEAD_BYTES,
  SOURCE_OVERHEAD_BYTES,
} from './overhead.js';
export { ReplayBuffer } from './replay-buffer.js';
export type { ReplayBufferErrorCode } from './errors.js';
export type { ReplayBufferOptions } from './options.js';
export type { ReplayBufferStats } from './replay-buffer.js';
export type { Admission, Replayed, ReplayFrom, ReplayHint } from './replayed.js';
