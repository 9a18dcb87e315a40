import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Access, type Scope } from '@aepkit/access';
import { connectSocket, type SocketClient } from '@aepkit/binding-ws/client';
import { attachWebSocket, webSocketBinding, type WebSocketBindingOptions } from '@aepkit/binding-ws/server';
import { createRouter } from '@aepkit/control';
import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildWire, tempDir } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import type { Loss, TransportFailure } from '../src/index.js';
import { spoolTransport } from '../src/spool.js';
import { DEFAULT_CONFIRM_TIMEOUT_MS, webSocketTransport, type WebSocketTransportOptions } from '../src/websocket.js';
import { collect } from './support.js';

const TOKEN = 'token-of-everybody-0123456789';
const open = new Set<() => Promise<unknown>>();
afterEach(async () => {
  for (const close of [...open].reverse()) await close();
  open.clear();
});

interface Endpoint {
  readonly port: number;
  readonly url: string;
  readonly hub: Hub;
  /** Ends the process, as it were; `start` on the same port is the next one. */
  stop(): Promise<void>;
}

const buffer = (): ReplayBuffer => new ReplayBuffer({});

async function start(port = 0, held = buffer(), options: Partial<WebSocketBindingOptions> = {}, scopes: readonly Scope[] = ['emit', 'observe', 'control']): Promise<Endpoint> {
  const hub = new Hub({ log: memoryLog(held), id: 'endpoint', commands: createRouter() });
  const access = new Access({ tokens: [{ name: 'all', token: TOKEN, scopes }], host: '127.0.0.1' });
  const binding = webSocketBinding({ hub, access, closeGraceMs: 100, ...options });
  const server = createServer((_, response) => response.writeHead(426).end());
  attachWebSocket(server, binding);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!open.delete(stop)) return;
    await hub.close('shutdown');
    await binding.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  open.add(stop);
  return { port: listening, url: `ws://127.0.0.1:${String(listening)}/socket`, hub, stop };
}

const fast = { token: TOKEN, minBackoffMs: 5, maxBackoffMs: 10 };

function emitting(url: string, options: Partial<WebSocketTransportOptions> = {}, emitterOptions: object = {}) {
  const losses: Loss[] = [];
  const failures: TransportFailure[] = [];
  const transport = webSocketTransport({ url, ...fast, ...options });
  const { emitter } = collect({ transport, retryBaseMs: 5, retryMaxMs: 10, onLoss: (loss) => losses.push(loss), onError: (failure) => failures.push(failure), ...emitterOptions });
  open.add(() => emitter.close({ timeoutMs: 100 }));
  return { emitter, losses, failures };
}

/** Follows everything; gives what has come when the condition holds. */
function following(url: string): { readonly client: SocketClient; readonly events: AepEvent[]; readonly wires: WireEvent[]; until(condition: (events: readonly AepEvent[]) => boolean): Promise<void> } {
  const client = connectSocket({ url, ...fast });
  open.add(() => client.close());
  const events: AepEvent[] = [];
  const wires: WireEvent[] = [];
  let look = (): void => undefined;
  void client.subscribe({ from: 'all', redeliveries: true }).run((item) => {
    if (item.type !== 'event') return;
    events.push(item.event.event);
    wires.push(item.event);
    look();
  });
  const until = (condition: (all: readonly AepEvent[]) => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (condition(events)) resolve();
      };
      look();
    });
  return { client, events, wires, until };
}

const phases = (events: readonly AepEvent[]): unknown[] => events.map(({ data }) => data?.phase);

