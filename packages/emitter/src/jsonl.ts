export { jsonlTransport } from './jsonl-transport.js';

export type { JsonlTransportOptions } from './jsonl-transport.js';
