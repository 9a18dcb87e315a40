import type { WireEvent } from '@aepkit/envelope';
import { manualClock, type ManualClock, turn } from '@aepkit/testkit';

import { connectSocket, type SocketClient, type SocketClientOptions, type SocketItem, type SocketSubscription, type WebSocketLike, type WebSocketSettings } from '../src/client.js';

type Handler = ((event: never) => void) | null;

/** The endpoint's end of one connection, moved by the test. */
export class ScriptedSocket implements WebSocketLike {
  binaryType = 'blob';
  onopen: Handler = null;
  onmessage: Handler = null;
  onclose: Handler = null;
  onerror: Handler = null;
  readonly url: string;
  readonly settings: WebSocketSettings;
  /** What the client sent, parsed. */
  readonly sent: Record<string, unknown>[] = [];
  readonly texts: string[] = [];
  closedWith: number | undefined;
  terminated = false;
  bufferedAmount?: number;
  /** Does not answer a close. */
  stubborn = false;
  paused = false;
  isOpen = false;
  pause?: () => void;
  resume?: () => void;

  constructor(url: string, settings: WebSocketSettings, pausable: boolean) {
    this.url = url;
    this.settings = settings;
    if (pausable) {
      this.pause = () => void (this.paused = true);
      this.resume = () => void (this.paused = false);
    }
  }

  send(text: string): void {
    if (!this.isOpen) throw new Error('not open');
    this.texts.push(text);
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code?: number): void {
    this.closedWith = code ?? 1005;
    if (!this.stubborn) queueMicrotask(() => this.end(code));
  }

  terminate(): void {
    this.terminated = true;
  }

  accept(): void {
    this.isOpen = true;
    this.#call(this.onopen, {});
  }

  /** Accepts and says hello. */
  greet(hello: Record<string, unknown> = {}): void {
    this.accept();
    this.say({ type: 'hello', versions: ['0.1'], role: 'both', identity: { agent: 'aepkit' }, capabilities: { roster: {}, replay: { buffer: 10, all: true } }, ...hello });
  }

  /** Sends texts as they are, Events as their text, and anything else as JSON. */
  say(...messages: unknown[]): void {
    for (const message of messages) {
      const data = typeof message === 'string' ? message : ((message as Partial<WireEvent>).json ?? JSON.stringify(message));
      this.#call(this.onmessage, { data });
    }
  }

  binary(): void {
    this.#call(this.onmessage, { data: new ArrayBuffer(2) });
  }

  error(event: object): void {
    this.#call(this.onerror, event);
  }

  end(code = 1006, reason = ''): void {
    this.isOpen = false;
    this.#call(this.onclose, { code, reason });
  }

  /** The frames of one type that the client sent. */
  frames(type: string): Record<string, unknown>[] {
    return this.sent.filter((frame) => frame.type === type);
  }

  /** Answers the pings that carry a mark, up to the given one. */
  confirm(count = Infinity): void {
    const marks = this.frames('ping').map(({ t }) => t).filter((t) => String(t).startsWith('kept-'));
    for (const t of marks.slice(0, count)) this.say({ type: 'pong', t });
  }

  #call(handler: Handler, event: object): void {
    handler?.(event as never);
  }
}

export interface Scripted {
  readonly client: SocketClient;
  readonly sockets: ScriptedSocket[];
  readonly clock: ManualClock;
  /** The newest connection. */
  socket(): ScriptedSocket;
}

/** A client on scripted sockets and a manual clock. */
export function scripted(options: Partial<SocketClientOptions> = {}, pausable = false): Scripted {
  const sockets: ScriptedSocket[] = [];
  const clock = manualClock();
  class Socket extends ScriptedSocket {
    constructor(url: string, _protocols: string[], settings: WebSocketSettings) {
      super(url, settings, pausable);
      sockets.push(this);
    }
  }
  const client = connectSocket({ url: 'ws://endpoint.test/socket', webSocket: Socket, random: () => 0, timers: clock, ...options });
  return { client, sockets, clock, socket: () => sockets.at(-1)! };
}

/** Reads a subscription into a list. */
export function collect(subscription: SocketSubscription): { readonly items: SocketItem[]; readonly done: Promise<void>; ids(): string[]; types(): string[] } {
  const items: SocketItem[] = [];
  const done = subscription.run((item) => void items.push(item));
  return {
    items,
    done,
    ids: () => items.flatMap((item) => (item.type === 'event' ? item.event.event.id : [])),
    types: () => items.map(({ type }) => type),
  };
}

/** Answers every subscribe that has no answer yet. */
export function takeAll(socket: ScriptedSocket): void {
  const taken = new Set(takenIds.get(socket) ?? []);
  for (const { id } of socket.frames('subscribe')) {
    if (taken.has(id as string)) continue;
    taken.add(id as string);
    socket.say({ type: 'subscribed', id });
  }
  takenIds.set(socket, [...taken]);
}
const takenIds = new WeakMap<ScriptedSocket, string[]>();

export { turn };
