import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';
import { WebSocket, type WebSocketServer } from 'ws';

import { serveWebSocket, SUBPROTOCOL } from '../examples/websocket.js';
import { runProducer } from '../src/index.js';
import { message, rig } from './support.js';

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly server: WebSocketServer;
  readonly connections: number[];
}

async function serve(options: Parameters<typeof rig>[0] = {}): Promise<Served & ReturnType<typeof rig>> {
  const one = rig(options);
  const connections: number[] = [];
  const server = await serveWebSocket(0, (duplex) => {
    connections.push(1);
    void runProducer(one.producer, duplex, { transport: 'websocket' });
  });
  const url = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    ...one,
    url,
    server,
    connections,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const opened = (): string =>
  JSON.stringify(message({ type: 'session.opened', source: 'agent:a', session_id: 's', payload: { session_id: 's', version: '0.1' } }));

describe('a WebSocket', () => {
  it('speaks the subprotocol aep-0.1, one message in each text frame [S-147]', async () => {
    expect(SUBPROTOCOL).toBe('aep-0.1');
    await using one = await serve();
    const socket = new WebSocket(one.url, 'aep-0.1');
    const frames: unknown[] = [];
    socket.on('message', (data, isBinary) => frames.push([isBinary, (JSON.parse((data as Buffer).toString()) as { type: string }).type]));
    await once(socket, 'open');
    expect(socket.protocol).toBe('aep-0.1');
    socket.send(opened());
    socket.send(JSON.stringify(message({ id: 'r', type: 'subscription.requested', source: 'agent:a', session_id: 's', payload: { types: '*' } })));
    while (frames.length < 2) await once(socket, 'message');
    for (const id of ['e1', 'e2']) one.publish(id);
    while (frames.length < 4) await once(socket, 'message');
    expect(frames).toEqual([[false, 'session.ready'], [false, 'subscription.created'], [false, 'memory.fact.added'], [false, 'memory.fact.added']]);
    // Two messages in one frame are none.
    socket.send(opened() + opened());
    while (frames.length < 5) await once(socket, 'message');
    expect(frames[4]).toEqual([false, 'event.rejected']);
  });

  it('of another subprotocol, or none, is not served [S-147]', async () => {
    await using one = await serve();
    const none = new WebSocket(one.url);
    expect((await once(none, 'close'))[0]).toBe(1002);
    const other = new WebSocket(one.url, 'mqtt');
    const [failure] = (await once(other, 'error')) as [Error];
    expect(failure.message).toContain('subprotocol');
    expect(one.connections).toEqual([]);
  });

  it('closes on a binary frame [S-147]', async () => {
    await using one = await serve();
    const socket = new WebSocket(one.url, 'aep-0.1');
    await once(socket, 'open');
    socket.send(Buffer.from(opened()));
    expect((await once(socket, 'close'))[0]).toBe(1003);
    expect(one.producer.stats().sessions).toBe(0);
  });

  it('closes at once, although the peer goes on sending', async () => {
    const server = await serveWebSocket(0, (duplex) => {
      void (async () => {
        for await (const text of duplex.incoming) if (text === 'stop') break;
        duplex.close();
      })();
    });
    const socket = new WebSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`, 'aep-0.1');
    await once(socket, 'open');
    for (const text of ['a', 'stop', 'b', 'c']) socket.send(text);
    expect((await once(socket, 'close'))[0]).toBe(1005);
    await new Promise((resolve) => server.close(resolve));
  });

  it('ends its sessions when it closes, orderly or not', async () => {
    await using one = await serve();
    for (const end of ['close', 'terminate'] as const) {
      const socket = new WebSocket(one.url, 'aep-0.1');
      await once(socket, 'open');
      socket.send(opened());
      await once(socket, 'message');
      expect(one.producer.stats()).toMatchObject({ connections: 1, sessions: 1 });
      socket[end]();
      while (one.producer.stats().connections > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
