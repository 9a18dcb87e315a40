import { gzipSync } from 'node:zlib';

import { buildSession, buildWire, rawClient, tempDir } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Collector, startCollector } from '../src/index.js';
import { recordsOf } from './spool-support.js';
import { ndjson, post, readReplay } from './support.js';

let dir: Awaited<ReturnType<typeof tempDir>>;
let collector: Collector;

beforeAll(async () => {
  dir = await tempDir();
  collector = await startCollector({ port: 0, data: dir.path, 'max-batch': 50, 'max-event-bytes': 2048, 'max-body-bytes': 65_536 });
});

afterAll(async () => {
  await collector.close();
  await dir.remove();
});

const hook = (body: unknown): Promise<Response> => fetch(`${collector.url}/hooks/claude-code`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

describe('records of hooks', () => {
  const records = (session: string): string[] => recordsOf().slice(0, 3).map((record) => JSON.stringify({ ...record, session }));
  const send = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${collector.url}/hooks/claude-code`, { method: 'POST', body: body as string, headers: { 'content-type': 'application/x-ndjson', ...headers } });

  it('are taken in a batch, and again without effect', async () => {
    const body = records('n1').join('\n');
    const first = await send(body);
    expect([first.status, await first.json()]).toEqual([202, { accepted: 3, known: 0, refused: [] }]);
    const second = await send(gzipSync(`${body}\n`), { 'content-encoding': 'gzip', 'content-type': 'Application/X-NDJSON; charset=utf-8' });
    expect(await second.json()).toEqual({ accepted: 0, known: 3, refused: [] });
    expect((await readReplay(collector.url, { from: 'all', filter: '{"session":"n1"}' })).data).toHaveLength(3);
  });

  it('are refused by line, and the others taken', async () => {
    const [first = '', second = ''] = records('n2');
    const response = await send([first, '{"v":1,', '{"v":1,"hook":"Stop","prompt":"content"}', '', second].join('\n'));
    const { refused, ...counts } = (await response.json()) as { refused: { line: number; error: string; detail: string }[] };
    expect([response.status, counts]).toEqual([202, { accepted: 2, known: 0 }]);
    expect(refused.map(({ line, error }) => [line, error])).toEqual([2, 3, 4].map((line) => [line, 'invalid-record']));
    expect(JSON.stringify(refused)).not.toContain('content');
  });

  it.each([
    ['more than a batch may have', Array.from({ length: 51 }, () => '{}').join('\n'), 413, 'too-large'],
    ['more bytes than a body may have', 'x'.repeat(70_000), 413, 'too-large'],
    ['what is no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'invalid-payload'],
  ])('are refused whole when there are %s', async (_, body, status, code) => {
    const response = await send(body);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, code]);
  });

  it('give a call its key, so that it is there once', async () => {
    const call = (key: string): Promise<Response> =>
      fetch(`${collector.url}/hooks/claude-code`, { method: 'POST', body: '{"session_id":"n3","hook_event_name":"SessionStart"}', headers: { 'content-type': 'application/json', 'idempotency-key': key } });
    const answers = [await call('01JAAA00000000000000000003'), await call('01JAAA00000000000000000003'), await call('again')];
    expect(await Promise.all(answers.map(async (answer) => [answer.status, ((await answer.json()) as { accepted?: number }).accepted]))).toEqual([[202, 1], [202, 0], [400, undefined]]);
  });
});

describe('hooks', () => {
  it('takes a call, keeps its Events and answers with their number', async () => {
    const response = await hook({ session_id: 'h1', hook_event_name: 'SessionStart', source: 'startup' });
    expect([response.status, await response.json()]).toEqual([202, { accepted: 1 }]);
    expect((await readReplay(collector.url, { from: 'all', filter: '{"session":"h1"}' })).data).toHaveLength(1);
  });

  it('gives positions in the order of arrival when calls overlap', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => hook({ session_id: 'h2', hook_event_name: 'PreToolUse', tool_name: 't', tool_use_id: `c${n}`, tool_input: {} })));
    const { data } = await readReplay(collector.url, { from: 'all', filter: '{"session":"h2"}' });
    expect(data.map((text) => (JSON.parse(text) as { seq: number }).seq)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  it.each([
    ['no JSON', 'hello', 400, 'invalid-payload'],
    ['no payload', '[]', 400, 'invalid-payload'],
    ['nothing', '', 400, 'invalid-payload'],
    ['a deep value', `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"t","tool_input":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400, 'invalid-payload'],
    ['too much', JSON.stringify({ session_id: 's', pad: 'x'.repeat(70_000) }), 413, 'too-large'],
  ])('refuses %s', async (_, body, status, code) => {
    const response = await hook(body);
    expect([response.status, (await response.json()) as object]).toEqual([status, expect.objectContaining({ error: code })]);
  });

  it('refuses an agent it has no adapter for', async () => {
    for (const agent of ['other', '__proto__', 'constructor']) {
      expect((await fetch(`${collector.url}/hooks/${agent}`, { method: 'POST', body: '{}' })).status).toBe(404);
    }
  });

  it('takes half a character that the agent cut off', async () => {
    expect((await hook('{"session_id":"h3","hook_event_name":"PreToolUse","tool_name":"t","tool_input":{"text":"\\ud83d"}}')).status).toBe(202);
  });
});

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])('refuses a hook call of type %j, which a web page could send', async (type) => {
  const response = await fetch(`${collector.url}/hooks/claude-code`, {
    method: 'POST',
    body: new Blob(['{"session_id":"form","hook_event_name":"SessionStart","source":"startup"}']),
    headers: type === '' ? {} : { 'content-type': type },
  });
  expect([response.status, await response.json()]).toEqual([415, expect.objectContaining({ error: 'unsupported-media-type' })]);
});

