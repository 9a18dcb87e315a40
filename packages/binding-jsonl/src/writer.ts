export { AGENT_LOG_NAME, LOG_EXTENSION, logPath } from './log-path.js';
export { decodeName, encodeName, MAX_NAME_LENGTH } from './name-encoding.js';
export { DEFAULT_MAX_LINE_BYTES } from './limits.js';
export {
  DEFAULT_DIRECTORY_MODE,
  DEFAULT_FILE_MODE,
  DEFAULT_MAX_BATCH_BYTES,
  DEFAULT_MAX_OPEN_FILES,
  DEFAULT_MAX_QUEUED_BYTES,
  DEFAULT_ROTATE_BYTES,
} from './writer-options.js';
export { JsonlLog } from './jsonl-log.js';
export { JsonlOutput } from './jsonl-output.js';
export { JsonlWriteError } from './errors.js';
export { JsonlWriter } from './jsonl-writer.js';
export { nodeFileSystem } from './file-system.js';

export type { FileFacts, JsonlFile, JsonlFileSystem } from './file-system.js';
export type { FsyncPolicy, JsonlCommonOptions, JsonlLogOptions, JsonlRotation, JsonlWriterOptions } from './writer-options.js';
export type { JsonlLogStats } from './jsonl-log.js';
export type { JsonlOutputOptions } from './jsonl-output.js';
export type { JsonlTimers } from './timers.js';
export type { JsonlWriteErrorCode, JsonlWriteErrorFacts } from './errors.js';
export type { JsonlWriterStats } from './jsonl-writer.js';
export type { Writable } from './outgoing.js';
