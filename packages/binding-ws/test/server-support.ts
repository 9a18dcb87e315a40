import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Access, type AccessOptions, type Principal, type Scope } from '@aepkit/access';
import type { WireEvent } from '@aepkit/envelope';
import { Hub, type HubOptions, memoryLog } from '@aepkit/hub';
import { ReplayBuffer, type ReplayBufferOptions } from '@aepkit/replay-buffer';
import { manualClock, type ManualClock, rawClient, type RawClient, turn } from '@aepkit/testkit';
import { type ClientOptions, WebSocket } from 'ws';

import { resolveBindingOptions } from '../src/binding-options.js';
import { attachWebSocket, webSocketBinding, type WebSocketBinding, type WebSocketBindingOptions } from '../src/server.js';
import { ServerConnection } from '../src/server-connection.js';
import type { Wire } from '../src/wire.js';

/** One parsed message. */
export type Said = Record<string, unknown> & { readonly type: string };

export const TOKEN = 'a-token-of-the-test-0123456789abcdef';
export const BOTH = { type: 'hello', versions: ['0.1'], role: 'both', identity: { agent: 'a1', instance: 'i1' } };
export const CONSUMER = { type: 'hello', versions: ['0.1'], role: 'consumer' };
export const EMITTER = { type: 'hello', versions: ['0.1'], role: 'emitter', identity: { agent: 'a1', instance: 'i1' } };
const EVERYTHING: readonly Scope[] = ['emit', 'observe', 'control'];

export function principal(...scopes: readonly Scope[]): Principal {
  return { name: 'tester', scopes: new Set(scopes.length === 0 ? EVERYTHING : scopes), authenticated: true };
}

/** Lets what is queued run. */
export async function settle(turns = 4): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

/** The texts of whole frames as a server sends them: FIN, text, no mask. Throws for anything else. */
export function textsOf(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at);
    if (view.getUint8(0) !== 0x81) throw new Error(`not a whole text frame: ${String(view.getUint8(0))}`);
    let length = view.getUint8(1);
    let header = 2;
    if (length === 126) {
      length = view.getUint16(2);
      header = 4;
    } else if (length === 127) {
      length = Number(view.getBigUint64(2));
      header = 10;
    }
    const payload = bytes.subarray(at + header, at + header + length);
    if (payload.length !== length) throw new Error('a frame is cut');
    texts.push(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    at += header + length;
  }
  return texts;
}

/** A wire without a socket. */
export class FakeWire implements Wire {
  readonly texts: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  destroyed = false;
  paused = false;
  pauses = 0;
  pings = 0;
  corks = 0;
  /** How often something was written with no cork in. */
  writes = 0;
  buffered = 0;
  unfinished: Wire['unfinished'];
  /** Bytes stay in the buffer. */
  stuck = false;

  write(bytes: Uint8Array): void {
    if (this.closed !== undefined || this.destroyed) return;
    this.texts.push(...textsOf(bytes));
    if (this.corks === 0) this.writes++;
    if (this.stuck) this.buffered += bytes.length;
  }

  cork(): void {
    this.corks++;
  }

  uncork(): void {
    this.corks--;
  }

  ping(): void {
    this.pings++;
  }

  pause(): void {
    this.paused = true;
    this.pauses++;
  }

  resume(): void {
    this.paused = false;
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }

  destroy(): void {
    this.destroyed = true;
  }
}

export interface MachineOptions {
  readonly hub?: Hub;
  readonly hubOptions?: Partial<HubOptions>;
  readonly buffer?: Partial<ReplayBufferOptions>;
  readonly binding?: Partial<WebSocketBindingOptions>;
  readonly principal?: Principal;
  readonly clock?: ManualClock;
}

/** A peer and its connection, without sockets. */
export interface Machine {
  readonly hub: Hub;
  readonly wire: FakeWire;
  readonly connection: ServerConnection;
  readonly clock: ManualClock;
  /** How often `opened` and `gone` were called. */
  readonly calls: { opened: number; gone: number };
  /** Sends messages in one turn, texts as they are, and waits until they are handled. */
  say(...messages: readonly (string | object)[]): Promise<void>;
  /** What came back since the last call. */
  heard(): Said[];
  /** Events in at the hub from elsewhere. */
  emit(...events: readonly WireEvent[]): Promise<void>;
}

export function newHub(options: Pick<MachineOptions, 'hubOptions' | 'buffer'> = {}): Hub {
  return new Hub({ log: memoryLog(new ReplayBuffer({ ...options.buffer })), id: 'test', ...options.hubOptions });
}

let made = 0;

export function machine(options: MachineOptions = {}): Machine {
  const hub = options.hub ?? newHub(options);
  const clock = options.clock ?? manualClock();
  const wire = new FakeWire();
  const calls = { opened: 0, gone: 0 };
  const connection = new ServerConnection({
    id: `m${String(++made)}`,
    principal: options.principal ?? principal(),
    wire,
    options: resolveBindingOptions({
      hub,
      access: { authenticate: () => principal() },
      timers: { setTimeout: (callback, ms) => clock.setTimeout(callback, ms), clearTimeout: (timer) => clock.clearTimeout(timer as number | undefined) },
      now: () => clock.now(),
      ...options.binding,
    }),
    opened: () => {
      calls.opened++;
    },
    gone: () => {
      calls.gone++;
    },
  });
  let heard = 0;
  return {
    hub,
    wire,
    connection,
    clock,
    calls,
    async say(...messages) {
      for (const message of messages) {
        connection.alive();
        connection.text(new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message)));
      }
      await settle();
    },
    heard() {
      const texts = wire.texts.slice(heard);
      heard = wire.texts.length;
      return texts.map((text) => JSON.parse(text) as Said);
    },
    async emit(...events) {
      await hub.ingest(events, { principal: principal('emit'), via: 'post' });
      await settle();
    },
  };
}

