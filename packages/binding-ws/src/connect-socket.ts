import { resolveClientOptions, type SocketClientOptions } from './client-options.js';
import { PeerClient } from './peer-client.js';
import type { SocketClient } from './socket-client.js';
import type { WebSocketConstructor } from './web-socket-like.js';

/**
 * Connects to the socket of an endpoint (AEP-0003 §3.5) with the WebSocket of the platform, and keeps at it until it is closed or the
 * endpoint refuses for good. In Node, `ws` is used: it can send the token as a header, stop reading, and bound what it reads.
 *
 * @example
 * const client = connectSocket({ url: 'ws://127.0.0.1:4319/socket' });
 * for await (const item of client.subscribe({ filter: { type: 'attention.*' } })) {
 *   if (item.type === 'event') console.log(item.event.json);
 * }
 */
export function connectSocket(options: SocketClientOptions): SocketClient {
  const { WebSocket: webSocket } = globalThis as { readonly WebSocket?: unknown };
  return new PeerClient(resolveClientOptions(options, { webSocket: webSocket as WebSocketConstructor | undefined, tokenIn: 'query' }));
}
