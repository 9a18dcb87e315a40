import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { singleToken } from '@aepkit/access';
import { HubError, type Commands, type EventLog } from '@aepkit/hub';
import { buildEvent, buildSession, buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';

import { httpBinding } from '../src/server.js';
import { endpoint, failing, lines, post, TOKEN, WITH_TOKEN } from './support.js';

const command = buildWire({ type: 'control.pause', source: 'aep://test/human/h', agent: 'h', seq: undefined, data: {} });

describe('POST /events', () => {
  it('takes one Event and answers 202 behind the commit [B-018, B-023]', async () => {
    await using at = await endpoint();
    const event = buildWire();
    const response = await post(at.url, event.json);
    expect(at.kept).toEqual([event.json]);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([202, 'application/json', '{"accepted":1}']);
  });

  it('takes a batch and keeps the order of its lines [B-019, B-020]', async () => {
    await using at = await endpoint();
    const events = buildSession(50).toReversed();
    const response = await post(at.url, events);
    expect([response.status, await response.json()]).toEqual([202, { accepted: 50 }]);
    expect(at.kept).toEqual(events.map(({ json }) => json));
  });

  it('keeps every Event as the very bytes it came in, unknown attributes, digits and escapes included [B-004, B-005, E-058]', async () => {
    await using at = await endpoint();
    const spelling = fc.record({
      text: fc.string({ unit: 'grapheme' }),
      number: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fraction: fc.constantFrom('1.0', '1e3', '-0', '0.10', '1E-7'),
      gap: fc.constantFrom('', ' ', '  ', '\t'),
      escape: fc.constantFrom('\\u00e9', '\\/', '\\u2028', '\\ud83d\\udc4d', '\u2028', '\u0085', 'é'),
      extension: fc.stringMatching(/^x[a-z0-9]{1,10}$/),
    });
    let id = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(spelling, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\n\n'), fc.boolean(), async (spellings, end, gzip) => {
        const texts = spellings.map(({ text, number, fraction, gap, escape, extension }) => {
          const core = JSON.stringify(buildEvent({ id: `p-${String(++id)}`, data: undefined, [extension]: text })).slice(0, -1);
          return `${core},${gap}"data"${gap}:${gap}{"n":${String(number)},${gap}"f":${fraction},"e":"${escape}"}${gap}}`;
        });
        const before = at.kept.length;
        const body = Buffer.from(texts.join(end) + end);
        const response = await post(at.url, gzip ? gzipSync(body) : body, {
          'content-type': 'application/x-ndjson',
          'content-encoding': gzip ? 'gzip' : null,
        });
        expect(await response.json()).toEqual({ accepted: texts.length });
        expect(at.kept.slice(before)).toEqual(texts);
      }),
      { numRuns: 60 },
    );
  });

  it('answers a repeat as a success [B-031]', async () => {
    await using at = await endpoint();
    const event = buildWire();
    expect((await post(at.url, event.json)).status).toBe(202);
    expect((await post(at.url, event.json)).status).toBe(202);
    expect((await post(at.url, [event, event])).status).toBe(202);
  });

  it('takes unknown types and payloads that no schema knows: only the envelope is checked', async () => {
    await using at = await endpoint();
    const events = [buildWire({ type: 'x.acme.run.thing', data: { a: [] } }), buildWire({ type: 'tool.requested', data: { tool: 7 } }), buildWire({ type: 'run.future' })];
    expect((await post(at.url, events)).status).toBe(202);
  });

  it('does not mind the shape of a session id [B-206]', async () => {
    await using at = await endpoint();
    for (const session of ['../../x', 'a b', 's\u0000', 'ü', '-', 'x'.repeat(300)]) {
      expect((await post(at.url, buildWire({ session }).json)).status).toBe(202);
    }
  });

  it('reads attributes from the body alone [B-032]', async () => {
    await using at = await endpoint();
    const { id: _id, ...rest } = buildEvent();
    const headers = { id: 'from-header', 'aep-id': 'from-header', 'ce-id': 'from-header' };
    expect((await post(at.url, JSON.stringify(rest), headers)).status).toBe(400);
    const event = buildWire();
    expect((await post(at.url, event.json, { agent: 'other', 'ce-type': 'x.y.z' })).status).toBe(202);
    expect(at.kept).toEqual([event.json]);
  });

  it.each([
    ['no id', { id: undefined }, 'missing-attribute'],
    ['a frame', { type: 'ping' }, 'invalid-type'],
    ['another version', { aep: '0.2' }, 'unsupported-version'],
    ['a bad time', { time: 'yesterday' }, 'invalid-attribute'],
    ['a seq beyond 2^53', { seq: 2 ** 53 }, 'unsafe-integer'],
  ])('refuses an Event with %s and says what and where [B-024, B-011]', async (_name, overrides, code) => {
    await using at = await endpoint();
    const response = await post(at.url, JSON.stringify(buildEvent(overrides)));
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ error: 'invalid-event', detail: expect.any(String), code, path: expect.any(String), index: 0, line: 1 });
    expect(at.kept).toEqual([]);
    expect(at.refusals).toEqual([{ route: 'events', status: 400, error: 'invalid-event', code }]);
  });

  it.each([
    ['a frame', '{"type":"ping","t":1}'],
    ['a hello', '{"type":"hello","versions":["0.1"]}'],
    ['an array', '[]'],
    ['a capture named twice', buildWire({ capture: 'full' }).json.replace('{', '{"\\u0063apture":"none",')],
    ['half a surrogate pair', '{"text":"\\ud83d"}'],
    ['20,000 levels', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['a number that is no JSON', '{"a":NaN}'],
  ])('refuses %s [B-011, B-024]', async (_name, body) => {
    await using at = await endpoint();
    const single = await post(at.url, body);
    const batch = await post(at.url, body, { 'content-type': 'application/x-ndjson' });
    const [first, second] = [(await single.json()) as { code: string }, (await batch.json()) as { code: string }];
    expect([single.status, batch.status, first.code]).toEqual([400, 400, second.code]);
    expect(at.kept).toEqual([]);
  });

  it('admits nothing of a batch with a bad line, and names that line [B-026]', async () => {
    await using at = await endpoint();
    const [a, b] = buildSession(2);
    const response = await post(at.url, `${a!.json}\n\n{"aep":"0.1"}\n${b!.json}\n`, { 'content-type': 'application/x-ndjson' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid-event', index: 1, line: 3 }]);
    expect(at.kept).toEqual([]);
  });

  it.each([['9.9'], ['1.0'], ['0.2'], ['0'], ['0.1.0'], ['00.1'], ['v0.1'], [''], ['0.1, 0.1'], [null]])(
    'answers 426 to AEP-Version %j, with the versions, the reason, and without Upgrade [B-022]',
    async (version) => {
      await using at = await endpoint();
      const response = await post(at.url, buildWire().json, { 'aep-version': version });
      const reason = version === null ? 'the header AEP-Version is missing' : 'AEP-Version names no version that is spoken here';
      expect([response.status, await response.json()]).toEqual([426, { error: 'unsupported-version', detail: `${reason}; send AEP-Version: 0.1`, versions: ['0.1'] }]);
      expect(response.headers.has('upgrade')).toBe(false);
      expect(at.kept).toEqual([]);
      expect(at.refusals).toMatchObject([{ status: 426, error: 'unsupported-version' }]);
    },
  );

  it.each([['text/plain'], ['application/json; charset=latin1'], [null], ['application/cloudevents+json']])('answers 415 to Content-Type %j [B-029]', async (type) => {
    await using at = await endpoint();
    const response = await post(at.url, Buffer.from(buildWire().json), { 'content-type': type });
    expect([response.status, await response.json()]).toMatchObject([415, { error: 'unsupported-media-type' }]);
    expect(at.kept).toEqual([]);
  });

  it.each([['gzip, gzip'], ['zstd'], ['aws-chunked']])('answers 415 to Content-Encoding %j', async (coding) => {
    await using at = await endpoint();
    const response = await post(at.url, buildWire().json, { 'content-encoding': coding });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'gzip, deflate, br']);
  });

  it('answers 401 without a valid token and 403 without the right [B-027, B-171, B-173]', async () => {
    const observer = 'observer-observer-observer-00001';
    await using at = await endpoint({
      access: { tokens: [singleToken(TOKEN), { name: 'observer', token: observer, scopes: ['observe'] }] },
    });
    const body = buildWire().json;
    const ask = async (authorization: string | null): Promise<[number, string | null]> => {
      const response = await post(at.url, body, { authorization });
      return [response.status, response.headers.get('www-authenticate')];
    };
    expect(await ask(null)).toEqual([401, 'Bearer']);
    expect(await ask(`Bearer ${TOKEN}x`)).toEqual([401, 'Bearer']);
    expect(await ask(TOKEN)).toEqual([401, 'Bearer']);
    expect(await ask(`Bearer ${observer}`)).toEqual([403, null]);
    expect(at.kept).toEqual([]);
    expect(await ask(`Bearer ${TOKEN}`)).toEqual([202, null]);
    expect(at.kept).toEqual([body]);
  });

  it('never takes a token from the URL, and never repeats it [B-175]', async () => {
    await using at = await endpoint(WITH_TOKEN);
    const response = await fetch(`${at.url}/events?access_token=${TOKEN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'aep-version': '0.1' },
      body: buildWire().json,
    });
    const text = await response.text();
    expect(response.status).toBe(401);
    expect(JSON.stringify([text, [...response.headers], at.refusals])).not.toContain(TOKEN);
    expect(at.refusals).toMatchObject([{ code: 'query-token-not-allowed' }]);
    expect(at.kept).toEqual([]);
  });

  it('checks authentication, version, content type, size and content in this order', async () => {
    await using at = await endpoint({ ...WITH_TOKEN, binding: { maxBodyBytes: 100, maxEventBytes: 100 } });
    const all = { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong-00', 'aep-version': '9.9', 'content-type': 'text/plain', 'content-encoding': 'zstd' };
    const long = 'x'.repeat(101);
    const status = async (body: string, headers: Record<string, string | null>): Promise<number> => (await post(at.url, body, headers)).status;
    expect(await status(long, all)).toBe(401);
    expect(await status(long, { ...all, authorization: `Bearer ${TOKEN}` })).toBe(426);
    expect(await status(long, { ...all, authorization: `Bearer ${TOKEN}`, 'aep-version': '0.1' })).toBe(415);
    expect(await status(long, { authorization: `Bearer ${TOKEN}`, 'content-encoding': 'zstd' })).toBe(415);
    expect(await status(long, { authorization: `Bearer ${TOKEN}` })).toBe(413);
    expect(await status('x', { authorization: `Bearer ${TOKEN}` })).toBe(400);
  });

  it.each([
    ['http://evil.example', 403],
    ['null', 403],
    ['http://127.attacker.example', 403],
    ['http://localhost.evil.example', 403],
    ['https://console.example', 202],
  ])('answers a page of %s with %i, whatever its token', async (origin, status) => {
    await using at = await endpoint({ access: { allowedOrigins: ['https://console.example'], tokens: [singleToken(TOKEN)] } });
    const response = await post(at.url, buildWire().json, { origin, authorization: `Bearer ${TOKEN}` });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(status === 202 ? origin : null);
  });

  it('refuses a command and everything with it, names its line, and takes the acks [C-027]', async () => {
    const routed: unknown[] = [];
    const commands: Commands = {
      hello: () => undefined,
      seen: () => undefined,
      closed: () => undefined,
      route: (event) => {
        routed.push(event);
        return { type: 'handed', connection: 'c' };
      },
      roster: () => [],
    };
    await using at = await endpoint({ ...WITH_TOKEN, hub: { commands } });
    const authorization = `Bearer ${TOKEN}`;
    const batch = await post(at.url, `${buildWire().json}\n\n${command.json}\n`, { authorization, 'content-type': 'application/x-ndjson' });
    expect([batch.status, await batch.json()]).toMatchObject([403, { error: 'command-refused', index: 1, line: 3 }]);
    expect((await post(at.url, command.json, { authorization })).status).toBe(403);
    expect([at.kept, routed]).toEqual([[], []]);
    const acks = [
      buildWire({ type: 'control.accepted', cause: command.event.id, data: {} }),
      buildWire({ type: 'control.rejected', cause: command.event.id, data: { code: 'unsupported' } }),
    ];
    expect((await post(at.url, acks, { authorization })).status).toBe(202);
  });

  it('answers 503 with Retry-After when nothing can be kept, and admits nothing [B-227]', async () => {
    const state = { failing: true };
    await using at = await endpoint({ log: (log) => failing(log, state), binding: { retryAfterSeconds: 7 } });
    const event = buildWire();
    const response = await post(at.url, [event, buildWire()]);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([503, '7', { error: 'unavailable' }]);
    expect(at.kept).toEqual([]);
    expect(at.refusals).toMatchObject([{ status: 503, error: 'unavailable', cause: expect.any(Error) }]);
    state.failing = false;
    expect((await post(at.url, event.json)).status).toBe(202);
    expect(at.kept).toEqual([event.json]);
  });

  it('answers 503 with Retry-After while too much waits for its commit', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = (log: EventLog): EventLog => ({
      buffer: log.buffer,
      append: (batch) => released.then(() => log.append(batch)),
      onCommit: (listener) => log.onCommit(listener),
      replay: (from, upTo, hint) => log.replay(from, upTo, hint),
      mark: () => log.mark(),
    });
    await using at = await endpoint({ log: slow, hub: { maxUncommittedBytes: 1_000 } });
    const event = buildWire({ data: { text: 'x'.repeat(700) } });
    const both = [post(at.url, event.json), post(at.url, event.json)];
    const refused = await Promise.race(both);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([503, '1', { error: 'overloaded' }]);
    release();
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([202, 503]);
    expect(at.kept).toEqual([event.json]);
  });

  it('answers 503 with Retry-After while it shuts down', async () => {
    await using at = await endpoint();
    await at.hub.close();
    const response = await post(at.url, buildWire().json);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([503, '1', { error: 'closing' }]);
  });

  it('answers 500 and says nothing about it when the hub breaks, and tells the app why', async () => {
    const broken = new TypeError('secret detail');
    const refusals: unknown[] = [];
    await using at = await endpoint();
    const app = httpBinding({
      hub: { ingest: () => Promise.reject(broken), facts: () => at.hub.facts() },
      access: { admit: () => ({ name: 'x', scopes: new Set(), authenticated: false }), checkOrigin: () => undefined, checkDiscovery: () => undefined, crossOrigin: () => undefined },
      onRefusal: (refusal) => {
        refusals.push(refusal);
        throw new Error('counter');
      },
    });
    const response = await app.request('/events', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'aep-version': '0.1' },
      body: buildWire().json,
    });
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal-error', detail: 'the request could not be handled' }]);
    expect(refusals).toEqual([{ route: 'events', status: 500, error: 'internal-error', cause: broken }]);
  });

  it('asks every hub error for its line', async () => {
    const hub = { ingest: () => Promise.reject(new HubError('invalid-event', 'no', { index: 1 })), facts: () => ({}) as never };
    const app = httpBinding({
      hub,
      access: { admit: () => ({ name: 'x', scopes: new Set(), authenticated: false }), checkOrigin: () => undefined, checkDiscovery: () => undefined, crossOrigin: () => undefined },
    });
    const response = await app.request('/events', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'aep-version': '0.1' },
      body: `\n${lines([buildWire(), buildWire()])}`,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { index: 1, line: 3 }]);
  });

  it('works on a plain fetch handler, with the host of the URL where no header names one', async () => {
    await using at = await endpoint();
    const event = buildWire();
    const init = { method: 'POST', headers: { 'content-type': 'application/json', 'aep-version': '0.1' }, body: event.json };
    expect((await at.app.request('http://localhost/events', init)).status).toBe(202);
    expect((await at.app.request('http://evil.example/events', init)).status).toBe(421);
    expect(at.kept).toEqual([event.json]);
  });

  it('takes no body that a middleware has read: its decoder may have replaced bytes', async () => {
    await using at = await endpoint();
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.text();
      await next();
    });
    app.route('/', at.app);
    const init = { method: 'POST', headers: { 'content-type': 'application/json', 'aep-version': '0.1' }, body: buildWire().json };
    expect((await app.request('http://localhost/events', init)).status).toBe(500);
    expect(at.refusals).toMatchObject([{ status: 500, cause: expect.any(TypeError) }]);
    expect(at.kept).toEqual([]);
  });

  it('serves HTTP/2 as well', async () => {
    const { connect } = await import('node:http2');
    await using at = await endpoint({ http2: true });
    const client = connect(at.url);
    const ask = (headers: Record<string, string>, body?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const stream = client.request({ ':path': '/events', ...headers });
        stream.on('response', (found) => {
          resolve(Number(found[':status']));
        });
        stream.on('error', reject);
        stream.resume();
        stream.end(body);
      });
    const event = buildWire();
    const headers = { ':method': 'POST', 'content-type': 'application/json', 'aep-version': '0.1' };
    expect(await ask(headers, event.json)).toBe(202);
    expect(await ask({ ...headers, 'aep-version': '9' }, event.json)).toBe(426);
    expect(await ask({ ':method': 'GET' })).toBe(200);
    expect(await ask({ ':method': 'GET', ':authority': 'evil.example' })).toBe(421);
    expect(at.kept).toEqual([event.json]);
    client.close();
  });
});

describe('GET /events and GET /.well-known/aep', () => {
  it('state versions, role, endpoints and capabilities as JSON [B-048, B-049, B-051]', async () => {
    await using at = await endpoint({ hub: { role: 'relay', experimental: { x: 1 } }, binding: { endpoints: { stream: '/stream' } } });
    for (const path of ['/events', '/.well-known/aep']) {
      const response = await fetch(at.url + path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      const document = (await response.json()) as Record<string, unknown>;
      expect(document).toMatchObject({ aep: ['0.1'], role: 'relay', endpoints: { events: '/events', stream: '/stream' } });
      expect(document.endpoints).toEqual({ events: '/events', stream: '/stream' });
    }
  });

  it('state the very facts of the hub, with the numbers in force [B-050, B-097, B-104]', async () => {
    await using at = await endpoint({ hub: { experimental: { here: true } } });
    const { capabilities } = (await (await fetch(`${at.url}/events`)).json()) as { capabilities: object };
    expect(capabilities).toEqual(JSON.parse(JSON.stringify(at.hub.facts().capabilities)));
    expect(capabilities).toMatchObject({ filters: ['attr-match'], replay: { buffer: 100, all: true }, experimental: { here: true } });
    await using without = await endpoint({ hub: { replayAll: false } });
    const other = (await (await fetch(`${without.url}/events`)).json()) as { capabilities: { replay: object } };
    expect(other.capabilities.replay).toEqual({ buffer: 100 });
  });

  it('need no token, unless the document is gated: then any will do', async () => {
    const observer = 'observer-observer-observer-00001';
    const tokens = [singleToken(TOKEN), { name: 'observer', token: observer, scopes: ['observe' as const] }];
    await using open = await endpoint({ access: { tokens } });
    expect((await fetch(`${open.url}/events`)).status).toBe(200);
    await using gated = await endpoint({ access: { tokens, publicDiscovery: false } });
    const ask = async (token?: string): Promise<number> =>
      (await fetch(`${gated.url}/.well-known/aep`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await ask(), await ask('x'.repeat(32)), await ask(observer), await ask(TOKEN)]).toEqual([401, 401, 200, 200]);
    expect(gated.refusals).toMatchObject([{ route: 'discovery', status: 401 }, { route: 'discovery', status: 401 }]);
  });

  it.each([
    [{ host: 'evil.example' }, 421],
    [{ host: 'evil.example', origin: 'http://evil.example' }, 421],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'http://[::1]:1' }, 403],
    [{ 'x-forwarded-for': '10.0.0.1' }, 403],
    [{ host: 'localhost' }, 200],
    [{ host: '[::1]' }, 200],
  ])('answer %j with %i, for other methods too', async (headers, status) => {
    await using at = await endpoint();
    const ask = (method: string): Promise<number> =>
      new Promise((resolve, reject) => {
        request(`${at.url}/events`, { method, headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    expect(await ask('GET')).toBe(status);
    expect(await ask('DELETE')).toBe(status === 200 ? 405 : status);
  });

  it('answer HEAD without a body', async () => {
    await using at = await endpoint();
    const response = await fetch(`${at.url}/events`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'application/json', '']);
  });

  it('stand where the binding is mounted, with the paths it was told', async () => {
    await using at = await endpoint({ prefix: '/aep', binding: { endpoints: { events: '/aep/events', socket: 'wss://h/socket' } } });
    const document = (await (await fetch(`${at.url}/aep/events`)).json()) as object;
    expect(document).toMatchObject({ endpoints: { events: '/aep/events', socket: 'wss://h/socket' } });
    const event = buildWire();
    expect((await post(`${at.url}/aep`, event.json)).status).toBe(202);
    expect((await fetch(`${at.url}/events`)).status).toBe(404);
  });
});

describe('other methods', () => {
  it.each([
    ['/events', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']],
    ['/.well-known/aep', 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS']],
  ])('on %s get 405 with Allow: %s', async (path, allow, methods) => {
    await using at = await endpoint();
    for (const method of methods) {
      const response = await fetch(at.url + path, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, allow]);
      expect(await response.json()).toMatchObject({ error: 'method-not-allowed' });
    }
    expect(at.refusals).toHaveLength(methods.length);
  });

  it('answer a preflight only for an allowed origin', async () => {
    await using at = await endpoint({ access: { allowedOrigins: ['https://console.example'] } });
    const ask = (origin?: string): Promise<Response> =>
      fetch(`${at.url}/events`, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST', ...(origin === undefined ? {} : { origin }) } });
    const allowed = await ask('https://console.example');
    expect([allowed.status, Object.fromEntries(allowed.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': 'https://console.example',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'authorization, content-type, content-encoding, aep-version',
        'access-control-max-age': '600',
        vary: 'origin',
      },
    ]);
    expect(allowed.headers.has('access-control-allow-credentials')).toBe(false);
    expect((await ask('https://evil.example')).status).toBe(403);
    expect((await ask()).status).toBe(405);
  });

  it('let a page of an allowed origin read refusals and the document too', async () => {
    await using at = await endpoint({ access: { allowedOrigins: ['https://console.example'] } });
    const origin = 'https://console.example';
    const refused = await post(at.url, '{}', { origin });
    expect([refused.status, refused.headers.get('access-control-allow-origin'), refused.headers.get('vary')]).toEqual([400, origin, 'origin']);
    const document = await fetch(`${at.url}/events`, { headers: { origin } });
    expect([document.status, document.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await fetch(`${at.url}/events`)).headers.has('access-control-allow-origin')).toBe(false);
  });
});
