export { DEFAULT_MAX_LINE_BYTES } from './limits.js';
export { DEFAULT_MAX_VERSIONS } from './reader-options.js';
export { JsonlReader } from './jsonl-reader.js';
export { LineReader } from './line-reader.js';
export { readJsonl } from './read-jsonl.js';

export type { ByteSource } from './read-jsonl.js';
export type {
  JsonlBad,
  JsonlBadCode,
  JsonlBlank,
  JsonlEvent,
  JsonlItem,
  JsonlNote,
  JsonlPlace,
  JsonlSkippedVersion,
  JsonlStats,
  JsonlTail,
} from './jsonl-item.js';
export type { LineItem, LineReaderOptions } from './line-reader.js';
export type { JsonlReaderOptions } from './reader-options.js';