it('makes no more of hook calls than the ceiling allows, whoever has read them [B-185]', async () => {
  await using data = await tempDir();
  const strict = await startCollector({ port: 0, data: data.path, capture: 'none' });
  const send = (body: string, type: string): Promise<Response> => fetch(`${strict.url}/hooks/claude-code`, { method: 'POST', body, headers: { 'content-type': type } });
  await send('{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}', 'application/json');
  await send(JSON.stringify(recordsOf()[0]), 'application/x-ndjson');
  const events = (await readReplay(strict.url)).data.map((text) => JSON.parse(text) as { capture: string; data?: unknown });
  expect(events.map(({ capture, data: payload }) => [capture, payload])).toEqual([['none', undefined], ['none', undefined]]);
  await strict.close();
});

describe('sessions', () => {
  it('lists them latest first, page by page', async () => {
    for (const session of ['p1', 'p2', 'p3']) await post(collector.url, ndjson(buildSession(2, { session })));
    const page = async (query: string): Promise<{ sessions: { session: string; count: number }[]; next?: number }> =>
      (await (await fetch(`${collector.url}/sessions?${query}`)).json()) as { sessions: { session: string; count: number }[]; next?: number };
    const first = await page('limit=2');
    expect(first.sessions.map(({ session, count }) => [session, count])).toEqual([['p3', 2], ['p2', 2]]);
    expect((await page(`limit=1&before=${first.next ?? ''}`)).sessions.map(({ session }) => session)).toEqual(['p1']);
    expect((await page('session=p2')).sessions.map(({ session }) => session)).toEqual(['p2']);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'before=-1', 'before=1.5'])('refuses %s', async (query) => {
    const response = await fetch(`${collector.url}/sessions?${query}`);
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: 'invalid-parameter' })]);
  });
});

describe('health', () => {
  it('says that the collector serves', async () => {
    const response = await fetch(`${collector.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
  });
});

type RefusedBatch = readonly [name: string, body: () => string | Uint8Array, headers: Readonly<Record<string, string>>, status: number, code: string | undefined];

const REFUSED: readonly RefusedBatch[] = [
  ['a bad line', () => `${ndjson(buildSession(2, { session: 'refused' }))}{"aep":"0.1"}\n`, {}, 400, 'invalid-event'],
  ['a command', () => `${ndjson(buildSession(1, { session: 'refused' }))}${buildWire({ type: 'control.cancel', session: 'refused', seq: undefined }).json}\n`, {}, 403, 'command-refused'],
  ['too many lines', () => ndjson(buildSession(51, { session: 'refused' })), {}, 413, undefined],
  ['a long line', () => ndjson([buildWire({ session: 'refused', subject: 'x'.repeat(3000) })]), {}, 413, undefined],
  ['a large body', () => ndjson(buildSession(40, { session: 'refused', subject: 'x'.repeat(1800) })), {}, 413, undefined],
  ['a compressed large body', () => gzipSync(Buffer.alloc(10_000_000, 0x20)), { 'content-encoding': 'gzip' }, 413, undefined],
  ['an unknown coding', () => 'x', { 'content-encoding': 'br-x' }, 415, undefined],
  ['an unknown type', () => 'x', { 'content-type': 'text/plain' }, 415, undefined],
  ['another version', () => ndjson(buildSession(1, { session: 'refused' })), { 'aep-version': '1.0' }, 426, undefined],
];

describe('a refused batch', () => {
  it.each(REFUSED)('with %s is neither stored nor sent', async (_, body, headers, status, code) => {
    const response = await post(collector.url, body(), headers);
    expect(response.status).toBe(status);
    const answer = (await response.json()) as { error?: string; versions?: string[] };
    if (code !== undefined) expect(answer.error).toBe(code);
    else expect(answer.error ?? answer.versions).toBeDefined();
    expect((await readReplay(collector.url, { from: 'all', filter: '{"session":"refused"}' })).data).toEqual([]);
  });
});

describe('odd requests', () => {
  const heads = [
    'GET /stream HTTP/1.1\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: \r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: [::1\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'GET http://[bad/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'GET //// HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'GET /hooks/%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'TRACE /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'PROPFIND /sessions HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.attacker.example\r\n\r\n',
    'GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n',
    `GET /stream?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    'NOT HTTP AT ALL\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
  ];
  it.each(heads.map((head) => [head.slice(0, 60), head] as const))('get an ordinary status: %j', async (_, head) => {
    const client = await rawClient(collector.port);
    client.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    client.end();
    expect(await client.closed()).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
  });

  it('404 and 405 are JSON with a code', async () => {
    expect(await (await fetch(`${collector.url}/nothing`)).json()).toMatchObject({ error: 'not-found' });
    const response = await fetch(`${collector.url}/healthz`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([405, 'GET, HEAD', expect.objectContaining({ error: 'method-not-allowed' })]);
  });
});
