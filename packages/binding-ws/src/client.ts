export { CLOSE_CODES } from './close-codes.js';

export type { CloseCode } from './close-codes.js';