/** A machine that has said its `hello`, whose answer is taken off. */
export async function opened(options: MachineOptions & { readonly hello?: object } = {}): Promise<Machine> {
  const made = machine(options);
  await made.say(options.hello ?? BOTH);
  const [answer] = made.heard();
  if (answer?.type !== 'hello') throw new Error(`no hello: ${JSON.stringify(answer)}`);
  return made;
}

/** The ids of the Events among what was heard. */
export function ids(said: readonly Said[]): unknown[] {
  return said.flatMap((each) => (each.type.includes('.') ? [each.id] : []));
}

export interface EndpointOptions {
  readonly hub?: Partial<HubOptions>;
  readonly buffer?: Partial<ReplayBufferOptions>;
  readonly access?: Partial<AccessOptions>;
  readonly ws?: Partial<WebSocketBindingOptions>;
  readonly path?: string;
}

/** A WebSocket client that keeps what it hears. */
export interface Client {
  readonly ws: WebSocket;
  readonly said: Said[];
  /** As {@link said}, the texts. */
  readonly texts: string[];
  say(...messages: readonly (string | object | Uint8Array)[]): void;
  /** The first message that passes, now or later; rejects when the connection closes first. */
  until(pass: (said: Said) => boolean): Promise<Said>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface Endpoint {
  readonly port: number;
  readonly url: string;
  readonly hub: Hub;
  readonly server: Server;
  readonly binding: WebSocketBinding;
  emit(...events: readonly WireEvent[]): Promise<void>;
  client(options?: ClientOptions & { readonly query?: string; readonly hello?: object }): Promise<Client>;
  /** A raw TCP client behind a finished upgrade. */
  raw(): Promise<RawClient>;
  close(): Promise<void>;
}

const open = new Set<() => Promise<void>>();

export async function endpoint(options: EndpointOptions = {}): Promise<Endpoint> {
  const hub = newHub({ hubOptions: { ...options.hub }, buffer: { ...options.buffer } });
  const access = new Access({ host: '127.0.0.1', ...options.access });
  const binding = webSocketBinding({ hub, access, ...options.ws });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  attachWebSocket(server, binding, options.path === undefined ? {} : { path: options.path });
  const { port } = server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${String(port)}${options.path ?? '/socket'}`;
  const clients: WebSocket[] = [];
  const raws: RawClient[] = [];
  const close = async (): Promise<void> => {
    open.delete(close);
    await hub.close();
    for (const client of clients) client.terminate();
    for (const raw of raws) raw.destroy();
    await binding.close();
    server.close();
    server.closeAllConnections();
  };
  open.add(close);
  return {
    port,
    url,
    hub,
    server,
    binding,
    close,
    emit: async (...events) => {
      await hub.ingest(events, { principal: principal('emit'), via: 'post' });
    },
    client: async ({ query = '', hello, ...wsOptions } = {}) => {
      const ws = new WebSocket(`${url}${query}`, wsOptions);
      clients.push(ws);
      const client = listen(ws);
      await once(ws, 'open');
      if (hello !== undefined) {
        client.say(hello);
        await client.until(({ type }) => type === 'hello');
      }
      return client;
    },
    raw: async () => {
      const raw = await rawClient(port);
      raws.push(raw);
      raw.write(upgradeRequest(port));
      await raw.until(/\r\n\r\n/);
      return raw;
    },
  };
}

/** Closes what a test left open; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of [...open]) await close();
}

export function upgradeRequest(port: number, headers: readonly string[] = [], path = '/socket'): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/** The bytes of one frame as a client sends it, masked with zeros. */
export function clientFrame(payload: string | Uint8Array, { opcode = 1, fin = true, mask = true } = {}): Buffer {
  const body = Buffer.from(payload);
  const length = body.length;
  const head = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];
  head[0] = (head[0] ?? 0) | (mask ? 0x80 : 0);
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode, ...head, ...(mask ? [0, 0, 0, 0] : [])]), body]);
}

function listen(ws: WebSocket): Client {
  const said: Said[] = [];
  const texts: string[] = [];
  const watchers = new Set<() => void>();
  let over = false;
  const changed = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  ws.on('message', (data: Buffer) => {
    texts.push(data.toString());
    said.push(JSON.parse(data.toString()) as Said);
    changed();
  });
  ws.on('error', () => undefined);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      over = true;
      changed();
      resolve({ code, reason: reason.toString() });
    });
  });
  return {
    ws,
    said,
    texts,
    closed,
    say(...messages) {
      for (const message of messages) ws.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message));
    },
    until: (pass) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = said.find((each) => pass(each));
          if (found === undefined && !over) return;
          watchers.delete(look);
          if (found === undefined) reject(new Error(`closed; heard ${JSON.stringify(said).slice(0, 2000)}`));
          else resolve(found);
        };
        watchers.add(look);
        look();
      }),
  };
}
