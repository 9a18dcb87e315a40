import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes what a client sent to switch to another protocol on one path. */
export interface UpgradeHandler {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** By path, such as `/socket`. */
export type UpgradeHandlers = Readonly<Record<string, UpgradeHandler>>;

/**
 * Whether a request is one of those that a handler takes. All others are ordinary requests whose wish to switch is not met: `curl --http2`
 * utters one.
 */
export function isTaken(request: IncomingMessage, handlers: UpgradeHandlers): boolean {
  return handlerOf(request, handlers) !== undefined;
}

/** Hands upgrades to the handler of their path. Gives the sockets that were handed over and are open: the server does not know them any more. */
export function takeUpgrades(server: Server, handlers: UpgradeHandlers): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const handler = handlerOf(request, handlers);
    // Node has taken its own listener off.
    socket.on('error', () => socket.destroy());
    if (handler === undefined) {
      refuse(socket);
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    handler.handleUpgrade(request, socket, head);
  });
  return open;
}

function handlerOf({ url = '', headers }: IncomingMessage, handlers: UpgradeHandlers): UpgradeHandler | undefined {
  const protocols = (headers.upgrade ?? '').split(',').map((name) => name.trim().toLowerCase());
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return protocols.includes('websocket') && Object.hasOwn(handlers, path) ? handlers[path] : undefined;
}

/** Comes about under versions of Node that cannot take such a request for an ordinary one. */
function refuse(socket: Duplex): void {
  const text = JSON.stringify({ error: 'invalid-request', detail: 'there is nothing to upgrade to here; send the request without Upgrade' });
  const head = `HTTP/1.1 400 ${STATUS_CODES[400] ?? ''}\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`, () => {
    socket.destroy();
  });
}
