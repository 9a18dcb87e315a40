import { buildWire, cuttingProxy, launchNode, type Launched, tempDir, turn } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as browser from '../src/client.js';
import * as node from '../src/client-node.js';
import type { SocketClient, SocketItem } from '../src/client.js';

const TOKEN = 'a-token-of-the-test-0123456789abcdef';
const PROGRAM = new URL('server-program.mjs', import.meta.url).pathname;
const fast = { token: TOKEN, minBackoffMs: 5, maxBackoffMs: 20 };

async function start(folder: string, port = 0): Promise<{ readonly server: Launched; readonly port: number }> {
  const server = launchNode(PROGRAM, { args: [folder, String(port)] });
  const [, listening] = await server.output(/^listening ([0-9]+)$/m);
  return { server, port: Number(listening) };
}

/** Sends numbered Events of several sessions until stopped; gives how many were confirmed, all of them in the end. */
function flood(client: SocketClient, sessions: readonly string[]): { stop(): Promise<number>; sent(): number } {
  let going = true;
  let seq = 0;
  const run = async (): Promise<number> => {
    while (going) {
      const batch = sessions.map((session) => buildWire({ session, source: `aep://test/agent/a1/session/${session}`, id: `${session}-${String(seq)}`, seq, severity: 'notice' }));
      seq += 1;
      await client.send(batch);
    }
    return seq;
  };
  const done = run();
  return { stop: () => ((going = false), done), sent: () => seq };
}

/** Resolves when the condition holds; looked at whenever an item came. */
function reader(client: SocketClient, options: Parameters<SocketClient['subscribe']>[0]) {
  const ids: string[] = [];
  const others: SocketItem[] = [];
  let look = (): void => undefined;
  const subscription = client.subscribe(options);
  const done = subscription.run((item) => {
    if (item.type === 'event') ids.push(item.event.event.id);
    else others.push(item);
    look();
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (condition()) resolve();
      };
      look();
    });
  return { ids, others, done, until, subscription };
}

const expected = (session: string, count: number): string[] => Array.from({ length: count }, (_, seq) => `${session}-${String(seq)}`);

describe.each([
  ['ws, token in the header', node.connectSocket],
  ['the WebSocket of the platform, token in the query', browser.connectSocket],
])('with %s', (_, connectSocket) => {
  it('every Event arrives once and in order, whatever kills the server and the consumers', { timeout: 60_000 }, async () => {
    const folder = await tempDir();
    let { server, port } = await start(folder.path);
    const url = `ws://127.0.0.1:${String(port)}/socket`;
    const emitter = connectSocket({ ...fast, url, role: 'emitter', identity: { agent: 'a1' } });
    const consumer = connectSocket({ ...fast, url });
    const sessions = ['s1', 's2', 's3'];
    const all = reader(consumer, { from: 'all' });
    const two = reader(consumer, { sessions: ['s2'], from: 'all' });
    const flooding = flood(emitter, sessions);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const before = all.ids.length;
      await all.until(() => all.ids.length >= before + 150);
      await server.stop(signal);
      ({ server, port } = await start(folder.path, port));
    }
    const before = all.ids.length;
    await all.until(() => all.ids.length >= before + 150);
    const count = await flooding.stop();
    await all.until(() => all.ids.length >= count * 3);
    await two.until(() => two.ids.length >= count);
    for (const session of sessions) expect(all.ids.filter((id) => id.startsWith(`${session}-`))).toEqual(expected(session, count));
    expect(two.ids).toEqual(expected('s2', count));
    expect(all.others.filter(({ type }) => type === 'gap' || type === 'invalid' || type === 'refused')).toEqual([]);
    expect(all.others.filter(({ type }) => type === 'closed').length).toBeGreaterThanOrEqual(2);
    await Promise.all([emitter.close(), consumer.close()]);
    await server.stop('SIGKILL');
    await folder.remove();
  });
});

