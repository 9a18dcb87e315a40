export { DEFAULT_CHUNK_BYTES, DEFAULT_LATE_MS, DEFAULT_MAX_LATE_FILES, DEFAULT_POLL_MS } from './follow-options.js';
export { DEFAULT_MAX_LINE_BYTES } from './limits.js';
export { DEFAULT_MAX_VERSIONS } from './reader-options.js';
export { followJsonl } from './follow-jsonl.js';
export { JsonlFollowError } from './errors.js';
export { isRotatedName } from './rotated-name.js';
export { nodeFileSystem } from './file-system.js';

export type { DirectoryWatch } from './directory-watch.js';
export type { FileFacts, JsonlFile, JsonlFileSystem } from './file-system.js';
export type { FollowedLine, FollowItem, FollowNote, JsonlPosition } from './follow-item.js';
export type { FollowOptions } from './follow-options.js';
export type { JsonlBad, JsonlBadCode, JsonlBlank, JsonlEvent, JsonlItem, JsonlNote, JsonlPlace, JsonlSkippedVersion, JsonlTail } from './jsonl-item.js';
export type { JsonlFollowErrorCode } from './errors.js';
export type { JsonlFollower } from './follow-jsonl.js';
export type { JsonlTimers } from './timers.js';
