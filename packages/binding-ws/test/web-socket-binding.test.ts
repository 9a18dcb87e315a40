import { once } from 'node:events';
import { request } from 'node:http';
import { PassThrough } from 'node:stream';

import { buildSession, buildWire, rawClient } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { attachWebSocket } from '../src/attach-web-socket.js';
import type { WsRefusal } from '../src/server.js';
import { BOTH, closeAll, CONSUMER, EMITTER, endpoint, ids, TOKEN, upgradeRequest } from './server-support.js';

afterEach(closeAll);

const TOKENS = [{ name: 'all', token: TOKEN, scopes: ['emit', 'observe', 'control'] as const }];

describe('the upgrade', () => {
  it('is at /socket, or wherever the app says [B-054]', async () => {
    const standard = await endpoint();
    expect(standard.url).toMatch(/\/socket$/);
    await standard.client({ hello: CONSUMER, query: '?a=b' });
    const other = await endpoint({ path: '/aep/socket' });
    await other.client({ hello: CONSUMER });
  });

  it.each(['/', '/socket/', '/sockets', '/Socket', '/stream', '/socket%2f', '//socket'])('is not at %s [B-054]', async (path) => {
    const { port } = await endpoint();
    const client = await rawClient(port);
    client.write(upgradeRequest(port, [], path));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });

  it('leaves other paths to other listeners, and can be detached', async () => {
    const { server, binding, port } = await endpoint();
    let seen = 0;
    server.on('upgrade', (incoming, socket) => {
      if (incoming.url !== '/other') return;
      seen++;
      socket.end('HTTP/1.1 418 Mine\r\n\r\n');
    });
    const client = await rawClient(port);
    client.write(upgradeRequest(port, [], '/other'));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 418/);
    expect(seen).toBe(1);
    const before = server.listenerCount('upgrade');
    const detach = attachWebSocket(server, binding, { path: '/second' });
    expect(server.listenerCount('upgrade')).toBe(before + 1);
    detach();
    expect(server.listenerCount('upgrade')).toBe(before);
  });

  it('takes a token from the header or the URL, and answers 401 without one ahead of the upgrade [B-171]', async () => {
    const refusals: WsRefusal[] = [];
    const { url, client } = await endpoint({
      access: { tokens: TOKENS },
      ws: {
        onRefusal: (refusal) => {
          refusals.push(refusal);
          throw new Error('a counter that fails');
        },
      },
    });
    for (const [query, headers] of [
      ['', {}],
      ['', { authorization: 'Bearer wrong-token-0123456789abcdef-0123' }],
      ['?access_token=wrong-token-0123456789abcdef-0123', {}],
      [`?access_token=${TOKEN}`, { authorization: 'Bearer wrong-token-0123456789abcdef-0123' }],
    ] as const) {
      const ws = new WebSocket(`${url}${query}`, { headers });
      ws.on('error', () => undefined);
      const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number; headers: Record<string, string> }];
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      ws.terminate();
    }
    expect(refusals.map(({ status, error, code }) => [status, error, code])).toEqual([
      [401, 'unauthorized', 'missing-token'],
      [401, 'unauthorized', 'invalid-token'],
      [401, 'unauthorized', 'invalid-token'],
      [401, 'unauthorized', 'invalid-token'],
    ]);
    expect(JSON.stringify(refusals)).not.toContain('wrong-token');
    await client({ hello: BOTH, headers: { authorization: `Bearer ${TOKEN}` } });
    await client({ hello: BOTH, query: `?x=1&access_token=${encodeURIComponent(TOKEN)}` });
  });

  it('refuses a header that comes twice, as it does not say one thing', async () => {
    const { port } = await endpoint({ access: { tokens: TOKENS } });
    const client = await rawClient(port);
    client.write(upgradeRequest(port, [`Authorization: Bearer ${TOKEN}`, `Authorization: Bearer ${TOKEN}`]));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('takes no token from the URL where that is switched off', async () => {
    const { url } = await endpoint({ access: { tokens: TOKENS, queryTokens: false } });
    const ws = new WebSocket(`${url}?access_token=${TOKEN}`);
    ws.on('error', () => undefined);
    const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(401);
    ws.terminate();
  });

  it.each([
    ['another origin', ['Origin: http://evil.example'], 403],
    ['an origin that looks local', ['Origin: http://127.attacker.example'], 403],
    ['an origin of null', ['Origin: null'], 403],
    ['a proxy in front of an endpoint without tokens', ['X-Forwarded-For: 10.0.0.1'], 403],
  ])('refuses %s', async (_, headers, status) => {
    const { port } = await endpoint();
    const client = await rawClient(port);
    client.write(upgradeRequest(port, headers));
    const answer = await client.closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    expect(answer).toMatch(/\r\n\r\n\{"error":"unauthorized","detail":"[^"]+","code":"[a-z-]+"\}$/);
  });

  it('refuses another host [B-171]', async () => {
    const { port } = await endpoint();
    const client = await rawClient(port);
    client.write(upgradeRequest(port).replace(/Host: [^\r]*/, 'Host: evil.example'));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('lets a page of this machine in', async () => {
    const { port, client } = await endpoint();
    await client({ hello: CONSUMER, origin: `http://127.0.0.1:${String(port)}` });
  });

  it.each([
    ['a parameter given twice', `/socket?access_token=a&access_token=b`, 400],
    ['one that does not decode', '/socket?access_token=%ff', 400],
    ['a URL without end', `/socket?${'x'.repeat(9_000)}`, 414],
  ])('refuses %s', async (_, path, status) => {
    const { port } = await endpoint();
    const client = await rawClient(port);
    client.write(upgradeRequest(port, [], path));
    expect(await client.closed()).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  });

  it('refuses a handshake that is none', async () => {
    const { port } = await endpoint();
    for (const change of [(text: string) => text.replace('Version: 13', 'Version: 7'), (text: string) => text.replace(/Sec-WebSocket-Key[^\r]*/, 'X: y'), (text: string) => text.replace('GET', 'POST')]) {
      const client = await rawClient(port);
      client.write(change(upgradeRequest(port)));
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it('agrees on no subprotocol and no compression', async () => {
    const { port } = await endpoint();
    const client = await rawClient(port);
    client.write(upgradeRequest(port, ['Sec-WebSocket-Protocol: aep, chat', 'Sec-WebSocket-Extensions: permessage-deflate']));
    await client.until(/\r\n\r\n/);
    expect(client.received()).toMatch(/^HTTP\/1\.1 101 /);
    expect(client.received()).not.toMatch(/sec-websocket-(protocol|extensions)/i);
    client.destroy();
  });

  it('bounds the connections that have not said hello, and counts those no more that have', async () => {
    const { client, port, binding } = await endpoint({ ws: { maxOpening: 2 } });
    await client({ hello: CONSUMER });
    await client();
    const second = await client();
    const third = await rawClient(port);
    third.write(upgradeRequest(port));
    const answer = await third.closed();
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nRetry-After: 1\r\n/);
    expect(binding.connections).toBe(3);
    second.say(CONSUMER);
    await second.until(({ type }) => type === 'hello');
    await client({ hello: CONSUMER });
  });

  it('survives a socket that is reset while it is refused', async () => {
    const { binding, server } = await endpoint({ access: { tokens: TOKENS } });
    for (const take of [binding.handleUpgrade.bind(binding), (...given: Parameters<typeof binding.handleUpgrade>) => server.emit('upgrade', ...given)]) {
      const socket = new PassThrough();
      take({ url: '/nowhere', headers: {}, headersDistinct: {}, socket } as never, socket, Buffer.alloc(0));
      expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
      expect(socket.destroyed).toBe(true);
    }
  });

  it('answers 500 for a fault of this side, and tells the app', async () => {
    const refusals: WsRefusal[] = [];
    const { port } = await endpoint({ ws: { access: { authenticate: () => { throw new Error('odd'); } }, onRefusal: (refusal) => refusals.push(refusal) } });
    const client = await rawClient(port);
    client.write(upgradeRequest(port));
    const answer = await client.closed();
    expect(answer).toMatch(/^HTTP\/1\.1 500 /);
    expect(answer).not.toContain('odd');
    expect(refusals).toMatchObject([{ status: 500, error: 'internal-error', cause: { message: 'odd' } }]);
  });
});

describe('a connection', () => {
  it('loses nothing that comes in the packet of the upgrade [B-059]', async () => {
    const { port, hub } = await endpoint();
    const { clientFrame, textsOf } = await import('./server-support.js');
    const client = await rawClient(port);
    const messages = [BOTH, { type: 'subscribe', id: 's' }].map((message) => JSON.stringify(message));
    const events = buildSession(10).map(({ json }) => json);
    client.write(Buffer.concat([Buffer.from(upgradeRequest(port)), ...[...messages, ...events, '{"type":"ping","t":"end"}'].map((text) => clientFrame(text))]));
    await client.until(/"pong"[^\n]*"seq":\d+\}|\}[^{]*$/);
    await client.until(/"t":"end"/);
    expect(hub.stats().admitted).toBe(10);
    const bytes = Buffer.from(client.received(), 'latin1');
    const said = textsOf(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)).map((text) => JSON.parse(text) as { type: string; seq?: number });
    expect(said.slice(0, 2).map(({ type }) => type)).toEqual(['hello', 'subscribed']);
    client.destroy();
  });

  it('carries Events both ways, byte for byte [B-004]', async () => {
    const { client } = await endpoint();
    const consumer = await client({ hello: CONSUMER });
    consumer.say({ type: 'subscribe', id: 's' });
    await consumer.until(({ type }) => type === 'subscribed');
    const emitter = await client({ hello: EMITTER });
    const text = buildWire({ id: 'e' }).json.replace('"data":{', '"data":{"n":1e400,"m":12345678901234567890.0,"s":"\\u00e9é",');
    emitter.say(text);
    await consumer.until(({ id }) => id === 'e');
    expect(consumer.texts.at(-1)).toBe(text);
  });

  it('is closed with 1009 beyond its limit and takes what is below, over a megabyte too', async () => {
    const { client, hub } = await endpoint();
    const peer = await client({ hello: EMITTER });
    const text = buildWire({ id: 'mega', data: { text: '' } }).json;
    const mega = text.replace('"text":""', `"text":"${'x'.repeat(1024 * 1024 - text.length)}"`);
    expect(Buffer.byteLength(mega)).toBe(1024 * 1024);
    peer.say(mega, `${mega} `.padEnd(3 * 1024 * 1024), { type: 'ping', t: 1 });
    await peer.until(({ type }) => type === 'pong');
    expect(hub.stats()).toMatchObject({ admitted: 1, duplicates: 0 });
    expect(peer.said.filter(({ type }) => type === 'error')).toMatchObject([{ code: 'invalid-event', cause: 'mega' }]);
    peer.say('x'.repeat(4 * 1024 * 1024 + 1));
    expect(await peer.closed).toMatchObject({ code: 1009 });
    expect(hub.stats().connections).toBe(0);
  });

  it('is closed with 1003 for a binary message, and 1007 for text that is not UTF-8 [B-057]', async () => {
    const { client, raw } = await endpoint();
    const peer = await client({ hello: BOTH });
    peer.say(Buffer.from(buildWire().json));
    expect(await peer.closed).toEqual({ code: 1003, reason: 'binary-unsupported' });
    expect(peer.said.slice(1).map(({ type, code, reason }) => [type, code ?? reason])).toEqual([['error', 'binary-unsupported'], ['closing', 'binary-unsupported']]);
    const { clientFrame } = await import('./server-support.js');
    const bytes = await raw();
    bytes.write(clientFrame(Buffer.from([0x22, 0xff, 0x22])));
    expect(Buffer.from(await bytes.closed(), 'latin1').subarray(-20).includes(Buffer.from([0x88, 0x02, 0x03, 0xef]))).toBe(true);
  });

  it('refuses with an error frame and the close handshake [B-056, B-067]', async () => {
    const { client } = await endpoint();
    const early = await client();
    early.say({ type: 'subscribe', id: 's' });
    expect(await early.closed).toEqual({ code: 1002, reason: 'hello-required' });
    expect(early.said).toMatchObject([{ type: 'error', code: 'hello-required' }]);
    const old = await client();
    old.say({ ...CONSUMER, versions: ['0.0'] });
    expect(await old.closed).toEqual({ code: 1002, reason: 'version-unsupported' });
    expect(old.said).toMatchObject([{ type: 'error', code: 'version-unsupported', versions: ['0.1'] }]);
  });

  it('is told with its positions when the endpoint goes, and closed with 1001 [B-060, B-061]', async () => {
    const { client, hub, emit, binding } = await endpoint();
    const peer = await client({ hello: CONSUMER });
    peer.say({ type: 'subscribe', id: 's' });
    await peer.until(({ type }) => type === 'subscribed');
    const waiting = await client();
    await emit(...buildSession(3));
    await hub.close();
    await binding.close();
    expect(await peer.closed).toEqual({ code: 1001, reason: 'shutdown' });
    expect(peer.said.at(-1)).toEqual({ type: 'closing', reason: 'shutdown', delivered: [{ sub: 's', session: 's1', epoch: 0, seq: 2 }] });
    expect(ids(peer.said)).toHaveLength(3);
    expect(await waiting.closed).toEqual({ code: 1001, reason: 'shutdown' });
    expect(binding.connections).toBe(0);
    await binding.close();
  });

  it('is closed by the binding alone as well, which takes nothing new then', async () => {
    const { client, binding, port } = await endpoint();
    const peer = await client({ hello: CONSUMER });
    const closed = binding.close();
    const late = await rawClient(port);
    late.write(upgradeRequest(port));
    expect(await late.closed()).toMatch(/^HTTP\/1\.1 503 /);
    await closed;
    expect(await peer.closed).toEqual({ code: 1001, reason: 'shutdown' });
    expect(peer.said.at(-1)).toMatchObject({ type: 'closing', reason: 'shutdown' });
  });

  it('replays ahead of live delivery while Events go on coming, without a hole and without a double [B-164, B-215]', async () => {
    const { client, emit } = await endpoint();
    const session = buildSession(600, { data: { text: 'x'.repeat(400) } });
    await emit(...session.slice(0, 200));
    const peer = await client({ hello: CONSUMER });
    peer.say({ type: 'subscribe', id: 's', from: [{ session: 's1', epoch: 0, seq: 9 }] });
    for (let i = 200; i < 600; i += 10) {
      await emit(...session.slice(i, i + 10));
      if (i % 100 === 0) await peer.until(({ seq }) => seq === i - 100);
    }
    await peer.until(({ seq }) => seq === 599);
    expect(peer.said.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))).toEqual(Array.from({ length: 590 }, (_, i) => i + 10));
  });

  it('gives the wire the same earliest position as any other binding [B-099, B-214]', async () => {
    const { client, emit, hub } = await endpoint({ buffer: { perSession: 5 } });
    await emit(...buildSession(20));
    const markers: unknown[] = [];
    const connection = hub.connect({ sink: { write: () => true, drained: () => Promise.resolve(), exhausted: (marker) => markers.push(marker), close: () => undefined }, principal: (await import('./server-support.js')).principal() });
    const from = [{ session: 's1', epoch: 0, seq: 3 }];
    connection.subscribe({ id: 'direct', from });
    const peer = await client({ hello: CONSUMER });
    peer.say({ type: 'subscribe', id: 's', from });
    const said = await peer.until(({ type }) => type === 'replay-exhausted');
    await peer.until(({ seq }) => seq === 19);
    expect(markers).toEqual([{ session: 's1', ...(said.earliest as object) }]);
    expect(peer.said.map(({ type, seq }) => seq ?? type)).toEqual(['hello', 'subscribed', 'replay-exhausted', 15, 16, 17, 18, 19]);
  });

  it('can be probed by its id', async () => {
    const { client, binding, hub, server } = await endpoint({ ws: { probeTimeoutMs: 50 } });
    const peers: string[] = [];
    const connect = hub.connect.bind(hub);
    hub.connect = (options) => {
      peers.push(options.peer?.id ?? '');
      return connect(options);
    };
    const alive = await client({ hello: EMITTER });
    const dead = await client({ hello: EMITTER, autoPong: false });
    for (const id of [...peers, 'nobody']) binding.probe(id);
    expect(await dead.closed).toMatchObject({ code: 1008, reason: 'idle-timeout' });
    expect(alive.ws.readyState).toBe(WebSocket.OPEN);
    expect(peers).toHaveLength(2);
    expect(server.listening).toBe(true);
  });

  it('gives a connection each an id of its own, over several bindings', async () => {
    const seen: string[] = [];
    for (const { client, hub } of [await endpoint(), await endpoint()]) {
      const connect = hub.connect.bind(hub);
      hub.connect = (options) => {
        seen.push(options.peer?.id ?? '');
        return connect(options);
      };
      await client({ hello: CONSUMER });
      await client({ hello: CONSUMER });
    }
    expect(new Set(seen).size).toBe(4);
  });
});

describe('a plain request', () => {
  it('is none of its business', async () => {
    const { port, server } = await endpoint();
    server.on('request', (_, response) => response.writeHead(426).end());
    const sent = request({ port, host: '127.0.0.1', path: '/socket' }).end();
    const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
    expect(response.statusCode).toBe(426);
    response.resume();
  });
});