describe('with a connection that is cut again and again', () => {
  let server: Launched;
  let port: number;
  let folder: Awaited<ReturnType<typeof tempDir>>;
  beforeAll(async () => {
    folder = await tempDir();
    ({ server, port } = await start(folder.path));
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await folder.remove();
  });

  it('a program that is started again goes on where it was, with the store it had', async () => {
    const url = `ws://127.0.0.1:${String(port)}/socket`;
    const emitter = node.connectSocket({ ...fast, url, role: 'emitter', identity: { agent: 'a1' } });
    await emitter.send(Array.from({ length: 500 }, (_, seq) => buildWire({ session: 'p', source: 'x:p', id: `p-${String(seq)}`, seq, severity: 'notice' })));
    const saved = new Map<string, { source: string; session: string; epoch: number; seq: number }>();
    const store = { load: () => [...saved.values()], save: (changed: readonly { source: string; session: string; epoch: number; seq: number }[]) => changed.forEach((each) => saved.set(each.source, each)) };
    const ids: string[] = [];
    while (ids.length < 500) {
      const consumer = node.connectSocket({ ...fast, url });
      const before = ids.length;
      for await (const item of consumer.subscribe({ sessions: ['p'], from: 'all', positions: store })) {
        if (item.type === 'event') ids.push(item.event.event.id);
        if (ids.length === before + 120 || ids.length === 500) break;
      }
      await consumer.close();
      // The last one of each round was not processed: it comes again.
      if (ids.length < 500) expect(ids.pop()).toBeDefined();
    }
    expect(ids).toEqual(expected('p', 500));
    await emitter.close();
  });

  it('a reader that takes nothing costs bounded memory, and misses nothing later', { timeout: 30_000 }, async () => {
    const url = `ws://127.0.0.1:${String(port)}/socket`;
    const emitter = node.connectSocket({ ...fast, url, role: 'emitter', identity: { agent: 'a1' } });
    const consumer = node.connectSocket({ ...fast, url, maxReceivedBytes: 50_000 });
    const native = browser.connectSocket({ ...fast, url, maxReceivedBytes: 50_000 });
    const asleep = [consumer.subscribe({ sessions: ['q'] }), native.subscribe({ sessions: ['q'] })];
    await Promise.all(asleep.map(({ opened }) => opened));
    const text = 'x'.repeat(2_000);
    for (let first = 0; first < 1_000; first += 100) {
      await emitter.send(Array.from({ length: 100 }, (_, index) => buildWire({ session: 'q', source: 'x:q', id: `q-${String(first + index)}`, seq: first + index, severity: 'notice', data: { text } })));
    }
    await turn();
    for (const each of [consumer, native]) expect(each.stats().events).toBeLessThan(150);
    for (const subscription of asleep) {
      const ids: string[] = [];
      for await (const item of subscription) {
        if (item.type === 'event') ids.push(item.event.event.id);
        if (item.type === 'gap') expect(item).toBeUndefined();
        if (ids.length === 1_000) break;
      }
      expect(ids).toEqual(expected('q', 1_000));
    }
    await Promise.all([emitter.close(), consumer.close(), native.close()]);
  });

  it('what a proxy cuts is sent again and resumed', async () => {
    const proxy = await cuttingProxy(port, '"seq":', 17);
    const url = `ws://127.0.0.1:${String(proxy.port)}/socket`;
    const emitter = node.connectSocket({ ...fast, url, role: 'emitter', identity: { agent: 'a1' }, maxUnconfirmedBytes: 5_000 });
    const consumer = browser.connectSocket({ ...fast, url });
    const read = reader(consumer, { sessions: ['r'], from: 'all' });
    const sending = Promise.all(Array.from({ length: 100 }, (_, seq) => emitter.send([buildWire({ session: 'r', source: 'x:r', id: `r-${String(seq)}`, seq, severity: 'notice' })])));
    await sending;
    await read.until(() => read.ids.length >= 100);
    expect(read.ids).toEqual(expected('r', 100));
    expect(proxy.cuts()).toBeGreaterThan(3);
    await Promise.all([emitter.close(), consumer.close()]);
    await proxy.close();
  });

  it('a wrong token is refused at once, and stands in no message', async () => {
    const wrong = 'not-the-token-0123456789';
    const client = node.connectSocket({ url: `ws://127.0.0.1:${String(port)}/socket`, token: wrong });
    const items: SocketItem[] = [];
    for await (const item of client.subscribe()) items.push(item);
    expect(items).toMatchObject([{ type: 'refused', code: 'unauthorized', status: 401 }]);
    expect(JSON.stringify(items)).not.toContain(wrong);
    await client.close();
  });
});
