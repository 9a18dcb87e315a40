export { CLOSE_CODES } from './close-codes.js';
export { decodeMessage } from './decode-message.js';
export { encodeFrame } from './encode-frame.js';

export type { CloseCode } from './close-codes.js';
export type { DecodedMessage, DecodeLimits } from './decode-message.js';
export type { Frame } from './frame.js';
export type { FrameFault, FrameFaultCode } from './frame-fault.js';
