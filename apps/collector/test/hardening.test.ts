import { existsSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import type { EndpointLog } from '@aepkit/endpoint';
import { buildSession, buildWire, rawClient, tempDir } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Collector, startCollector } from '../src/index.js';
import { launchCollector, ndjson, post, readLive, readReplay } from './support.js';

/** What the log was told at warn and error. */
const logged: unknown[] = [];
const log: EndpointLog = {
  info: () => undefined,
  debug: () => undefined,
  warn: (facts, message) => void logged.push([facts, message]),
  error: (facts, message) => void logged.push([facts, message]),
};
let dir: Awaited<ReturnType<typeof tempDir>>;
let collector: Collector;

beforeAll(async () => {
  dir = await tempDir();
  collector = await startCollector({ port: 0, data: dir.path }, log);
});

afterAll(async () => {
  await collector.close();
  await dir.remove();
  expect(logged).toEqual([]);
});

const host = (): string => `Host: 127.0.0.1:${collector.port}\r\n`;
const hook = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${url}/hooks/claude-code`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const sessionStart = (session: string): string => JSON.stringify({ session_id: session, hook_event_name: 'SessionStart', source: 'startup' });

/** Sends bytes and gives the statuses of the answers and the text of the last one. */
async function talk(bytes: string | Uint8Array, answers = 1): Promise<{ statuses: number[]; text: string }> {
  const client = await rawClient(collector.port);
  client.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await client.until(new RegExp(`(?:HTTP/1\\.1 \\d{3}[^]*){${answers}}(?:[}\\n]|\\r\\n\\r\\n)$`));
  const text = client.received();
  client.destroy();
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1])), text };
}

describe('what is no request', () => {
  it.each([
    ['bytes of another protocol', '\x16\x03\x01\x00\x00\r\n\r\n', 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method in small letters', 'get /healthz HTTP/1.1\r\n{host}\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n', 400],
    ['a Host that is no name', 'GET /healthz HTTP/1.1\r\nHost: [::\r\n\r\n', 400],
    ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1/x?y#z\r\n\r\n', 400],
    ['a Host with bytes of no name', 'GET /healthz HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n', 400],
    ['a target that is no URL', 'GET http://[::/healthz HTTP/1.1\r\n{host}\r\n', 400],
    ['a target of another scheme', 'GET ftp://x/healthz HTTP/1.1\r\n{host}\r\n', 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\n{host}\r\n', 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\n{host}\r\n', 405],
    ['an expectation', 'POST /events HTTP/1.1\r\n{host}Expect: tea\r\nContent-Length: 2\r\n\r\n{}', 417],
    ['a header with a NUL', 'GET /healthz HTTP/1.1\r\n{host}X: a\0b\r\n\r\n', 400],
    ['headers without end', `GET /healthz HTTP/1.1\r\n{host}X: ${'a'.repeat(200_000)}`, 431],
    ['two lengths', 'POST /events HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}', 400],
    ['length and chunks', 'POST /events HTTP/1.1\r\n{host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 400],
    ['a chunk of no size', 'POST /events HTTP/1.1\r\n{host}AEP-Version: 0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a long chunk extension', `POST /events HTTP/1.1\r\n{host}AEP-Version: 0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(40_000)}`, 413],
  ])('gets an ordinary refusal: %s', async (_, request, status) => {
    const { statuses, text } = await talk(request.replace('{host}', host()));
    expect(statuses).toEqual([status]);
    const body = /\{"error":"[a-z-]+","detail":".+"\}/.exec(text)?.[0];
    expect(JSON.parse(body ?? '')).toEqual({ error: expect.any(String) as string, detail: expect.any(String) as string });
  });

  it('never becomes part of an answer that has begun', async () => {
    const client = await rawClient(collector.port);
    client.write(`GET /stream HTTP/1.1\r\n${host()}\r\n`);
    await client.until(/: stream\n\n/);
    client.write('\0garbage\r\n\r\n');
    expect((await client.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('answers pipelined requests in their order, one of them refused', async () => {
    const line = `${buildWire({ session: 'pipelined' }).json}\n`;
    const emit = `POST /events HTTP/1.1\r\n${host()}AEP-Version: 0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${line.length}\r\n\r\n${line}`;
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${host()}\r\n`;
    const { statuses } = await talk(`${get('/healthz')}${emit}${get('/nowhere')}${get('/events')}`, 4);
    expect(statuses).toEqual([200, 202, 404, 200]);
  });

  it('lets the limits of the stream answer, with their reason, where a query is long', async () => {
    const long = await fetch(`${collector.url}/stream?live=0&filter=${encodeURIComponent(JSON.stringify({ type: 'x'.repeat(70_000) }))}`);
    expect([long.status, await long.json()]).toEqual([400, expect.objectContaining({ error: expect.stringMatching(/^(invalid-filter|limit-exceeded)$/) as string })]);
    const from = JSON.stringify(Array.from({ length: 400 }, (_, n) => ({ session: `s${n}`, epoch: 0, seq: 0 })));
    expect((await readReplay(collector.url, { from })).data).toEqual([]);
  });
});

