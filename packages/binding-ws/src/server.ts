export { attachWebSocket } from './attach-web-socket.js';
export {
  DEFAULT_CLOSE_GRACE_MS,
  DEFAULT_HELLO_TIMEOUT_MS,
  DEFAULT_HIGH_WATER_MARK_BYTES,
  DEFAULT_IDLE_TIMEOUT_MS,
  DEFAULT_MAX_BUFFERED_BYTES,
  DEFAULT_MAX_FAULTS,
  DEFAULT_MAX_HELLO_BYTES,
  DEFAULT_MAX_OPENING,
  DEFAULT_MAX_ROSTER_BYTES,
  DEFAULT_MAX_UNCOMMITTED_BYTES,
  DEFAULT_MAX_UNFINISHED_BYTES,
  DEFAULT_MAX_URL_CHARS,
  DEFAULT_MESSAGE_TIMEOUT_MS,
  DEFAULT_OVERLOAD_TIMEOUT_MS,
  DEFAULT_PING_MS,
  DEFAULT_PROBE_TIMEOUT_MS,
  DEFAULT_RETRY_AFTER_SECONDS,
} from './binding-options.js';
export { CLOSE_CODES } from './close-codes.js';
export { decodeMessage } from './decode-message.js';
export { encodeFrame } from './encode-frame.js';
export { FRAME_TYPES } from './frame.js';
export { DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
export { wsEncoder } from './text-frame.js';
export { webSocketBinding } from './web-socket-binding.js';

export type { WebSocketBindingOptions, WsIncident } from './binding-options.js';
export type { CloseCode } from './close-codes.js';
export type { DecodedMessage, DecodeLimits } from './decode-message.js';
export type { EndReason } from './end-reason.js';
export type { WsErrorCode } from './error-code.js';
export type {
  ClosingFrame,
  ErrorFrame,
  Frame,
  FrameType,
  HelloFrame,
  Identity,
  PingFrame,
  PongFrame,
  ReplayExhaustedFrame,
  Role,
  RosterFrame,
  SubscribedFrame,
  SubscribeFrame,
  UnsubscribedFrame,
  UnsubscribeFrame,
} from './frame.js';
export type { FrameFault, FrameFaultCode } from './frame-fault.js';
export type { WsRefusal, WsRefusalError } from './refuse-upgrade.js';
export type { WsTimers } from './timers.js';
export type { WebSocketBinding } from './web-socket-binding.js';
