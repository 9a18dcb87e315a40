import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';

import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';

import { answerBrokenRequests, brokenTarget } from './broken-requests.js';
import { CollectorError } from './errors.js';
import { reason } from './load-settings.js';

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
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Told what the server did not expect; it goes on. */
  readonly onError?: (error: unknown) => void;
}

/** A server that listens. */
export interface Listening {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Takes no new connection; idle ones are closed. Settles when the last one has gone. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  destroy(): void;
}

/** Reads certificate and key, and checks that they are a pair. @throws {@link CollectorError} `tls-unusable`. */
export async function loadTls(cert: string | undefined, key: string | undefined): Promise<ListenOptions['tls']> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new CollectorError('tls-unusable', 'tls-cert and tls-key go together');
  const pair = { cert: await readPem('tls-cert', cert), key: await readPem('tls-key', key) };
  const leaf = usable('tls-cert', cert, () => new X509Certificate(pair.cert));
  const secret = usable('tls-key', key, () => createPrivateKey(pair.key));
  if (!leaf.checkPrivateKey(secret)) throw new CollectorError('tls-unusable', `the key in ${key} is not that of the certificate in ${cert}`);
  // Whatever else a server cannot use: the rest of the chain, a key that is too short.
  usable('tls-cert', cert, () => createSecureContext(pair));
  return pair;
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CollectorError('tls-unusable', `cannot read ${setting}: ${reason(error)}`, { cause: error });
  }
}

/** What OpenSSL says of a bad file names neither the file nor, in the case of an empty one, anything wrong. */
function usable<T>(setting: string, path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new CollectorError('tls-unusable', `${setting} ${path} is not usable as PEM: ${reason(error)}`, { cause: error });
  }
}

/** Starts to listen. @throws {@link CollectorError} `address-unusable`, `tls-unusable`. */
export async function listen({ app, host, port, tls, onError }: ListenOptions): Promise<Listening> {
  const server = makeServer(app, tls, onError);
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      const hint = error.code === 'EADDRINUSE' ? 'the port is in use; choose another with --port' : error.message;
      reject(new CollectorError('address-unusable', `cannot listen on ${host} port ${port}: ${hint}`, { cause: error }));
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
    },
  };
}

function makeServer(app: Hono, tls: ListenOptions['tls'], onError: ListenOptions['onError']): Server {
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
  const options = { maxHeaderSize: MAX_HEAD_BYTES, requireHostHeader: false };
  try {
    const server: Server = tls === undefined ? createServer(options, listener) : createTlsServer({ ...options, ...tls }, listener);
    answerBrokenRequests(server);
    return server;
  } catch (error) {
    throw new CollectorError('tls-unusable', `certificate and key are no pair: ${reason(error)}`, { cause: error });
  }
}