describe('the body of a hook', () => {
  it('may break off: that is no failure of the collector', async () => {
    for (const path of ['/hooks/claude-code', '/events']) {
      const clients = await Promise.all(Array.from({ length: 20 }, () => rawClient(collector.port)));
      for (const client of clients) {
        client.write(`POST ${path} HTTP/1.1\r\n${host()}AEP-Version: 0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"half`);
      }
      for (const [n, client] of clients.entries()) {
        if (n % 2 === 0) client.destroy();
        else client.socket.resetAndDestroy();
      }
    }
    expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
    // `afterAll` looks into the log.
  });

  it('is inflated up to the bound', async () => {
    expect((await hook(collector.url, gzipSync(sessionStart('coded')), { 'content-encoding': 'gzip' })).status).toBe(202);
    const bomb = await hook(collector.url, gzipSync(Buffer.alloc(64 * 1024 ** 2, 0x20)), { 'content-encoding': 'gzip' });
    expect([bomb.status, await bomb.json()]).toEqual([413, expect.objectContaining({ error: 'too-large' })]);
    expect((await hook(collector.url, '{}', { 'content-encoding': 'zstd' })).status).toBe(415);
  });
});

describe('session ids', () => {
  const names = ['s\ndata: {"x":1}\n\nid: y', 'a\r\nb', 'nul\0x', ':colon', 'a:1:2', ' lead', '\ttab', '  ', '😀', '\u202Eمرحبا', 'é', 'e\u0301', 'A', '%41', '%', 'a+b', '../../x', '__proto__', '\u2028x', '\uFEFFbom', 'x'.repeat(1000)];

  it('of any kind cost no message and no position: resume is exact by from and by Last-Event-ID', async () => {
    for (const session of names) expect((await post(collector.url, ndjson(buildSession(4, { session, type: 'progress.status', data: {} })))).status).toBe(202);
    const whole = await (await fetch(`${collector.url}/stream?from=all&live=0&filter=${encodeURIComponent('{"type":"progress.status"}')}`)).text();
    const blocks = whole.split('\n\n').filter((block) => block.includes('data: '));
    expect(blocks).toHaveLength(names.length * 4);
    for (const session of names) {
      const { data, comments } = await readReplay(collector.url, { from: JSON.stringify([{ session, epoch: 0, seq: 1 }]) });
      expect(data.map((text) => (JSON.parse(text) as { session: string; seq: number }))).toEqual([2, 3].map((seq) => expect.objectContaining({ session, seq }) as object));
      expect(comments.join()).not.toContain('exhausted');
      const own = blocks.find((block) => block.includes(`"session":${JSON.stringify(session)}`) && block.includes('"seq":1,'));
      // LF alone ends a line: U+2028 is content.
      const id = own?.split('\n').find((line) => line.startsWith('id: '))?.slice(4);
      // Such a name does not fit into a header; its positions go by `from`.
      if (id === undefined) expect(session).toMatch(/^[\s]|[\0\r\n]/);
      else {
        const client = await rawClient(collector.port);
        client.write(Buffer.from(`GET /stream?live=0 HTTP/1.1\r\n${host()}Last-Event-ID: ${id}\r\n\r\n`));
        expect((await client.closed()).match(/^data: /gm)).toHaveLength(2);
      }
    }
  });

  it('that several sources share are one session to resume', async () => {
    const events = ['A', 'B'].flatMap((name) => buildSession(3, { session: 'shared', agent: name, source: `aep://test/agent/${name}` }));
    await post(collector.url, ndjson(events));
    const { data } = await readReplay(collector.url, { from: JSON.stringify([{ session: 'shared', epoch: 0, seq: 0 }]) });
    expect(data).toHaveLength(4);
  });

  it('are all replayed, however many there are', async () => {
    const events = Array.from({ length: 2500 }, (_, n) => buildWire({ session: `many-${n}`, source: `aep://test/agent/a/session/many-${n}`, type: 'session.started', data: {}, seq: 0 }));
    expect((await post(collector.url, ndjson(events))).status).toBe(202);
    const { data } = await readReplay(collector.url, { from: 'all', filter: '{"type":"session.started"}' });
    const found = new Set(data.map((text) => (JSON.parse(text) as { session: string }).session).filter((session) => session.startsWith('many-')));
    expect(found.size).toBe(2500);
  });
});

