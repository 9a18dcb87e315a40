export {
  DEFAULT_DIRECT_TIMEOUT_MS,
  DEFAULT_SPOOL_BATCH_BYTES,
  DEFAULT_SPOOL_BATCH_EVENTS,
  DEFAULT_SPOOL_RETRY_BASE_MS,
  DEFAULT_SPOOL_RETRY_MAX_MS,
  spoolTransport,
} from './spool-transport.js';

export type { SpoolTransport, SpoolTransportOptions } from './spool-transport.js';
