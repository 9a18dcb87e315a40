import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { cuttingProxy, rawClient } from '../src/index.js';

async function sender(text: string, pieces: number): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const size = Math.ceil(text.length / pieces);
    for (let at = 0; at < text.length; at += size) socket.write(text.slice(at, at + size));
    socket.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe('cuttingProxy', () => {
  it.each([1, 7, 24])('cuts right behind the marker that is due, sent in %i pieces', async (pieces) => {
    const server = await sender('one;;two;;three;;four;;', pieces);
    const proxy = await cuttingProxy(server.port, ';;', 2);
    expect(await (await rawClient(proxy.port)).closed()).toBe('one;;two;;');
    expect(proxy.cuts()).toBe(1);
    proxy.heal();
    expect(await (await rawClient(proxy.port)).closed()).toBe('one;;two;;three;;four;;');
    await proxy.close();
    server.close();
  });
});
