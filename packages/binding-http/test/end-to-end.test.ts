import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { discover, HttpEmitter } from '../src/client.js';
import { endpoint, failing, TOKEN, WITH_TOKEN, type Endpoint } from './support.js';

/** Stands in front of an endpoint and takes so many answers away after the Events have been admitted. */
async function lossyProxy(at: Endpoint, losses: number): Promise<AsyncDisposable & { readonly url: string }> {
  let left = losses;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = { 'content-type': request.headers['content-type'] ?? '', 'aep-version': String(request.headers['aep-version']) };
      void fetch(`${at.url}/events`, { method: 'POST', headers, body: Buffer.concat(chunks) }).then(async (answer) => {
        left -= 1;
        if (left >= 0) request.socket.destroy();
        else response.writeHead(answer.status).end(await answer.text());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/events`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

describe('client and server', () => {
  it('find each other by discovery and carry Events, byte for byte', async () => {
    await using at = await endpoint({ ...WITH_TOKEN, binding: { endpoints: { stream: '/stream', socket: '/socket' } } });
    const { endpoints, versions, capabilities } = await discover(`${at.url}/.well-known/aep`);
    expect(versions).toEqual(['0.1']);
    expect(endpoints).toEqual({ events: `${at.url}/events`, stream: `${at.url}/stream`, socket: `${at.url.replace('http', 'ws')}/socket` });
    expect(capabilities).toMatchObject({ replay: { buffer: 100 } });
    const emitter = new HttpEmitter({ url: endpoints.events!, token: TOKEN, maxBatchEvents: 7 });
    const events = buildSession(50, { data: { text: 'zwölf 漢字 👍 \u2028' } });
    expect(await emitter.send(events)).toEqual({ accepted: 50, requests: 8 });
    expect(await emitter.send(events[0]!)).toEqual({ accepted: 1, requests: 1 });
    expect(at.kept).toEqual([...events, events[0]!].map(({ json }) => json));
  });

  it('lose nothing when answers are lost, and the endpoint knows the repeats [B-030, B-031]', async () => {
    await using at = await endpoint();
    await using proxy = await lossyProxy(at, 2);
    const emitter = new HttpEmitter({ url: proxy.url, baseDelayMs: 1 });
    const events = buildSession(3);
    expect(await emitter.send(events)).toEqual({ accepted: 3, requests: 3 });
    const texts = events.map(({ json }) => json);
    expect(at.kept).toEqual([...texts, ...texts, ...texts]);
    expect(at.hub.stats()).toMatchObject({ admitted: 3, duplicates: 6 });
  });

  it('keep order and ids when the endpoint cannot store for a while [B-030, B-227]', async () => {
    const state = { failing: true };
    await using at = await endpoint({ log: (log) => failing(log, state), binding: { retryAfterSeconds: 0 } });
    let attempts = 0;
    const emitter = new HttpEmitter({
      url: `${at.url}/events`,
      baseDelayMs: 1,
      maxBatchEvents: 2,
      onRetry: ({ status }) => {
        expect(status).toBe(503);
        attempts += 1;
        state.failing = attempts < 3;
      },
    });
    const events = buildSession(5);
    const sent = [emitter.send(events.slice(0, 3)), emitter.send(events.slice(3))];
    expect(await Promise.all(sent)).toEqual([
      { accepted: 3, requests: 5 },
      { accepted: 2, requests: 1 },
    ]);
    expect(at.kept).toEqual(events.map(({ json }) => json));
  });

  it('agree on every refusal', async () => {
    await using at = await endpoint({ ...WITH_TOKEN, binding: { maxEventBytes: 1_000, maxLines: 4 } });
    const url = `${at.url}/events`;
    const emitter = new HttpEmitter({ url, token: TOKEN });
    const small = buildWire();
    const large = buildWire({ data: { text: 'x'.repeat(1_000) } });
    const command = buildWire({ type: 'control.pause', seq: undefined });
    await expect(new HttpEmitter({ url }).send(small)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    await expect(emitter.send({ ...small, json: '{}' })).rejects.toMatchObject({ code: 'invalid-event', index: 0 });
    await expect(emitter.send([small, command])).rejects.toMatchObject({ code: 'forbidden', reason: 'command-refused', index: 1, accepted: 0 });
    await expect(emitter.send([small, small, large])).rejects.toMatchObject({ code: 'too-large', status: 413, index: 2, accepted: 2 });
    await expect(new HttpEmitter({ url: `${at.url}/nowhere`, token: TOKEN }).send(small)).rejects.toMatchObject({ code: 'refused', status: 404 });
    // More lines than allowed: halved until it fits.
    expect(await emitter.send(buildSession(10))).toEqual({ accepted: 10, requests: 7 });
  });

  it('end in a network error when nobody is there', async () => {
    const at = await endpoint();
    await at[Symbol.asyncDispose]();
    await expect(new HttpEmitter({ url: `${at.url}/events`, maxAttempts: 2, baseDelayMs: 1 }).send(buildWire())).rejects.toMatchObject({ code: 'network', attempts: 2 });
    await expect(discover(`${at.url}/events`)).rejects.toMatchObject({ code: 'network' });
  });
});
