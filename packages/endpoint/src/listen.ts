import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';

import { answerBrokenRequests, brokenTarget } from './broken-requests.js';
import { EndpointError } from './errors.js';
import { reason } from './reason.js';
import type { TlsPair } from './tls.js';
import { isTaken, takeUpgrades, type UpgradeHandlers } from './upgrades.js';

/**
 * Bytes of request line and headers together. Above what the bindings take of a query, so that their refusals answer, with the
 * limit they name.
 */
export const MAX_HEAD_BYTES = 98_304;

/** Where and how a server listens. */
export interface ListenOptions {
  readonly app: Hono;
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsPair | undefined;
  /** Who takes WebSockets, by path. */
  readonly sockets?: UpgradeHandlers;
  /** Told what the server did not expect; it goes on. */
  readonly onError?: (error: unknown) => void;
}

/** A server that listens. */
export interface Listening {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Takes no new connection; idle ones are closed. Settles when the last one has gone, WebSockets included. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  destroy(): void;
}

/** Starts to listen. @throws {@link EndpointError} `address-unusable`, `tls-unusable`. */
export async function listen({ app, host, port, tls, sockets = {}, onError }: ListenOptions): Promise<Listening> {
  const server = makeServer({ app, tls, sockets, onError });
  const upgraded: ReadonlySet<Duplex> = Object.keys(sockets).length === 0 ? new Set() : takeUpgrades(server, sockets);
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      const hint = error.code === 'EADDRINUSE' ? 'the port is in use; choose another with --port' : error.message;
      reject(new EndpointError('address-unusable', `cannot listen on ${host} port ${port}: ${hint}`, { cause: error }));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      // A connection that could not be taken, for want of a descriptor for example, must not end the process.
      server.on('error', (error) => onError?.(error));
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    server,
    host: address.address,
    port: address.port,
    url: `${tls === undefined ? 'http' : 'https'}://${shown}:${address.port}`,
    drain: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeIdleConnections();
      }),
    destroy: () => {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    },
  };
}

interface ServerParts {
  readonly app: Hono;
  readonly tls: TlsPair | undefined;
  readonly sockets: UpgradeHandlers;
  readonly onError: ListenOptions['onError'];
}

function makeServer({ app, tls, sockets, onError }: ServerParts): Server {
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      if (error instanceof RequestError) return brokenTarget();
      onError?.(error);
      return new Response(null, { status: 500 });
    },
  });
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => void answer(incoming, outgoing);
  // A missing Host is refused like an odd one.
  const options: ServerOptions = {
    maxHeaderSize: MAX_HEAD_BYTES,
    requireHostHeader: false,
    // Of Node 24.9: all others are ordinary requests.
    shouldUpgradeCallback: (request: IncomingMessage) => isTaken(request, sockets),
  };
  try {
    const server: Server = tls === undefined ? createServer(options, listener) : createTlsServer({ ...options, ...tls }, listener);
    answerBrokenRequests(server);
    return server;
  } catch (error) {
    throw new EndpointError('tls-unusable', `certificate and key are no pair: ${reason(error)}`, { cause: error });
  }
}
