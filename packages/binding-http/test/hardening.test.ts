import { gzipSync } from 'node:zlib';

import { buildWire, manualClock, rawClient, turn, type RawClient } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { endpoint, head, lines, parseAnswer, post, TOKEN, WITH_TOKEN, type Endpoint } from './support.js';

/** Lets the event loop turn until something is true. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

function answers(client: RawClient): (string | undefined)[] {
  return [...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
}

async function stillServes(at: Endpoint): Promise<void> {
  const event = buildWire();
  expect((await post(at.url, event.json)).status).toBe(202);
  expect(at.kept.at(-1)).toBe(event.json);
}

describe('malformed HTTP', () => {
  const body = buildWire().json;
  const length = Buffer.byteLength(body);

  it.each<[string, (port: number) => string, number | 'closed']>([
    ['a Host with a path', (port) => head(port, { host: '127.0.0.1/x', 'content-length': length }) + body, 400],
    ['a Host with a user', (port) => head(port, { host: 'a@127.0.0.1', 'content-length': length }) + body, 400],
    ['a Host with a space', (port) => head(port, { host: '127.0.0.1 evil', 'content-length': length }) + body, 400],
    ['a Host that is half an address', (port) => head(port, { host: '[::1', 'content-length': length }) + body, 400],
    ['a Host with a port out of range', (port) => head(port, { host: '127.0.0.1:99999', 'content-length': length }) + body, 400],
    ['an empty Host', (port) => head(port, { host: '', 'content-length': length }) + body, 421],
    ['a Host of somebody else', (port) => head(port, { host: 'evil.example', 'content-length': length }) + body, 421],
    ['a Host that counts in octal', (port) => head(port, { host: '0177.0.0.1', 'content-length': length }) + body, 421],
    ['two Hosts', (port) => head(port, { 'content-length': length, Host: 'evil.example' }) + body, 421],
    ['no Host', () => `POST /events HTTP/1.1\r\ncontent-length: ${String(length)}\r\n\r\n${body}`, 400],
    ['a full URL of somebody else and our Host', (port) => head(port, { 'content-length': length }, 'POST http://evil.example/events HTTP/1.1') + body, 202],
    ['our URL and the Host of somebody else', (port) => head(port, { host: 'evil.example', 'content-length': length }, `POST http://127.0.0.1:${String(port)}/events HTTP/1.1`) + body, 421],
    ['a target that is an asterisk', (port) => head(port, {}, 'OPTIONS * HTTP/1.1'), 400],
    ['a target without a slash', (port) => head(port, {}, 'GET events HTTP/1.1'), 400],
    ['a target with two slashes', (port) => head(port, {}, 'GET //events HTTP/1.1'), 404],
    ['a target that climbs', (port) => head(port, {}, 'GET /x/../events HTTP/1.1'), 200],
    ['a target with a backslash', (port) => head(port, {}, 'GET /x\\events HTTP/1.1'), 400],
    ['a target with a broken escape', (port) => head(port, {}, 'GET /events%zz HTTP/1.1'), 404],
    ['a target with U+0000', (port) => head(port, {}, 'GET /events%00 HTTP/1.1'), 404],
    ['a target with half a character', (port) => head(port, {}, 'GET /%e2%82/events HTTP/1.1'), 404],
    ['a target in another spelling', (port) => head(port, {}, 'GET /%65vents HTTP/1.1'), 200],
    ['a long target', (port) => head(port, {}, `GET /events?${'x'.repeat(8_000)} HTTP/1.1`), 200],
    ['a head that is too long', (port) => head(port, { x: 'x'.repeat(20_000) }, 'GET /events HTTP/1.1'), 431],
    ['a method nobody knows', (port) => head(port, {}, 'FOO /events HTTP/1.1'), 400],
    ['a method in lower case', (port) => head(port, {}, 'get /events HTTP/1.1'), 400],
    ['TRACE', (port) => head(port, {}, 'TRACE /events HTTP/1.1'), 405],
    ['PROPFIND', (port) => head(port, {}, 'PROPFIND /events HTTP/1.1'), 405],
    ['CONNECT', (port) => head(port, {}, 'CONNECT 127.0.0.1:1 HTTP/1.1'), 'closed'],
    ['HTTP/1.0', (port) => `${head(port, { 'content-length': length }, 'POST /events HTTP/1.0')}${body}`, 202],
    ['HTTP/9.9', (port) => head(port, {}, 'GET /events HTTP/9.9'), 400],
    ['no HTTP at all', () => '\u0016\u0003\u0001\u0002', 400],
    ['a length that is no number', (port) => head(port, { 'content-length': '1x' }) + body, 400],
    ['a length below zero', (port) => head(port, { 'content-length': -1 }) + body, 400],
    ['two lengths', (port) => head(port, { 'content-length': length, 'Content-Length': length + 1 }) + body, 400],
    ['a length and chunks', (port) => head(port, { 'content-length': length, 'transfer-encoding': 'chunked' }) + body, 400],
    ['a transfer coding nobody knows', (port) => head(port, { 'transfer-encoding': 'gzip' }) + body, 400],
    ['a chunk size that is no number', (port) => `${head(port, { 'transfer-encoding': 'chunked' })}zz\r\n`, 400],
    ['two Authorizations', (port) => head(port, { authorization: `Bearer ${TOKEN}`, Authorization: 'Bearer x', 'content-length': length }) + body, 202],
    ['two versions', (port) => head(port, { 'aep-version': '0.1', 'AEP-Version': '0.1', 'content-length': length }) + body, 426],
    ['two content types', (port) => head(port, { 'content-type': 'application/json', 'Content-Type': 'application/json', 'content-length': length }) + body, 415],
    ['an Upgrade to WebSocket', (port) => head(port, { connection: 'upgrade', upgrade: 'websocket', 'content-length': length }) + body, 202],
    ['an expectation nobody knows', (port) => head(port, { expect: 'the-unexpected', 'content-length': length }) + body, 417],
    ['no body', (port) => head(port, {}), 400],
    ['an empty body', (port) => head(port, { 'content-length': 0 }), 400],
  ])('%s gets an ordinary status', async (_name, request, status) => {
    await using at = await endpoint();
    const client = await rawClient(at.port);
    client.write(Buffer.from(request(at.port), 'latin1'));
    if (status === 'closed') expect(await client.closed()).toBe('');
    else expect(parseAnswer((await client.until(/HTTP\/1\.1 \d{3}[^]*\r\n\r\n/)).input).status).toBe(status);
    client.destroy();
    await stillServes(at);
  });

  it('refuses a request with two Authorization headers where a token is needed', async () => {
    await using at = await endpoint(WITH_TOKEN);
    const client = await rawClient(at.port);
    client.write(head(at.port, { authorization: `Bearer ${TOKEN}`, Authorization: `Bearer ${TOKEN}`, 'content-length': length }) + body);
    expect(parseAnswer((await client.until(/\}$/)).input)).toMatchObject({ status: 401 });
    expect(at.kept).toEqual([]);
    client.destroy();
  });
});

describe('a body in pieces', () => {
  const events = [buildWire({ data: { text: 'zwölf 漢字 👍 \u2028\u0085' } }), buildWire()];
  const body = Buffer.from(lines(events));
  const chunk = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const end = '0\r\n\r\n';

  it('is the same body at every split point, and byte by byte', async () => {
    await using at = await endpoint();
    const client = await rawClient(at.port);
    const headers = head(at.port, { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' });
    const cuts = Array.from({ length: body.length - 1 }, (_, index) => [body.subarray(0, index + 1), body.subarray(index + 1)]);
    const pieces = [...cuts, Array.from(body, (byte) => Buffer.from([byte]))];
    // Pipelined on one connection: each chunk reaches the reader by itself, whatever packets the system makes.
    for (const piece of pieces) client.write(Buffer.concat([Buffer.from(headers), ...piece.map(chunk), Buffer.from(end)]));
    await until(() => answers(client).length === pieces.length);
    expect(new Set(answers(client))).toEqual(new Set(['202']));
    expect(at.kept).toEqual(pieces.flatMap(() => events.map(({ json }) => json)));
    client.destroy();
  });

  it('answers 100 to one who waits for it', async () => {
    await using at = await endpoint();
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-type': 'application/x-ndjson', 'content-length': body.length, expect: '100-continue' }));
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    client.write(body);
    await client.until(/202[^]*accepted":2/);
    client.destroy();
  });

  it('is not admitted when the client goes away in the middle of it', async () => {
    await using at = await endpoint();
    for (const form of ['content-length', 'transfer-encoding'] as const) {
      const client = await rawClient(at.port);
      client.write(head(at.port, { 'content-type': 'application/x-ndjson', [form]: form === 'content-length' ? body.length : 'chunked' }));
      client.write(form === 'content-length' ? body.subarray(0, -1) : chunk(body));
      await turn();
      client.destroy();
      const seen = at.refusals.length;
      await until(() => at.refusals.length > seen);
      expect(at.refusals.at(-1)).toMatchObject({ code: 'body-aborted' });
    }
    expect(at.kept).toEqual([]);
    await stillServes(at);
  });

  it('is given up when it does not come to its end in time, with 408 and a closed connection', async () => {
    const clock = manualClock();
    await using at = await endpoint({ binding: { timers: clock, bodyTimeoutMs: 1_000, lingerMs: 500 } });
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-length': 1_000 }) + '{');
    await until(() => clock.pending() === 1);
    await clock.advance(1_000);
    await client.until(/408[^]*connection: close[^]*"error":"timeout"[^]*\}/i);
    await until(() => clock.pending() === 1);
    await clock.advance(500);
    await client.closed();
    expect(clock.pending()).toBe(0);
    await stillServes(at);
  });
});

describe('a body that is too large', () => {
  it('is refused with 413 before it is sent, and the answer is whole before the connection ends [B-028]', async () => {
    await using at = await endpoint({ binding: { maxEventBytes: 1_000, lingerBytes: 100_000, lingerMs: 60_000 } });
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-length': 10_000_000 }));
    const { input } = await client.until(/413[^]*\}/);
    expect(parseAnswer(input).headers).toContain('connection: close');
    expect(JSON.parse(parseAnswer(input).body)).toMatchObject({ error: 'too-large', code: 'body-too-large' });
    // What still comes is read off, up to a bound.
    client.write(Buffer.alloc(90_000, 0x20));
    await turn();
    expect(client.socket.destroyed).toBe(false);
    client.write(Buffer.alloc(20_000, 0x20));
    expect(await client.closed()).toBe(input);
    await stillServes(at);
  });

  it('reaches a client that sends all of it before it reads [B-028]', async () => {
    await using at = await endpoint({ binding: { maxEventBytes: 1_000, lingerMs: 60_000 } });
    const client = await rawClient(at.port);
    client.stall();
    const size = 8 * 1024 * 1024;
    client.write(head(at.port, { 'content-length': size }));
    await new Promise((resolve) => client.socket.write(Buffer.alloc(size, 0x20), resolve));
    client.resume();
    expect(parseAnswer(await client.closed()).status).toBe(413);
    await stillServes(at);
  });

  it('is cut after a while when it never ends', async () => {
    const clock = manualClock();
    await using at = await endpoint({ binding: { maxEventBytes: 10, timers: clock, lingerMs: 700 } });
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-length': 1_000 }));
    await client.until(/413[^]*\}/);
    await until(() => clock.pending() > 0);
    await clock.advance(699);
    expect(client.socket.readableEnded).toBe(false);
    await clock.advance(1);
    await client.closed();
    expect(clock.pending()).toBe(0);
  });

  it('is counted where no length is stated', async () => {
    await using at = await endpoint({ binding: { maxBodyBytes: 1_000 } });
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }));
    client.write(`3e8\r\n${' '.repeat(1_000)}\r\n1\r\n \r\n`);
    await client.until(/413[^]*"code":"body-too-large"/);
    client.destroy();
    await stillServes(at);
  });

  it('is measured exactly, by Event, by body and by lines', async () => {
    const event = buildWire();
    const size = event.json.length;
    const status = async (binding: object, events: number): Promise<number> => {
      await using at = await endpoint({ binding });
      return (await post(at.url, Array.from({ length: events }, () => event))).status;
    };
    for (const [name, limit, events] of [
      ['maxEventBytes', size, 2],
      ['maxBodyBytes', (size + 1) * 3, 3],
      ['maxLines', 4, 4],
    ] as const) {
      expect([name, await status({ [name]: limit + 1 }, events)]).toEqual([name, 202]);
      expect([name, await status({ [name]: limit }, events)]).toEqual([name, 202]);
      expect([name, await status({ [name]: limit - 1 }, events)]).toEqual([name, 413]);
    }
  });
});

describe('a refusal', () => {
  it('leaves the connection alive when the body came with its head', async () => {
    await using at = await endpoint();
    const client = await rawClient(at.port);
    const event = buildWire();
    const requests = [
      head(at.port, { 'aep-version': '9.9', 'content-length': event.json.length }) + event.json,
      head(at.port, { 'content-length': 2 }) + '{}',
      head(at.port, { 'content-type': 'text/plain', 'content-length': event.json.length }) + event.json,
      head(at.port, { 'content-length': event.json.length }) + event.json,
    ];
    for (const [index, request] of requests.entries()) {
      client.write(request);
      await until(() => answers(client).length === index + 1 && client.received().endsWith('}'));
    }
    expect(answers(client)).toEqual(['426', '400', '415', '202']);
    expect(client.received()).not.toMatch(/connection: close/i);
    expect(at.kept).toEqual([event.json]);
    client.destroy();
  });

  it('of a body still on its way comes at once', async () => {
    await using at = await endpoint(WITH_TOKEN);
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-length': 100 }) + '{');
    await client.until(/401[^]*"code":"missing-token"/);
    client.write(' '.repeat(99));
    expect(parseAnswer(await client.closed()).headers).toContain('connection: close');
  });
});

describe('compressed bodies', () => {
  it('are read up to the bound, also in several members, and never beyond', async () => {
    await using at = await endpoint({ binding: { maxBodyBytes: 100_000 } });
    const [a, b] = [buildWire(), buildWire()];
    const send = (bytes: Uint8Array): Promise<Response> =>
      post(at.url, new Uint8Array(bytes), { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' });
    expect((await send(gzipSync(lines([a, b])))).status).toBe(202);
    expect((await send(Buffer.concat([gzipSync(`${a.json}\n`), gzipSync(`${b.json}\n`)]))).status).toBe(202);
    expect(at.kept).toEqual([a.json, b.json, a.json, b.json]);
    const bomb = gzipSync(Buffer.concat([Buffer.from(`${a.json}\n`), Buffer.alloc(32 * 1024 * 1024, 0x20)]));
    expect((await send(bomb)).status).toBe(413);
    expect((await send(gzipSync(gzipSync(lines([a]))))).status).toBe(400);
    expect((await send(Buffer.from(lines([a])))).status).toBe(400);
    expect(at.kept).toHaveLength(4);
  });

  it('do not keep others waiting when fifty bombs come at once', async () => {
    await using at = await endpoint({ binding: { maxBodyBytes: 2 * 1024 * 1024 } });
    const bomb = new Uint8Array(gzipSync(Buffer.concat([Buffer.from(`${buildWire().json}\n`), Buffer.alloc(32 * 1024 * 1024, 0x20)])));
    let open = 50;
    const bombs = Array.from({ length: open }, async () => {
      const { status } = await post(at.url, bomb, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' });
      open -= 1;
      return status;
    });
    const event = buildWire();
    expect((await post(at.url, event.json)).status).toBe(202);
    expect(open).toBeGreaterThan(0);
    expect(new Set(await Promise.all(bombs))).toEqual(new Set([413]));
    expect(at.kept).toEqual([event.json]);
  });

  it('give way with 503 when all bodies together are too much, and room comes back', async () => {
    await using at = await endpoint({ binding: { maxBodyBytes: 50_000, maxEventBytes: 50_000, maxPendingBytes: 60_000 } });
    const client = await rawClient(at.port);
    client.write(head(at.port, { 'content-type': 'application/x-ndjson', 'content-length': 50_000 }) + ' '.repeat(49_000));
    const event = buildWire({ data: { text: 'x'.repeat(20_000) } });
    let response = await post(at.url, event.json);
    // The other body may still be on its way here.
    for (let left = 1_000; left > 0 && response.status === 202; left -= 1) response = await post(at.url, event.json);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([503, '1', { error: 'overloaded' }]);
    client.destroy();
    await until(() => at.refusals.some(({ code }) => code === 'body-aborted'));
    expect((await post(at.url, event.json)).status).toBe(202);
  });
});
