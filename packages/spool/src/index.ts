export { SpoolError } from './errors.js';
export { nodeFileSystem } from './file-system.js';
export { openSpool } from './open-spool.js';
export { DEFAULT_BATCH_BYTES, DEFAULT_BATCH_LINES, DEFAULT_LOCK_TIMEOUT_MS, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINE_BYTES } from './options.js';
export type { SpoolErrorCode } from './errors.js';
export type { SpoolFile, SpoolFileSystem } from './file-system.js';
export type { SpoolOptions } from './options.js';
export type { AppendOutcome, DrainOptions, DrainOutcome, Spool, SpoolLine, SpoolStats } from './spool.js';
