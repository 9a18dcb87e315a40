import { WebSocket } from 'ws';

import { resolveClientOptions, type SocketClientOptions } from './client-options.js';
import { PeerClient } from './peer-client.js';
import type { SocketClient } from './socket-client.js';

/** `connectSocket` of Node. */
export function connectSocket(options: SocketClientOptions): SocketClient {
  return new PeerClient(resolveClientOptions(options, { webSocket: WebSocket, tokenIn: 'header' }));
}
