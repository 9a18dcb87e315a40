import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { rawClient } from '@aepkit/testkit';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';

import { listen } from '../src/index.js';

const app = new Hono();
app.get('/page', (c) => c.text('page'));
app.get('/socket', (c) => c.text('plain'));
const upgrade = (path: string, protocol = 'websocket'): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;

/** A server that hands `/socket` to what remembers it. */
async function serving() {
  const taken: { url: string | undefined; socket: Duplex }[] = [];
  const handler = {
    handleUpgrade: ({ url }: IncomingMessage, socket: Duplex) => {
      taken.push({ url, socket });
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    },
  };
  const listening = await listen({ app, host: '127.0.0.1', port: 0, sockets: { '/socket': handler } });
  const talk = async (head: string, until: RegExp) => {
    const client = await rawClient(listening.port);
    client.write(head);
    await client.until(until);
    return client;
  };
  return { listening, taken, talk };
}

describe('a server with a WebSocket', () => {
  it('hands upgrades of its path over, whatever their query', async () => {
    const { listening, taken, talk } = await serving();
    const clients = [await talk(upgrade('/socket'), /^HTTP\/1\.1 101/), await talk(upgrade('/socket?access_token=x', 'WebSocket'), /^HTTP\/1\.1 101/)];
    expect(taken.map(({ url }) => url)).toEqual(['/socket', '/socket?access_token=x']);
    for (const client of clients) client.destroy();
    listening.destroy();
    await listening.drain();
  });

  it.each([
    ['another path', upgrade('/page'), 'page'],
    ['another protocol, as curl --http2 asks for it', upgrade('/page', 'h2c'), 'page'],
    ['another protocol on its path', upgrade('/socket', 'h2c'), 'plain'],
    ['a path that every object has', upgrade('/constructor'), '404'],
    ['no upgrade', 'GET /socket HTTP/1.1\r\nHost: localhost\r\n\r\n', 'plain'],
  ])('takes %s for an ordinary request', async (_, head, answer) => {
    const { listening, taken, talk } = await serving();
    const client = await talk(head, new RegExp(answer));
    expect(taken).toEqual([]);
    client.destroy();
    listening.destroy();
    await listening.drain();
  });

  it('ends the sockets that were handed over when it is destroyed, and only then has drained', async () => {
    const { listening, taken, talk } = await serving();
    const client = await talk(upgrade('/socket'), /^HTTP\/1\.1 101/);
    let drained = false;
    const done = listening.drain().then(() => (drained = true));
    await expect(rawClient(listening.port)).rejects.toThrow();
    expect(drained).toBe(false);
    expect(taken[0]?.socket.destroyed).toBe(false);
    listening.destroy();
    await client.closed();
    await done;
    expect(drained).toBe(true);
  });

  it('survives a socket that is reset', async () => {
    const { listening, taken, talk } = await serving();
    const client = await talk(upgrade('/socket'), /^HTTP\/1\.1 101/);
    taken[0]?.socket.emit('error', new Error('reset'));
    expect(taken[0]?.socket.destroyed).toBe(true);
    await client.closed();
    listening.destroy();
    await listening.drain();
  });
});
