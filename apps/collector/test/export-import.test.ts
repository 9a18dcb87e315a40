import { chmod, writeFile } from 'node:fs/promises';

import { buildSession, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { EXPORT_PAGE_CHARS, EXPORT_PAGE_SCAN, exportPage } from '../src/export-page.js';
import { startCollector } from '../src/index.js';
import { openData } from '../src/stored-events.js';
import { ndjson, post, readReplay } from './support.js';

const command = buildWire({ type: 'control.cancel', source: 'aep://test/operator', agent: 'operator', session: 's', seq: undefined, data: undefined });
const heartbeat = buildWire({ type: 'agent.heartbeat', session: undefined, seq: undefined, data: undefined });

const give = (url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> => post(`${url}/import`, body, headers);

async function get(url: string, query: Readonly<Record<string, string>> = {}): Promise<{ status: number; body: string; next: string | null; through: string | null; count: string | null }> {
  const response = await fetch(`${url}/export?${new URLSearchParams(query).toString()}`);
  const header = (name: string): string | null => response.headers.get(name);
  return { status: response.status, body: await response.text(), next: header('aep-next'), through: header('aep-through'), count: header('aep-count') };
}

describe('export', () => {
  it('gives everything that is kept, in the order of the log and as received, page by page, up to a mark', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, buffer: 2 });
    const events = buildSession(3000, { session: 's', data: { tool: { name: 'x'.repeat(500), big: 9007199254740993n.toString() } } });
    await post(collector.url, `  ${heartbeat.json}  \r\n`);
    for (let at = 0; at < events.length; at += 1000) await post(collector.url, ndjson(events.slice(at, at + 1000)));
    const first = await get(collector.url);
    expect([first.status, first.through, first.count]).toEqual([200, '3001', String(first.body.split('\n').length - 1)]);
    expect(first.body.length).toBeLessThan(2 * EXPORT_PAGE_CHARS);
    await post(collector.url, ndjson(buildSession(1, { session: 'later' })));
    let body = first.body;
    let { next } = first;
    while (next !== null) {
      const page = await get(collector.url, { after: next, through: '3001' });
      body += page.body;
      ({ next } = page);
    }
    expect(body).toBe(ndjson([heartbeat, ...events]));
    const some = await get(collector.url, { filter: '{"session":"later"}' });
    expect([some.body.split('\n').length, some.through]).toEqual([2, '3002']);
    const none = await get(collector.url, { since: '1', until: '2' });
    expect([none.body, none.count, none.next]).toEqual(['', '0', null]);
    await collector.close();
    const stored = openData(dir.path);
    expect((await Array.fromAsync(stored.events())).map(({ json }) => `${json}\n`).join('')).toBe(body + some.body);
    stored.close();
  });

  it('ends a page that finds nothing, so that no request looks at everything', async () => {
    const event = buildWire();
    const store = {
      async *events({ after = 0 }: { after?: number } = {}) {
        for (let mark = after + 1; ; mark += 1) yield await Promise.resolve({ ...event, mark });
      },
    };
    const filter = { matches: () => false } as never;
    expect(await exportPage(store, { after: 5, through: 1e9, filter })).toEqual({ texts: [], next: 5 + EXPORT_PAGE_SCAN });
    expect(await exportPage(store, { after: 5, through: 7 })).toEqual({ texts: [event.json, event.json], next: undefined });
  });

  it('refuses what it does not understand', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    for (const query of ['filter={"seq":1}', 'filter=x', 'after=-1', 'through=x', 'since=1.5', 'until=']) {
      expect((await fetch(`${collector.url}/export?${query}`)).status, query).toBe(400);
    }
    expect((await fetch(`${collector.url}/export`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${collector.url}/export`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    await collector.close();
    expect(() => openData(dir.file('nowhere'))).toThrow(expect.objectContaining({ code: 'data-unusable' }));
  });
});

describe('import', () => {
  it('takes what was recorded, commands included, counts what is there already, and routes nothing', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    const events = [...buildSession(3, { session: 's' }), command, heartbeat];
    expect((await post(collector.url, ndjson(events))).status).toBe(403);
    const first = await give(collector.url, ndjson(events));
    expect([first.status, await first.json(), first.headers.get('aep-duplicates')]).toEqual([202, { accepted: 5 }, '0']);
    const again = await give(collector.url, ndjson([...buildSession(1, { session: 't' }), ...events]));
    expect([again.status, again.headers.get('aep-duplicates')]).toEqual([202, '5']);
    expect((await readReplay(collector.url, { from: 'all', filter: '{"session":"s"}' })).data).toEqual(events.slice(0, 4).map(({ json }) => json));
    const bad = await give(collector.url, `${events[0]?.json ?? ''}\n{}\n`);
    expect([bad.status, await bad.json(), bad.headers.get('aep-duplicates')]).toEqual([400, expect.objectContaining({ index: 1 }), null]);
    await collector.close();
  });

  it('lets no token without control put commands into the history', async () => {
    await using dir = await tempDir();
    const tokens = dir.file('tokens');
    const tokenOf = (name: string): string => `${name}-token-that-is-long-enough-0123456789`;
    await writeFile(tokens, `writer emit ${tokenOf('writer')}\nadmin emit,observe,control ${tokenOf('admin')}\n`);
    await chmod(tokens, 0o600);
    const collector = await startCollector({ port: 0, data: dir.file('data'), 'token-file': tokens });
    const as = (name: string): Record<string, string> => ({ authorization: `Bearer ${tokenOf(name)}` });
    expect((await give(collector.url, ndjson([command]))).status).toBe(401);
    const refused = await give(collector.url, ndjson([...buildSession(1), command]), as('writer'));
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ error: 'command-refused', index: 1 })]);
    expect((await give(collector.url, ndjson(buildSession(1)), as('writer'))).status).toBe(202);
    expect((await give(collector.url, ndjson([command]), as('admin'))).status).toBe(202);
    expect((await fetch(`${collector.url}/export`, { headers: as('writer') })).status).toBe(403);
    expect((await fetch(`${collector.url}/export`, { headers: as('admin') })).status).toBe(200);
    await collector.close();
  });
});
