export { DEFAULT_CONFIRM_TIMEOUT_MS, webSocketTransport } from './websocket-transport.js';

export type { WebSocketTransportOptions } from './websocket-transport.js';
