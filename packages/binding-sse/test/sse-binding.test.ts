import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';

import { wireEvent } from '@aepkit/envelope';
import { buildEvent, buildSession, buildWire, rawClient } from '@aepkit/testkit';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';

import { body, closeAll, datas, endpoint, makeApp, messages } from './support.js';

afterEach(closeAll);

const query = (parameters: Record<string, unknown>) =>
  `/stream?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')}`;
const replayOnly = (parameters: Record<string, unknown>) => query({ ...parameters, live: '0' });
const seqs = (received: string) => datas(body(received)).map((data) => (JSON.parse(data) as { seq: number }).seq);

describe('GET /stream', () => {
  it('opens an event stream at once, and asks proxies to leave it alone [B-033, B-220]', async () => {
    const { get } = await endpoint();
    const client = await get('/stream', ['Accept: text/event-stream']);
    await client.until(/: stream\n\n/);
    const [head] = client.received().split('\r\n\r\n');
    expect(head!.split('\r\n').map((line) => line.replace(/^Date: .*/, 'Date').toLowerCase()).toSorted()).toEqual([
      'cache-control: no-cache, no-transform',
      'connection: close',
      'content-type: text/event-stream',
      'date',
      'http/1.1 200 ok',
      'transfer-encoding: chunked',
      'x-accel-buffering: no',
      'x-content-type-options: nosniff',
    ]);
  });

  it('sends Events live, in one fixed spelling, byte for byte as they came [B-004, B-005, B-038, B-039, B-040, B-041, B-219]', async () => {
    const { get, emit } = await endpoint();
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    const placed = buildWire({ session: 'a:b größe', epoch: 2, seq: 7, data: { tool: { name: '🙂\u2028' } } });
    const agent = buildWire({ type: 'agent.registered', session: undefined, seq: undefined, data: undefined });
    await emit(placed, agent);
    await client.until(/agent\.registered[^\n]*\n\n/);
    expect(body(client.received())).toBe(
      `: stream\n\nevent: tool.requested\ndata: ${placed.json}\nid: a:b größe:2:7\n\nevent: agent.registered\ndata: ${agent.json}\n\n`,
    );
  });

  it('sends what comes from now on where neither from nor Last-Event-ID is given', async () => {
    const { get, emit } = await endpoint();
    await emit(...buildSession(2));
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    await emit(...buildSession(1, { first: 5 }));
    await client.until(/s1:0:5\n\n/);
    expect(seqs(client.received())).toEqual([5]);
  });

  it('forwards a repeat live, and replays it once [B-109, B-110]', async () => {
    const { get, emit } = await endpoint();
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    const [event] = buildSession(1);
    await emit(event!);
    await emit(event!);
    await client.until(/s1:0:0\n\n[^]*s1:0:0\n\n/);
    expect(seqs(await (await get(replayOnly({ from: 'all' }))).closed())).toEqual([0]);
  });

  it('sends what matches the filter, under the ceiling, live and replayed [B-035, B-036, B-102, B-138, B-139]', async () => {
    const { get, emit } = await endpoint();
    const parameters = { filter: { agent: 'a2' }, capture: 'none', from: 'all' };
    await emit(...buildSession(1), ...buildSession(1, { session: 's2', agent: 'a2' }));
    const client = await get(query(parameters));
    await client.until(/s2:0:0\n\n/);
    await emit(...buildSession(1, { first: 1 }), ...buildSession(1, { first: 1, session: 's2', agent: 'a2' }));
    await client.until(/s2:0:1\n\n/);
    const events = datas(body(client.received())).map((data) => JSON.parse(data) as Record<string, unknown>);
    expect(events.map(({ agent, capture, data }) => [agent, capture, data])).toEqual([
      ['a2', 'none', undefined],
      ['a2', 'none', undefined],
    ]);
  });

  it('ignores parameters it does not know [B-033]', async () => {
    const { get } = await endpoint();
    await (await get('/stream?color=red&color=blue&x=%FF')).until(/: stream\n\n/);
  });
});