describe('a consumer that stops reading', () => {
  it('keeps nobody else waiting, and completes behind its position when it comes back', { timeout: 30_000 }, async () => {
    await using folder = await tempDir();
    const running = await launchCollector({ data: folder.path });
    const readers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${running.url}/stream`)));
    const sleeper = await rawClient(running.port);
    sleeper.write(`GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\n\r\n`);
    await sleeper.until(/: stream\n\n/);
    sleeper.stall();
    // More than the buffers of two kernels and the queue hold.
    const count = 5000;
    const received = readers.map((reader) => readLive(reader, count));
    const events = buildSession(count, { session: 'slow', severity: 'notice', subject: 'x'.repeat(2000) });
    for (let at = 0; at < count; at += 100) expect((await post(running.url, ndjson(events.slice(at, at + 100)))).status).toBe(202);
    for (const data of await Promise.all(received)) expect(data).toEqual(events.map(({ json }) => json));
    sleeper.resume();
    const seqs = [...(await sleeper.closed()).matchAll(/^data: .*"seq":(\d+),.*\}$/gm)].map((match) => Number(match[1]));
    expect(seqs).toEqual(seqs.map((_, n) => n));
    expect(seqs.length).toBeLessThan(count);
    const rest = await readReplay(running.url, { from: JSON.stringify([{ session: 'slow', epoch: 0, seq: seqs.at(-1) }]) });
    expect(seqs.length + rest.data.length).toBe(count);
    await running.process.stop();
  });
});

describe('kill -9 during hooks', () => {
  it('gives no position twice and ends no session twice', { timeout: 30_000 }, async () => {
    await using folder = await tempDir();
    const sessions = ['k1', 'k2', 'k3'];
    for (let round = 0; round < 2; round += 1) {
      const running = await launchCollector({ data: folder.path });
      let answered = 0;
      let enough = (): void => undefined;
      const some = new Promise<void>((resolve) => (enough = resolve));
      const calls = Array.from({ length: 90 }, async (_, n) => {
        const call = { session_id: sessions[n % 3], hook_event_name: n % 30 < 27 ? 'PreToolUse' : 'SessionEnd', reason: 'other', tool_name: 't', tool_use_id: `${round}-${n}`, tool_input: {} };
        await hook(running.url, JSON.stringify(call)).then((response) => response.text(), () => undefined);
        answered += 1;
        if (answered === 25 + round * 30) enough();
      });
      await some;
      await running.process.stop('SIGKILL');
      await Promise.all(calls);
    }
    const after = await launchCollector({ data: folder.path });
    for (const session of sessions) await hook(after.url, JSON.stringify({ session_id: session, hook_event_name: 'SessionEnd', reason: 'other' }));
    const events = (await readReplay(after.url)).data.map((text) => JSON.parse(text) as { session: string; seq: number; type: string });
    expect(new Set(events.map(({ session, seq }) => `${session} ${seq}`)).size).toBe(events.length);
    for (const session of sessions) expect(events.filter((event) => event.session === session && event.type === 'session.ended')).toHaveLength(1);
    expect((await after.process.stop()).code).toBe(0);
  });
});

describe('a data folder in a bad state', () => {
  it('is refused with one line and no stack: cut short, or of another program', async () => {
    await using folder = await tempDir();
    const first = await launchCollector({ data: folder.path });
    await post(first.url, ndjson(buildSession(200)));
    await first.process.stop();
    await truncate(folder.file('history.sqlite'), 50_000);
    await expect(startCollector({ port: 0, data: folder.path })).rejects.toMatchObject({ code: 'data-unusable' });
    await writeFile(folder.file('history.sqlite'), 'bookmarks\n'.repeat(500));
    await expect(startCollector({ port: 0, data: folder.path })).rejects.toMatchObject({ code: 'data-unusable', message: expect.stringContaining('something else') as string });
  });

  it('loses no more than the damaged tail of the journal', async () => {
    await using folder = await tempDir();
    const first = await launchCollector({ data: folder.path });
    const events = buildSession(100, { session: 'kept' });
    for (const event of events) await post(first.url, `${event.json}\n`);
    await first.process.stop('SIGKILL');
    const journal = folder.file('history.sqlite-wal');
    expect(existsSync(journal)).toBe(true);
    await writeFile(journal, Buffer.alloc(3000, 0xaa), { flag: 'a' });
    const again = await launchCollector({ data: folder.path });
    expect((await readReplay(again.url)).data).toEqual(events.map(({ json }) => json));
    expect((await post(again.url, `${buildWire({ session: 'new' }).json}\n`)).status).toBe(202);
    await again.process.stop();
  });
});