describe('over WebSocket', () => {
  it('Events arrive, confirmed, under the name of the agent and its process [B-070, B-209]', async () => {
    const { url } = await start();
    const { emitter } = emitting(url, { instance: 'host/1', emits: ['progress'] }, { accepts: ['control.pause'], onCommand: () => ({ type: 'accepted' }) });
    const session = await emitter.session();
    for (const phase of ['a', 'b', 'c']) session.emit('progress.status', { data: { phase } });
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
    const { client, events, until } = following(url);
    await until((all) => all.length >= 3);
    expect(phases(events)).toEqual(['a', 'b', 'c']);
    expect(await client.roster()).toEqual([{ session: session.name, agent: 'agent', instance: 'host/1', control: { accepts: ['control.pause'], ack_window_ms: 10_000 }, emits: ['progress'] }]);
  });

  it('what waits while there is no endpoint goes out when there is one, in order and once', async () => {
    const held = buffer();
    const first = await start(0, held);
    const { emitter, failures, losses } = emitting(first.url);
    const session = await emitter.session();
    const emit = (...names: string[]): void => {
      for (const phase of names) session.emit('progress.status', { data: { phase } });
    };
    emit('a', 'b');
    await emitter.flush();
    await first.stop();
    emit('c', 'd');
    const outcome = await emitter.flush({ timeoutMs: 60 });
    expect(outcome).toMatchObject({ done: false, left: 2, trouble: { code: 'network' } });
    await start(first.port, held);
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
    const { events, until } = following(first.url);
    await until((all) => all.length >= 4);
    expect(phases(events)).toEqual(['a', 'b', 'c', 'd']);
    expect(failures.length).toBeGreaterThan(0);
    expect(losses).toEqual([]);
  });

  it('an Event that the endpoint does not take is lost alone', async () => {
    const { url } = await start(0, buffer(), { maxEventBytes: 2_000 });
    const { emitter, losses } = emitting(url);
    const session = await emitter.session();
    const [, bad] = ['a', 'x'.repeat(3_000), 'c'].map((phase) => session.emit('progress.status', { data: { phase } }));
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 1 });
    expect(losses).toMatchObject([{ reason: 'refused', events: [{ id: bad }] }]);
    const { events, until } = following(url);
    await until((all) => all.length >= 2);
    expect(phases(events)).toEqual(['a', 'c']);
  });

  it('a wrong token loses nothing, says what is wrong, and stands nowhere', async () => {
    const { url } = await start();
    const wrong = 'some-other-token-0123456789';
    const { emitter, failures, losses } = emitting(url, { token: wrong });
    const session = await emitter.session();
    session.emit('progress.status', { data: { phase: 'a' } });
    const outcome = await emitter.flush({ timeoutMs: 100 });
    expect(outcome).toMatchObject({ done: false, left: 1, lost: 0, trouble: { code: 'unauthorized', detail: expect.stringContaining('answered 401') as string } });
    expect(losses).toEqual([]);
    expect(JSON.stringify([outcome, failures])).not.toContain(wrong);
    expect(failures.map(({ error }) => String((error as Error).stack)).join('\n')).not.toContain(wrong);
  });

  it('a token without the right to emit loses nothing', async () => {
    const { url } = await start(0, buffer(), {}, ['observe']);
    const { emitter } = emitting(url);
    const session = await emitter.session();
    session.emit('progress.status', { data: { phase: 'a' } });
    expect(await emitter.flush({ timeoutMs: 100 })).toMatchObject({ done: false, left: 1, lost: 0, trouble: { code: 'forbidden' } });
  });

  it('gives up an endpoint that confirms nothing in time', async () => {
    expect(DEFAULT_CONFIRM_TIMEOUT_MS).toBe(30_000);
    const { url, hub } = await start();
    const ingest = hub.ingest.bind(hub);
    hub.ingest = () => new Promise(() => undefined);
    const { emitter, failures } = emitting(url, { confirmTimeoutMs: 20 });
    const session = await emitter.session();
    session.emit('progress.status', { data: { phase: 'a' } });
    expect(await emitter.flush({ timeoutMs: 100 })).toMatchObject({ done: false, trouble: { code: 'timeout' } });
    expect(failures.length).toBeGreaterThan(0);
    hub.ingest = ingest;
  });

  it('serves one emitter', () => {
    const transport = webSocketTransport({ url: 'ws://127.0.0.1:1/socket', ...fast });
    const { emitter } = collect({ transport });
    expect(() => collect({ transport })).toThrow(TypeError);
    return emitter.close({ timeoutMs: 0 });
  });
});