describe('resume', () => {
  const history = async (perSession = 100) => {
    const at = await endpoint({ buffer: { perSession } });
    await at.emit(...buildSession(10), ...buildSession(5, { session: 'a:b:c', epoch: 3 }));
    return at;
  };

  it('replays each named session behind its own position, then goes live [B-037, B-164, B-165]', async () => {
    const { get, emit } = await history();
    const client = await get(query({ from: [{ session: 's1', epoch: 0, seq: 7 }, { session: 'a:b:c', epoch: 3, seq: 2 }] }));
    await client.until(/s1:0:9\n\n/);
    await emit(...buildSession(1, { first: 10 }));
    await client.until(/s1:0:10\n\n/);
    const ids = messages(body(client.received())).flatMap((message) => /^id: (.*)$/m.exec(message)?.[1] ?? []);
    expect(ids.toSorted()).toEqual(['a:b:c:3:3', 'a:b:c:3:4', 's1:0:10', 's1:0:8', 's1:0:9']);
    expect(ids.at(-1)).toBe('s1:0:10');
  });

  it('replays the session of Last-Event-ID, split on the last two colons [B-042]', async () => {
    const { get } = await history();
    const received = await (await get('/stream?live=0', ['Last-Event-ID: a:b:c:3:2'])).closed();
    expect(seqs(received)).toEqual([3, 4]);
  });

  it('reads a Last-Event-ID beyond ASCII as the UTF-8 that browsers send [B-042]', async () => {
    const { get, emit } = await endpoint();
    await emit(...buildSession(3, { session: 'größe 日本' }));
    const received = await (await get('/stream?live=0', ['Last-Event-ID: größe 日本:0:1'])).closed();
    expect(seqs(received)).toEqual([2]);
  });

  it('lets from win over Last-Event-ID [B-044]', async () => {
    const { get } = await history();
    const received = await (await get(replayOnly({ from: [{ session: 's1', epoch: 0, seq: 8 }] }), ['Last-Event-ID: a:b:c:3:0'])).closed();
    expect(seqs(received)).toEqual([9]);
  });

  it('refuses a bad from in spite of a good Last-Event-ID [B-047]', async () => {
    const { get } = await history();
    const client = await get('/stream?from=nonsense', ['Last-Event-ID: s1:0:1']);
    await client.until(/^HTTP\/1.1 400 [^]*"error":"invalid-filter"/);
  });

  it.each(['nonsense', 's1', 's1:0', 's1:x:1', 's1:0:99999999999999999999'])('goes live on the malformed Last-Event-ID %j, and says so', async (id) => {
    const { get, emit } = await history();
    const client = await get('/stream', [`Last-Event-ID: ${id}`]);
    await client.until(/: last-event-id-ignored\n\n/);
    await emit(...buildSession(1, { first: 10 }));
    await client.until(/s1:0:10\n\n/);
    expect(seqs(client.received())).toEqual([10]);
  });

  it('marks a position older than the buffer ahead of the Events of its session [B-045, B-100, B-213]', async () => {
    const { get } = await history(4);
    const received = await (await get(replayOnly({ from: [{ session: 's1', epoch: 0, seq: 1 }] }))).closed();
    expect(messages(body(received))[1]).toBe(': replay-exhausted s1 0:6');
    expect(seqs(received)).toEqual([6, 7, 8, 9]);
  });

  it('marks a session whose name would split the line, on one line', async () => {
    const { get, emit } = await endpoint({ buffer: { perSession: 2 } });
    const session = 'x\ndata: {"x":1}\n\nid: y';
    await emit(...buildSession(5, { session }));
    const received = await (await get(replayOnly({ from: [{ session, epoch: 0, seq: 0 }] }))).closed();
    expect(messages(body(received))[1]).toBe(': replay-exhausted x%0Adata: {"x":1}%0A%0Aid: y 0:3');
    expect(seqs(received)).toEqual([3, 4]);
  });

  it('replays everything held on all, from its earliest held position, without a marker [B-101, B-105, B-106]', async () => {
    const { get } = await history(4);
    const received = await (await get(replayOnly({ from: 'all' }))).closed();
    expect(seqs(received).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
    expect(body(received)).not.toContain('replay-exhausted');
  });

  it('refuses all where it is not offered, like a malformed from [B-107]', async () => {
    const { get } = await endpoint({ hub: { replayAll: false } });
    await (await get('/stream?from=all')).until(/^HTTP\/1.1 400 [^]*"error":"invalid-filter"/);
  });

  it('ends with live=0 when the replay is done, for positions, for all, and for Last-Event-ID [B-103]', async () => {
    const { get } = await history();
    expect(seqs(await (await get(replayOnly({ from: 'all' }))).closed())).toHaveLength(15);
    expect(seqs(await (await get(replayOnly({ from: [{ session: 's1', epoch: 0, seq: 8 }] }))).closed())).toEqual([9]);
    const received = await (await get('/stream?live=0', ['Last-Event-ID: s1:0:7'])).closed();
    expect(seqs(received)).toEqual([8, 9]);
    expect(messages(body(received)).at(-1)).toBe(': replay-done');
    expect(received.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });

  it('ends an empty stream with live=0 and nothing to replay', async () => {
    const { get } = await history();
    expect(messages(body(await (await get('/stream?live=0')).closed()))).toEqual([': stream', ': replay-done']);
    expect(messages(body(await (await get(replayOnly({ from: [] }))).closed()))).toEqual([': stream', ': replay-done']);
  });

  it.each(['1', '', 'false', '00'])('takes live=%s for live', async (live) => {
    const { get, emit } = await history();
    const client = await get(`/stream?live=${live}`);
    await client.until(/: stream\n\n/);
    await emit(...buildSession(1, { first: 10 }));
    await client.until(/s1:0:10\n\n/);
  });

  it('sends a replay of what was acknowledged, and nothing twice behind it [B-215, B-216]', async () => {
    const { get, emit } = await endpoint();
    const total = 400;
    const events = buildSession(total);
    const writer = (async () => {
      for (const event of events) await emit(event);
    })();
    const clients = [];
    for (let count = 0; count < 8; count += 1) {
      await emit(buildWire({ session: 'other', seq: count }));
      clients.push(await get(query({ from: 'all', filter: { session: 's1' } })));
    }
    await writer;
    for (const client of clients) {
      await client.until(new RegExp(`s1:0:${total - 1}\\n\\n`));
      expect(seqs(client.received())).toEqual(events.map((_, seq) => seq));
    }
  });
});

describe('refusals come before any byte of a stream', () => {
  it.each([
    ['filter that is empty', '/stream?filter='],
    ['filter that is no JSON', '/stream?filter={'],
    ['filter with an illegal key', query({ filter: { Agent: 'x' } })],
    ['filter that names a member twice', `/stream?filter=${encodeURIComponent('{"agent":"a","agent":"b"}')}`],
    ['filter given twice', '/stream?filter={}&filter={}'],
    ['filter that is no UTF-8', '/stream?filter=%FF'],
    ['from that is empty', '/stream?from='],
    ['from that is a JSON string', '/stream?from=%22all%22'],
    ['from with a member too few', query({ from: [{ session: 's1', epoch: 0 }] })],
    ['from with a negative seq', query({ from: [{ session: 's1', epoch: 0, seq: -1 }] })],
    ['from given twice', '/stream?from=all&from=all'],
    ['live given twice', '/stream?live=0&live=0'],
    ['capture that is unknown', '/stream?capture=everything'],
    ['capture that is empty', '/stream?capture='],
  ])('400 invalid-filter for a %s [B-047]', async (_, path) => {
    const { app } = makeApp();
    const response = await app.request(`http://127.0.0.1${path}`, { headers: { Host: '127.0.0.1' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ error: 'invalid-filter', detail: expect.any(String) });
  });

  it('400 limit-exceeded for more positions than the endpoint takes, and says which limit [B-158, B-159]', async () => {
    const { app } = makeApp({ hub: { maxPositions: 2 } });
    const ask = (count: number) =>
      app.request(`http://127.0.0.1${replayOnly({ from: Array.from({ length: count }, (_, index) => ({ session: `s${index}`, epoch: 0, seq: 0 })) })}`, {
        headers: { Host: '127.0.0.1' },
      });
    expect((await ask(2)).status).toBe(200);
    const refused = await ask(3);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ error: 'limit-exceeded', detail: expect.stringContaining('positions') });
  });

  it('503 with advice where there are too many streams, and again a stream when one has gone', async () => {
    const { get, hub } = await endpoint({ hub: { maxConnections: 1 } });
    const first = await get('/stream');
    await first.until(/: stream\n\n/);
    const second = await get('/stream');
    await second.until(/^HTTP\/1.1 503 [^]*"error":"limit-exceeded"/);
    expect(second.received()).toMatch(/retry-after: 1/i);
    first.destroy();
    while (hub.stats().connections > 0) await new Promise(setImmediate);
    await (await get('/stream')).until(/: stream\n\n/);
  });

  it('503 where the endpoint is closing', async () => {
    const { app, hub } = makeApp();
    await hub.close();
    const response = await app.request('http://127.0.0.1/stream', { headers: { Host: '127.0.0.1' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: 'unavailable' });
  });

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('405 for %s', async (method) => {
    const { app, hub } = makeApp();
    const response = await app.request('http://127.0.0.1/stream', { method, headers: { Host: '127.0.0.1' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET');
    expect(hub.stats().connections).toBe(0);
  });

  it('406 where Accept clearly excludes an event stream', async () => {
    const { app } = makeApp();
    const response = await app.request('http://127.0.0.1/stream', { headers: { Host: '127.0.0.1', Accept: 'application/json' } });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ error: 'not-acceptable' });
  });

  it('500 without a word of what went wrong, which goes to onRefusal', async () => {
    const refusals: unknown[] = [];
    const cause = new Error('SECRET');
    const { app } = makeApp({
      sse: {
        onRefusal: (refusal) => refusals.push(refusal),
        hub: {
          connect: () => {
            throw cause;
          },
        },
      },
    });
    const response = await app.request('http://127.0.0.1/stream', { headers: { Host: '127.0.0.1' } });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('SECRET');
    expect(refusals).toEqual([{ status: 500, error: 'internal-error', cause }]);
  });
});

describe('who may read', () => {
  const tokens = [
    { name: 'reader', token: 'reader-token-0123456789abcdef', scopes: ['observe'] as const },
    { name: 'writer', token: 'writer-token-0123456789abcdef', scopes: ['emit'] as const },
  ];

  it('a bearer of a token, in the header or in the URL [B-173, B-174]', async () => {
    const { get } = await endpoint({ access: { tokens } });
    await (await get('/stream', ['Authorization: Bearer reader-token-0123456789abcdef'])).until(/: stream\n\n/);
    await (await get('/stream?access_token=reader-token-0123456789abcdef')).until(/: stream\n\n/);
  });

  it('nobody else: 401 without a token or with a wrong one, 403 without the right [B-157]', async () => {
    const { app } = makeApp({ access: { tokens } });
    const ask = (path: string, headers: Record<string, string> = {}) => app.request(`http://127.0.0.1${path}`, { headers: { Host: '127.0.0.1', ...headers } });
    for (const response of [await ask('/stream'), await ask('/stream?access_token=wrong-token-0123456789abcdef'), await ask('/stream', { Authorization: 'Bearer x' })]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toEqual({ error: 'unauthorized', detail: expect.any(String), code: expect.stringMatching(/^(missing|invalid)-token$/) });
    }
    const forbidden = await ask('/stream', { Authorization: 'Bearer writer-token-0123456789abcdef' });
    expect(forbidden.status).toBe(403);
    expect(await forbidden.json()).toMatchObject({ error: 'unauthorized', code: 'insufficient-scope' });
  });

  it('a token is asked for before anything else is looked at', async () => {
    const { app } = makeApp({ access: { tokens } });
    const response = await app.request('http://127.0.0.1/stream?filter=nonsense', { headers: { Host: '127.0.0.1', Accept: 'text/html' } });
    expect(response.status).toBe(401);
  });

  it('no page of another site, and no host that is not ours', async () => {
    const { app } = makeApp();
    const ask = (headers: Record<string, string>) => app.request('http://127.0.0.1/stream?live=0', { headers: { Host: '127.0.0.1', ...headers } });
    expect((await ask({})).status).toBe(200);
    for (const origin of ['http://127.attacker.example', 'http://localhost.evil.example', 'null']) expect((await ask({ Origin: origin })).status).toBe(403);
    expect((await ask({ Host: 'evil.example' })).status).toBeGreaterThanOrEqual(400);
  });

  it('a page of a configured origin, which can read the answer, and refusals too', async () => {
    const { app } = makeApp({ access: { allowedOrigins: ['https://console.example'] } });
    const ask = (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
      app.request(`http://127.0.0.1${path}`, { ...init, headers: { Host: '127.0.0.1', Origin: 'https://console.example', ...init.headers } });
    for (const path of ['/stream?live=0', '/stream?from=x']) {
      const response = await ask(path);
      expect(response.headers.get('access-control-allow-origin')).toBe('https://console.example');
      expect(response.headers.get('vary')).toBe('Origin');
    }
    const preflight = await ask('/stream', { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    const other = await app.request('http://127.0.0.1/stream?live=0', { headers: { Host: '127.0.0.1' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('never finds its token in an answer, a refusal or a report [B-175]', async () => {
    const reports: unknown[] = [];
    const { app } = makeApp({ access: { tokens }, sse: { onRefusal: (refusal) => reports.push(refusal) } });
    const secret = 'reader-token-0123456789abcdef';
    const paths = ['', '&filter=nonsense', '&from=x', '&capture=x', `&access_token=${secret}`, '&filter=%FF', '&live=0'];
    for (const rest of paths) {
      const response = await app.request(`http://127.0.0.1/stream?access_token=${secret}${rest}`, { headers: { Host: '127.0.0.1', Accept: rest === '' ? 'text/html' : '*/*' } });
      const told = JSON.stringify([...response.headers]) + (await response.text());
      expect(told).not.toContain(secret);
    }
    expect(reports.length).toBeGreaterThan(3);
    expect(JSON.stringify(reports)).not.toContain(secret);
  });
});

describe('without a raw response', () => {
  it('answers with a web stream of the same bytes', async () => {
    const { app, hub } = makeApp();
    const events = buildSession(3);
    await hub.ingest(events, { principal: { name: 't', scopes: new Set(['emit'] as const), authenticated: true }, via: 'post' });
    const response = await app.request('http://127.0.0.1/stream?from=all&live=0', { headers: { Host: '127.0.0.1' } });
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const text = await response.text();
    expect(datas(text)).toEqual(events.map(({ json }) => json));
    expect(messages(text).at(-1)).toBe(': replay-done');
  });

  it('lets the connection go when the reader does', async () => {
    const { app, hub } = makeApp();
    const response = await app.request('http://127.0.0.1/stream', { headers: { Host: '127.0.0.1' } });
    expect(hub.stats().connections).toBe(1);
    await response.body!.cancel();
    expect(hub.stats().connections).toBe(0);
  });
});

it('keeps the headers that middlewares set, ahead of it and behind', async () => {
  const { get, emit } = await endpoint({
    before: (app) =>
      app.use(async (c, next) => {
        c.header('X-Before', '1');
        await next();
        c.header('X-After', '2');
      }),
  });
  const client = await get('/stream');
  await client.until(/: stream\n\n/);
  await emit(...buildSession(2));
  await client.until(/s1:0:1\n\n/);
  expect(client.received()).toMatch(/\r\nx-before: 1\r\n/i);
  expect(client.received()).toMatch(/\r\nx-after: 2\r\n/i);
  expect(client.received()).toMatch(/\r\ncontent-type: text\/event-stream\r\n/i);
  expect(seqs(client.received())).toEqual([0, 1]);
});

it('serves an HTTP/1.0 client, which knows no chunks', async () => {
  const { port, emit } = await endpoint();
  await emit(...buildSession(2));
  const client = await rawClient(port);
  client.write('GET /stream?from=all&live=0 HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n');
  const received = await client.closed();
  expect(received).not.toMatch(/transfer-encoding/i);
  expect(received.split('\r\n\r\n')[1]).toMatch(/^: stream\n\nevent: [^]*: replay-done\n\n$/);
});

it('puts an Event built by hand with line breaks between its tokens on one line [B-039]', async () => {
  const { get, emit } = await endpoint();
  const event = buildEvent({ seq: 0 });
  await emit({ ...wireEvent(event), json: JSON.stringify(event, undefined, 1) });
  const received = await (await get('/stream?from=all&live=0')).closed();
  expect(datas(body(received)).map((data) => JSON.parse(data) as unknown)).toEqual([event]);
});

it('serves HTTP/2, which frames by itself', async () => {
  const { app, hub } = makeApp();
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', createServer: http2.createServer });
  if (!server.listening) await once(server, 'listening');
  const peer = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = peer.request({ ':path': '/stream?from=all&live=0' });
  const events = buildSession(300);
  await hub.ingest(events, { principal: { name: 't', scopes: new Set(['emit'] as const), authenticated: true }, via: 'post' });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const live = peer.request({ ':path': '/stream' });
  await once(live, 'response');
  await once(stream, 'end');
  expect(messages(text).at(-1)).toBe(': replay-done');
  await hub.close();
  peer.destroy();
  server.close();
});
