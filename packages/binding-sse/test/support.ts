import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

import { Access, type AccessOptions } from '@aepkit/access';
import type { WireEvent } from '@aepkit/envelope';
import { Hub, type HubOptions, memoryLog } from '@aepkit/hub';
import { ReplayBuffer, type ReplayBufferOptions } from '@aepkit/replay-buffer';
import { rawClient, type RawClient } from '@aepkit/testkit';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { sseBinding, type SseBindingOptions } from '../src/server.js';

export interface EndpointOptions {
  readonly buffer?: Partial<ReplayBufferOptions>;
  readonly hub?: Partial<HubOptions>;
  readonly access?: Partial<AccessOptions>;
  readonly sse?: Partial<SseBindingOptions>;
  /** Runs ahead of the binding. */
  readonly before?: (app: Hono) => void;
}

export interface Endpoint {
  readonly port: number;
  readonly url: string;
  readonly hub: Hub;
  readonly app: Hono;
  readonly server: Server;
  emit(...events: WireEvent[]): Promise<void>;
  /** Sends a GET by raw socket. */
  get(path: string, headers?: readonly string[]): Promise<RawClient>;
  close(): Promise<void>;
}

const EMITTER = { name: 'test', scopes: new Set(['emit'] as const), authenticated: true };
const open = new Set<() => Promise<void>>();

/** A hub with a memory log behind the binding, without a server. */
export function makeApp(options: EndpointOptions = {}): { app: Hono; hub: Hub } {
  const hub = new Hub({ log: memoryLog(new ReplayBuffer({ ...options.buffer })), id: 'test', ...options.hub });
  const access = new Access({ host: '127.0.0.1', ...options.access });
  const app = new Hono();
  options.before?.(app);
  app.route('/', sseBinding({ hub, access, ...options.sse }));
  return { app, hub };
}

/** The same behind a real server on a port of loopback. */
export async function endpoint(options: EndpointOptions = {}): Promise<Endpoint> {
  const { app, hub } = makeApp(options);
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = new Set<RawClient>();
  const close = async (): Promise<void> => {
    open.delete(close);
    for (const client of clients) client.destroy();
    await hub.close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  open.add(close);
  return {
    port,
    url: `http://127.0.0.1:${port}/stream`,
    hub,
    app,
    server,
    close,
    emit: async (...events) => {
      await hub.ingest(events, { principal: EMITTER, via: 'post' });
    },
    get: async (path, headers = []) => {
      const client = await rawClient(port);
      clients.add(client);
      client.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`);
      return client;
    },
  };
}

/** Closes what a test left open; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of [...open]) await close();
}

/** The body of a chunked response, as UTF-8 text. */
export function body(received: string): string {
  const bytes = Buffer.from(received, 'latin1');
  let at = bytes.indexOf('\r\n\r\n') + 4;
  const parts: Buffer[] = [];
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) break;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (Number.isNaN(size) || size === 0) break;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The messages of a stream's text, in order: comments too. */
export function messages(text: string): string[] {
  return text.split('\n\n').filter((message) => message !== '');
}

/** The `data` of the messages of a stream's text. */
export function datas(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? line.slice('data: '.length) : []));
}
