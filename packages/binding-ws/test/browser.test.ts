import { buildWire, launchNode, tempDir } from '@aepkit/testkit';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { findChromium, openChromium } from '../../../packaging/src/chromium.js';
import { openPageSite } from '../../../packaging/src/page-site.js';
import { connectSocket } from '../src/client-node.js';

const TOKEN = 'a-token-of-the-test-0123456789abcdef';
const PROGRAM = new URL('server-program.mjs', import.meta.url).pathname;
const chromium = findChromium();

/** What runs in the page: follows a session over a restart of the endpoint, and says when it has the first half. */
const PAGE = `
  import { connectSocket } from '@aepkit/binding-ws/client';
  export async function main({ url, token, half, all, marker }) {
    const client = connectSocket({ url, token, role: 'both', identity: { agent: 'page' }, minBackoffMs: 700, maxBackoffMs: 1_000 });
    const ids = [];
    const others = [];
    for await (const item of client.subscribe({ filter: { agent: 'a1' }, from: 'all' })) {
      if (item.type === 'event') ids.push(item.event.event.id);
      else if (item.type !== 'closed') others.push(item.type === 'open' ? item.resume : item);
      if (item.type === 'event' && ids.length === half) await client.send([marker]);
      if (ids.length === all) break;
    }
    await client.close();
    return { ids, others };
  }
`;

async function bundle(): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: PAGE, resolveDir: import.meta.dirname },
    alias: { '@aepkit/binding-ws/client': new URL('../src/client.ts', import.meta.url).pathname },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  expect(Object.values(metafile.outputs).flatMap((output) => output.imports.filter((found) => found.external))).toEqual([]);
  return outputFiles[0]!.text;
}

describe('the client entry', () => {
  it('bundles for a browser without a Node built-in, and without ws', async () => {
    expect(await bundle()).not.toContain('Sec-WebSocket-Key');
  });

  if (chromium === undefined) {
    it.skip('there is no Chromium on this machine (install one, or set AEPKIT_CHROMIUM)');
    return;
  }

  it('subscribes from a page, and resumes when the server was killed and started again', { timeout: 60_000 }, async () => {
    await using folder = await tempDir();
    const site = await openPageSite();
    const start = async (port: number) => {
      const server = launchNode(PROGRAM, { args: [folder.path, String(port), site.origin] });
      const [, listening] = await server.output(/^listening ([0-9]+)$/m);
      return { server, port: Number(listening) };
    };
    let { server, port } = await start(0);
    const url = `ws://127.0.0.1:${String(port)}/socket`;
    const emitter = connectSocket({ url, token: TOKEN, role: 'emitter', identity: { agent: 'a1' }, minBackoffMs: 20, maxBackoffMs: 50 });
    const watcher = connectSocket({ url, token: TOKEN });
    const events = (first: number, count: number) => Array.from({ length: count }, (_, index) => buildWire({ seq: first + index, id: `e-${String(first + index)}`, severity: 'notice' }));
    const marker = buildWire({ agent: 'page', source: 'x:page', session: 'page', seq: 0, id: 'halfway' });

    const halfway = watcher.subscribe({ filter: { agent: 'page' } });
    await halfway.opened;
    site.offer([{ name: 'page', code: await bundle(), context: { url, token: TOKEN, half: 30, all: 60, marker: marker.event } }]);
    const browser = openChromium(chromium, site.url);
    try {
      await emitter.send(events(0, 30));
      for await (const item of halfway) if (item.type === 'event') break;
      await server.stop('SIGKILL');
      ({ server, port } = await start(port));
      await emitter.send(events(30, 30));
      const result = (await site.results).get('page');
      expect(result).toEqual({ value: { ids: events(0, 60).map(({ event: { id } }) => id), others: ['all', 'all'] } });
    } finally {
      await browser.close();
      site.close();
      await Promise.all([emitter.close(), watcher.close()]);
      await server.stop('SIGKILL');
    }
  });
});
