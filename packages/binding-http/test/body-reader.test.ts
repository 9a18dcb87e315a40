import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { rawClient } from '@aepkit/testkit';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';

import { bodyReader, isBodyRefusal, type BodyReaderOptions, type BodyRefusal } from '../src/server.js';

interface Seen {
  readonly outcomes: (BodyRefusal | string)[];
  readonly port: number;
  readonly url: string;
  next(): Promise<BodyRefusal | string>;
}

async function withReader(options: BodyReaderOptions, use: (bytes: Uint8Array) => string | Promise<string>, test: (seen: Seen) => Promise<void>): Promise<void> {
  const reader = bodyReader(options);
  const outcomes: (BodyRefusal | string)[] = [];
  let wake = (): void => undefined;
  const app = new Hono();
  app.post('/', async (c) => {
    const taken = await reader.take(c, use);
    outcomes.push(taken);
    wake();
    return isBodyRefusal(taken) ? c.json({ detail: taken.detail }, taken.status as 400, { connection: 'close' }) : c.text(taken);
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await test({
      outcomes,
      port,
      url: `http://127.0.0.1:${String(port)}/`,
      next: async () => {
        if (outcomes.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const outcome = outcomes.shift();
        if (outcome === undefined) throw new Error('there was an outcome');
        return outcome;
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const head = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(length)}\r\n\r\n`;

describe('bodyReader', () => {
  it('hands out the bytes of a body, its coding undone', async () => {
    await withReader({}, text, async ({ url }) => {
      expect(await (await fetch(url, { method: 'POST', body: 'plain' })).text()).toBe('plain');
      expect(await (await fetch(url, { method: 'POST', body: gzipSync('coded'), headers: { 'content-encoding': 'gzip' } })).text()).toBe('coded');
      expect((await fetch(url, { method: 'POST', body: 'x', headers: { 'content-encoding': 'zstd' } })).status).toBe(415);
    });
  });

  it('bounds a body as sent, as stated, and as inflated', async () => {
    await withReader({ maxBodyBytes: 1000 }, text, async ({ url, port, next }) => {
      const coded = await fetch(url, { method: 'POST', body: gzipSync(Buffer.alloc(100_000, 'a')), headers: { 'content-encoding': 'gzip' } });
      expect(coded.status).toBe(413);
      expect(await next()).toMatchObject({ code: 'body-too-large' });
      const client = await rawClient(port);
      client.write(head(1001));
      await client.until(/^HTTP\/1.1 413/);
      expect(await next()).toMatchObject({ code: 'body-too-large' });
      client.destroy();
    });
  });

  it('settles with a refusal, and rejects nothing, when the client goes away in the middle', async () => {
    await withReader({}, text, async ({ port, next }) => {
      const client = await rawClient(port);
      client.write(`${head(100)}half`);
      client.destroy();
      expect(await next()).toMatchObject({ refused: true, status: 400, code: 'body-aborted' });
    });
  });

  it('gives up a body that takes too long', async () => {
    let expire = (): void => undefined;
    const timers = {
      setTimeout: (callback: () => void): unknown => ((expire = callback), 1),
      clearTimeout: (): void => undefined,
    };
    let arrived = (): void => undefined;
    const reading = new Promise<void>((resolve) => (arrived = resolve));
    const reader = { ...timers, setTimeout: (callback: () => void): unknown => (arrived(), timers.setTimeout(callback)) };
    await withReader({ timers: reader }, text, async ({ port, next }) => {
      const client = await rawClient(port);
      client.write(`${head(100)}half`);
      await reading;
      expire();
      expect(await next()).toMatchObject({ status: 408, code: 'body-timeout' });
      client.destroy();
    });
  });

  it('holds room for all bodies together until their use is over', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let started = (): void => undefined;
    const start = new Promise<void>((resolve) => (started = resolve));
    const use = async (bytes: Uint8Array): Promise<string> => {
      if (bytes.length === 60) {
        started();
        await held;
      }
      return 'used';
    };
    await withReader({ maxBodyBytes: 100, maxPendingBytes: 100 }, use, async ({ url }) => {
      const first = fetch(url, { method: 'POST', body: 'x'.repeat(60) });
      await start;
      expect((await fetch(url, { method: 'POST', body: 'x'.repeat(50) })).status).toBe(503);
      release();
      expect((await first).status).toBe(200);
      expect((await fetch(url, { method: 'POST', body: 'x'.repeat(50) })).status).toBe(200);
    });
  });

  it('lets through what its use throws, and takes back the room', async () => {
    let fail = true;
    const reader = bodyReader({ maxBodyBytes: 10, maxPendingBytes: 10 });
    const app = new Hono();
    app.post('/', async (c) => {
      const taken = await reader.take(c, () => {
        if (fail) throw new Error('no');
        return 'fine';
      });
      return c.text(isBodyRefusal(taken) ? 'refused' : taken);
    });
    app.onError((error, c) => c.text(error.message, 500));
    const send = async (): Promise<string> => (await app.request('/', { method: 'POST', body: '0123456789' })).text();
    expect(await send()).toBe('no');
    fail = false;
    expect(await send()).toBe('fine');
  });

  it('refuses bounds that make no sense', () => {
    expect(() => bodyReader({ maxBodyBytes: 0 })).toThrow(RangeError);
    expect(() => bodyReader({ maxBodyBytes: 20, maxPendingBytes: 10 })).toThrow(RangeError);
  });
});
