import { createServer as createHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

import { Access, singleToken, type AccessOptions } from '@aepkit/access';
import type { WireEvent } from '@aepkit/envelope';
import { Hub, memoryLog, type EventLog, type HubOptions } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { httpBinding, type HttpBindingOptions, type HttpRefusal } from '../src/server.js';

/** A token long enough for `@aepkit/access`. */
export const TOKEN = 'secret-secret-secret-secret-0001';

/** An endpoint with a log in memory. */
export interface Endpoint extends AsyncDisposable {
  readonly app: Hono;
  readonly hub: Hub;
  /** Texts of the Events the log has committed, in its order, repeats included. */
  readonly kept: string[];
  readonly refusals: HttpRefusal[];
  readonly port: number;
  readonly url: string;
  readonly server: Server;
}

export interface EndpointOptions {
  readonly access?: Partial<AccessOptions>;
  readonly hub?: Partial<HubOptions>;
  readonly binding?: Partial<HttpBindingOptions>;
  readonly log?: (log: EventLog) => EventLog;
  readonly http2?: boolean;
  /** Where the binding is mounted. */
  readonly prefix?: string;
}

/** Starts one on a free port of loopback. */
export async function endpoint(options: EndpointOptions = {}): Promise<Endpoint> {
  const memory = memoryLog(new ReplayBuffer({ perSession: 100, sessions: 100, bytes: 64 * 1024 * 1024 }));
  const log = options.log?.(memory) ?? memory;
  const kept: string[] = [];
  log.onCommit(({ events }) => {
    for (const event of events) kept.push(event.json);
  });
  const hub = new Hub({ id: 'test', log, ...options.hub });
  const refusals: HttpRefusal[] = [];
  const access = new Access({ host: '127.0.0.1', ...options.access });
  const app = new Hono();
  app.route(options.prefix ?? '/', httpBinding({ hub, access, onRefusal: (refusal) => refusals.push(refusal), ...options.binding }));
  const server = serve({
    fetch: app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    ...(options.http2 === true ? { createServer: createHttp2 } : {}),
  }) as Server;
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    app,
    hub,
    kept,
    refusals,
    port,
    server,
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
      await hub.close();
    },
  };
}

/** A log that fails until told otherwise. */
export function failing(log: EventLog, state: { failing: boolean }): EventLog {
  return {
    get buffer() {
      return log.buffer;
    },
    append: (batch) => (state.failing ? Promise.reject(new Error('disk full')) : log.append(batch)),
    onCommit: (listener) => log.onCommit(listener),
    replay: (from, upTo, hint) => log.replay(from, upTo, hint),
    mark: () => log.mark(),
  };
}

/** Options of an endpoint that wants {@link TOKEN}. */
export const WITH_TOKEN: EndpointOptions = { access: { tokens: [singleToken(TOKEN)] } };

/** A POST with what it needs, unless told otherwise; `null` takes a header away. */
export function post(
  url: string,
  body: string | Uint8Array | readonly WireEvent[],
  headers: Readonly<Record<string, string | null>> = {},
  init: RequestInit = {},
): Promise<Response> {
  const batch = Array.isArray(body);
  const all: Record<string, string | null> = {
    'content-type': batch ? 'application/x-ndjson' : 'application/json',
    'aep-version': '0.1',
    ...headers,
  };
  const set = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const bytes = batch ? lines(body as readonly WireEvent[]) : typeof body === 'string' ? body : new Uint8Array(body as Uint8Array);
  return fetch(`${url}/events`, { method: 'POST', headers: Object.fromEntries(set), body: bytes, ...init });
}

/** A batch body. */
export function lines(events: readonly WireEvent[]): string {
  return `${events.map(({ json }) => json).join('\n')}\n`;
}

/** Head of a raw request. */
export function head(port: number, headers: Readonly<Record<string, string | number>>, line = 'POST /events HTTP/1.1'): string {
  const all = { host: `127.0.0.1:${String(port)}`, 'content-type': 'application/json', 'aep-version': '0.1', ...headers };
  return `${line}\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

/** Status, headers and body of the last raw answer. */
export function parseAnswer(text: string): { status: number; headers: string; body: string } {
  const at = text.lastIndexOf('HTTP/1.1 ');
  const [headers = '', body = ''] = text.slice(at).split('\r\n\r\n');
  return { status: Number(headers.slice(9, 12)), headers: headers.toLowerCase(), body };
}