describe('commands over WebSocket', () => {
  const pause = (session: string, id = 'c1'): WireEvent => buildWire({ type: 'control.pause', session, id, seq: undefined, data: undefined, agent: 'human', source: 'x:human' });

  async function controlled(url: string, emitterOptions: object = {}) {
    const decided: string[] = [];
    const { emitter } = emitting(url, {}, {
      accepts: ['control.pause'],
      onCommand: ({ id }: AepEvent) => {
        decided.push(id);
        return { type: 'accepted', execute: (linked: { emit: (type: string, emission: object) => void }) => linked.emit('progress.status', { data: { phase: 'paused' } }) };
      },
      ...emitterOptions,
    });
    const session = await emitter.session();
    session.emit('progress.status', { data: { phase: 'working' } });
    await emitter.flush();
    return { emitter, session, decided };
  }

  it('reach the emitter, whose hello says what it takes, are acked in its session, and a retry draws the same bytes [C-061, E-114]', async () => {
    const { url } = await start();
    const { session, decided } = await controlled(url);
    const { client, events, wires, until } = following(url);
    await until((all) => all.length === 1);
    expect(await client.roster()).toMatchObject([{ session: session.name, control: { accepts: ['control.pause'], ack_window_ms: 10_000 } }]);
    expect(await client.command(pause(session.name))).toEqual({ type: 'sent' });
    await until((all) => all.length >= 4);
    expect(await client.command(pause(session.name))).toEqual({ type: 'sent' });
    await until((all) => all.filter(({ type }) => type === 'control.accepted').length >= 2);
    expect(decided).toEqual(['c1']);
    const acks = wires.filter(({ event }) => event.type === 'control.accepted').map(({ json }) => json);
    expect(acks[1]).toBe(acks[0]);
    expect(events.slice(0, 4).map(({ type, seq, cause }) => [type, seq, cause])).toEqual([
      ['progress.status', 0, undefined],
      ['control.pause', undefined, undefined],
      ['control.accepted', 1, 'c1'],
      ['progress.status', 2, 'c1'],
    ]);
  });

  it('are refused where the type is not accepted, or nobody has the session', async () => {
    const { url } = await start();
    const { emitter, session } = await controlled(url);
    const { client, until } = following(url);
    await until((all) => all.length === 1);
    const cancel = buildWire({ type: 'control.cancel', session: session.name, id: 'c9', seq: undefined, data: { scope: 'session' }, agent: 'human', source: 'x:human' });
    expect(await client.command(cancel)).toMatchObject({ type: 'refused', code: 'unsupported' });
    expect(await client.command(pause('nobody-has-it'))).toMatchObject({ type: 'refused', code: 'no-route' });
    await emitter.close();
    await expect.poll(async () => client.command(pause(session.name, 'c3'))).toMatchObject({ type: 'refused', code: 'no-route' });
  });

  it('find their target after the endpoint was started again, though nothing new was emitted', async () => {
    const held = buffer();
    const first = await start(0, held);
    const { session, decided } = await controlled(first.url);
    const { client } = following(first.url);
    await first.stop();
    await start(first.port, held);
    await expect.poll(async () => client.command(pause(session.name)), { timeout: 4_000 }).toEqual({ type: 'sent' });
    await expect.poll(() => decided).toEqual(['c1']);
  });

  it('come past a spool', async () => {
    await using folder = await tempDir();
    const { url } = await start();
    const transport = await spoolTransport({ path: folder.path, transport: webSocketTransport({ url, ...fast }) });
    const { session, decided } = await controlled(url, { transport });
    const { client, until } = following(url);
    expect(await client.command(pause(session.name))).toEqual({ type: 'sent' });
    await until((all) => all.some(({ type }) => type === 'control.accepted'));
    expect(decided).toEqual(['c1']);
  });
});
