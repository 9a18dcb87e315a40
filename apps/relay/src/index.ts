export { DEFAULT_MAX_BACKOFF_MS, DEFAULT_MAX_SESSIONS, DEFAULT_MIN_BACKOFF_MS, DEFAULT_RECHECK_MS } from './link.js';
export { defaultValues, startRelay } from './relay.js';
export { runRelay } from './run-relay.js';
export { relaySettings } from './settings.js';

export type { LinkState } from './link.js';
export type { Relay } from './relay.js';
export type { RelayValues } from './settings.js';
