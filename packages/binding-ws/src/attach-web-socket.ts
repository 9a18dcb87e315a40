import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { answerRefused } from './refuse-upgrade.js';
import type { WebSocketBinding } from './web-socket-binding.js';

/**
 * Serves a binding at one path of a Node HTTP or HTTPS server, `/socket` unless told otherwise (AEP-0003 §3.5). Upgrades of
 * other paths are left to other listeners; where there are none they get 404.
 *
 * Returns a function that detaches.
 *
 * @example
 * const detach = attachWebSocket(server, binding, { path: '/aep/socket' });
 */
export function attachWebSocket(
  server: Pick<Server, 'on' | 'off' | 'listenerCount'>,
  binding: Pick<WebSocketBinding, 'handleUpgrade'>,
  { path = '/socket' }: { readonly path?: string } = {},
): () => void {
  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const [pathname] = (request.url ?? '').split(/[?#]/, 1);
    if (pathname === path) {
      binding.handleUpgrade(request, socket, head);
    } else if (server.listenerCount('upgrade') === 1) {
      socket.on('error', () => socket.destroy());
      answerRefused(socket, { status: 404, error: 'invalid-request', detail: 'Nothing is served at this path.' });
    }
  };
  server.on('upgrade', listener);
  return () => void server.off('upgrade', listener);
}
