export { HistoryError } from './errors.js';
export { openHistory } from './open-history.js';
export { openStoredEvents } from './stored-events.js';
export {
  DEFAULT_BUFFER_EVENTS,
  DEFAULT_GROUP_EVENTS,
  DEFAULT_MAP_BYTES,
  DEFAULT_MAX_BYTES,
  DEFAULT_SESSIONS,
} from './options.js';

export type { HistoryErrorCode } from './errors.js';
export type { EventQuery, History, HistoryStats, SessionQuery, SessionSummary, StoredEvent } from './history.js';
export type { HistoryOptions } from './options.js';
export type { StoredEvents } from './stored-events.js';
