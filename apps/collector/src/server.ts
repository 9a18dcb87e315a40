import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';

import { CollectorError } from './errors.js';
import { reason } from './load-settings.js';

/** Where and how a server listens. */
export interface ListenOptions {
  readonly app: Hono;
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
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

/** Reads certificate and key. @throws {@link CollectorError} `tls-unusable`. */
export async function loadTls(cert: string | undefined, key: string | undefined): Promise<ListenOptions['tls']> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new CollectorError('tls-unusable', 'tls-cert and tls-key go together');
  try {
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  } catch (error) {
    throw new CollectorError('tls-unusable', `cannot read certificate or key: ${reason(error)}`, { cause: error });
  }
}

/** Starts to listen. @throws {@link CollectorError} `address-unusable`, `tls-unusable`. */
export async function listen({ app, host, port, tls }: ListenOptions): Promise<Listening> {
  const server = makeServer(app, tls);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint = error.code === 'EADDRINUSE' ? 'the port is in use; choose another with --port' : error.message;
      reject(new CollectorError('address-unusable', `cannot listen on ${host} port ${port}: ${hint}`, { cause: error }));
    });
    server.listen(port, host, resolve);
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

function makeServer(app: Hono, tls: ListenOptions['tls']): Server {
  const options = { fetch: app.fetch, overrideGlobalObjects: false };
  try {
    const server =
      tls === undefined
        ? createAdaptorServer({ ...options, createServer })
        : createAdaptorServer({ ...options, createServer: createTlsServer, serverOptions: tls });
    return server as Server;
  } catch (error) {
    throw new CollectorError('tls-unusable', `certificate and key are no pair: ${reason(error)}`, { cause: error });
  }
}
