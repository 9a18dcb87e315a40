export { CLOSE_CODES } from './close-codes.js';
export {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_LEAVE_MS,
  DEFAULT_MAX_BACKOFF_MS,
  DEFAULT_MAX_POSITIONS,
  DEFAULT_MAX_QUEUED_BYTES,
  DEFAULT_MAX_RECEIVED_BYTES,
  DEFAULT_MAX_SOCKETS,
  DEFAULT_MAX_UNCONFIRMED_BYTES,
  DEFAULT_MIN_BACKOFF_MS,
  DEFAULT_PING_INTERVAL_MS,
  DEFAULT_REQUEST_TIMEOUT_MS,
  DEFAULT_SILENCE_TIMEOUT_MS,
} from './client-options.js';
export { connectSocket } from './connect-socket.js';
export { SOCKET_CLIENT_ERROR_CODES, SocketClientError } from './errors.js';
export { DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
export { DEFAULT_MAX_SEEN, DEFAULT_MAX_SESSIONS } from '@aepkit/resume';

export type { SocketClientOptions } from './client-options.js';
export type { CloseCode } from './close-codes.js';
export type { SocketClientErrorCode, SocketClientErrorFacts } from './errors.js';
export type { ErrorFrame, HelloFrame, Identity, Role } from './frame.js';
export type {
  CommandDelivery,
  CommandReceipt,
  EndpointHello,
  SendOptions,
  SocketClient,
  SocketClientStats,
  SocketStatus,
  SocketSubscription,
} from './socket-client.js';
export type { Closed, ClosedReason, Refused, SocketItem } from './socket-item.js';
export type { SocketTimers } from './socket-timers.js';
export type { SubscribeOptions } from './subscribe-options.js';
export type { WebSocketConstructor, WebSocketLike, WebSocketSettings } from './web-socket-like.js';
export type { GapReason, PositionStore, ResumeMode, SavedPosition } from '@aepkit/resume';
