import { once } from 'node:events';

import { type WireEvent } from '@aepkit/envelope';
import { buildSession, buildWire, cuttingProxy } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { SseConsumer, type SseConsumerOptions, type SseItem } from '../src/client.js';
import { parseEventId } from '../src/server.js';
import { body, closeAll, datas, endpoint, messages } from './support.js';

const consumers = new Set<SseConsumer>();
afterEach(async () => {
  for (const consumer of consumers) consumer.close();
  consumers.clear();
  await closeAll();
});

/** Runs a consumer until `enough` says so; gives all items. */
async function collect(options: SseConsumerOptions, enough: (items: readonly SseItem[]) => boolean, seen: (item: SseItem) => unknown = () => undefined): Promise<SseItem[]> {
  const items: SseItem[] = [];
  const consumer = new SseConsumer({ minBackoffMs: 1, maxBackoffMs: 5, ...options });
  consumers.add(consumer);
  for await (const item of consumer) {
    items.push(item);
    await seen(item);
    if (enough(items)) break;
  }
  return items;
}

const eventsOf = (items: readonly SseItem[]): WireEvent[] => items.flatMap((item) => (item.type === 'event' ? item.event : []));
const turn = (): Promise<void> => new Promise(setImmediate);

describe('a session name', () => {
  const names: [string, string][] = [
    ['LF and fields', 's\ndata: {"x":1}\n\nid: y'],
    ['another message', 'abc\ndata: injected-event\n\nid: next'],
    ['CRLF and fields', '0\r\nevent: admin\r\ndata: pwned\r\n\r\n'],
    ['NUL', 'a\0b'],
    ['a blank in front', ' leading'],
    ['a tab in front', '\tleading'],
    ['more than a header line holds', 'x'.repeat(5_000)],
  ];

  it.each(names)('with %s makes one message without an id', async (_, session) => {
    const { get, emit } = await endpoint();
    await emit(buildWire({ session, seq: 1 }));
    const parts = messages(body(await (await get('/stream?from=all&live=0')).closed()));
    expect(parts).toHaveLength(3);
    expect(parts[1]!.split('\n').map((line) => line.split(':')[0])).toEqual(['event', 'data']);
  });

  it.each(names)('with %s is resumed behind its position all the same', async (_, session) => {
    const { url, emit } = await endpoint();
    await emit(...buildSession(3, { session }));
    const options = { url, from: 'all', sessions: [session] } as const;
    const first = await collect(options, (items) => eventsOf(items).length === 2);
    expect(eventsOf(first).map(({ event }) => event.seq)).toEqual([0, 1]);
    const from = [{ session, epoch: 0, seq: 1 }];
    const second = await collect({ ...options, from, live: false }, () => false);
    expect(eventsOf(second).map(({ event }) => event.seq)).toEqual([2]);
  });

  it.each(['a:b:c', ':', 'a b ', 'größe 日本 🙂', '\ufeffx', '%0A'])('has an id that comes back in Last-Event-ID: %j', async (session) => {
    const { get, emit } = await endpoint();
    await emit(...buildSession(3, { session }));
    const text = body(await (await get('/stream?from=all&live=0')).closed());
    const ids = text.split('\n').flatMap((line) => (line.startsWith('id: ') ? line.slice(4) : []));
    expect(ids.map(parseEventId)).toEqual([0, 1, 2].map((seq) => ({ session, epoch: 0, seq })));
    const resumed = body(await (await get('/stream?live=0', [`Last-Event-ID: ${ids[1]!}`])).closed());
    expect(datas(resumed).map((data) => (JSON.parse(data) as { seq: number }).seq)).toEqual([2]);
  });
});

describe('a connection that is cut again and again, and an emitter that restarts', () => {
  it('gives the handler each Event once, with everything resumed [B-001, B-002, B-111, B-169, B-217]', async () => {
    const { port, emit } = await endpoint();
    const proxy = await cuttingProxy(port, '\n\nevent: ', 3);
    const sent: string[] = [];
    const send = async (...events: WireEvent[]): Promise<void> => {
      sent.push(...events.map(({ event }) => event.id));
      await emit(...events);
    };
    let step = 0;
    const steps = [
      () => send(...buildSession(5, { epoch: 1 })),
      () => send(...buildSession(4, { epoch: 1, first: 5 }), ...buildSession(2, { session: 's2' })),
      // The emitter has restarted: a later epoch, from 0.
      () => send(...buildSession(6, { epoch: 2 })),
      () => send(...buildSession(3, { session: 's3' }), ...buildSession(1, { session: 's2', first: 2 })),
      async () => proxy.heal(),
    ];
    try {
      const items = await collect(
        { url: `http://127.0.0.1:${proxy.port}/stream`, from: 'all' },
        (all) => step === steps.length && eventsOf(all).length >= sent.length,
        async (item) => {
          if (item.type === 'closed' || (item.type === 'open' && step === 0)) await steps[step++]?.();
          if (step === steps.length) proxy.heal();
        },
      );
      expect(proxy.cuts()).toBeGreaterThanOrEqual(4);
      expect(eventsOf(items).map(({ event }) => event.id).toSorted()).toEqual(sent.toSorted());
      expect(items.filter(({ type }) => type === 'gap' || type === 'invalid')).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('does so by positions where the sessions are named', async () => {
    const { port, emit } = await endpoint();
    const proxy = await cuttingProxy(port, '\n\nevent: ', 3);
    const events = [...buildSession(7, { epoch: 1 }), ...buildSession(8, { epoch: 2 })];
    await emit(...events);
    try {
      const items = await collect(
        { url: `http://127.0.0.1:${proxy.port}/stream`, sessions: ['s1'], from: 'all' },
        (all) => eventsOf(all).length >= events.length,
      );
      expect(proxy.cuts()).toBeGreaterThanOrEqual(4);
      expect(eventsOf(items).map(({ event }) => event.id)).toEqual(events.map(({ event }) => event.id));
      expect(items.flatMap((item) => (item.type === 'open' ? item.resume : []))).toEqual(['all', ...Array.from({ length: proxy.cuts() }, () => 'positions')]);
    } finally {
      await proxy.close();
    }
  });

  it('gets what was published while nobody was connected', async () => {
    const { url, emit } = await endpoint();
    await emit(...buildSession(3));
    const first = await collect({ url, from: 'all' }, (items) => eventsOf(items).length === 3);
    const position = first.at(-1);
    await emit(...buildSession(10, { first: 3 }));
    const from = position?.type === 'event' ? [position.position!] : [];
    const second = await collect({ url, from }, (items) => eventsOf(items).length === 10);
    expect(eventsOf(second).map(({ event }) => event.seq)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('says that Events are gone where the buffer has moved on meanwhile', async () => {
    const { url, emit } = await endpoint({ buffer: { perSession: 5 } });
    await emit(...buildSession(3));
    const options = { url, sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: 2 }] };
    await emit(...buildSession(20, { first: 3 }));
    const items = await collect(options, (all) => eventsOf(all).length === 5);
    expect(items.slice(0, 3)).toEqual([
      { type: 'open', resume: 'positions' },
      { type: 'exhausted', session: 's1', epoch: 0, seq: 18 },
      { type: 'gap', reason: 'exhausted', session: 's1', after: { epoch: 0, seq: 2 }, earliest: { epoch: 0, seq: 18 } },
    ]);
  });
});

describe('a reader that stops reading', () => {
  const size = 'x'.repeat(4_000);
  /** One in ten is `notice`, the rest may be dropped. */
  const batchAt = (first: number): WireEvent[] =>
    Array.from({ length: 100 }, (_, index) => buildWire({ id: `e-${first + index}`, seq: first + index, severity: (first + index) % 10 === 0 ? 'notice' : 'info', data: { text: size } }));

  it('costs bounded memory, and comes back complete for notice and above [B-179, B-180, B-181, B-226]', { timeout: 60_000 }, async () => {
    const { url, get, emit, hub } = await endpoint({ buffer: { perSession: 50_000 }, hub: { maxQueueBytes: 256 * 1024 }, sse: { closeGraceMs: 50 } });
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    client.stall();
    let most = 0;
    for (let first = 0; first < 6_000; first += 100) {
      await emit(...batchAt(first));
      most = Math.max(most, hub.stats().queuedBytes);
      await turn();
    }
    expect(most).toBeLessThan(2 * 256 * 1024);
    client.resume();
    await client.closed();
    const got = datas(body(client.received())).flatMap((data) => {
      try {
        return (JSON.parse(data) as { seq: number }).seq;
      } catch {
        return [];
      }
    });
    const last = Math.max(...got);
    expect(last).toBeLessThan(5_999);
    // What it got up to there lacks nothing that must not be dropped.
    expect(got.filter((seq) => seq % 10 === 0)).toEqual(Array.from({ length: Math.floor(last / 10) + 1 }, (_, index) => index * 10));
    const rest = await collect({ url, sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: last }], live: false }, () => false);
    expect(eventsOf(rest).map(({ event }) => event.seq)).toEqual(Array.from({ length: 5_999 - last }, (_, index) => last + 1 + index));
    expect(hub.stats().connections).toBe(0);
  });

  it('in the middle of a replay costs bounded memory too, and is served on when it reads again [B-226]', { timeout: 60_000 }, async () => {
    const { get, emit, hub } = await endpoint({ buffer: { perSession: 50_000 } });
    for (let first = 0; first < 6_000; first += 100) await emit(...batchAt(first));
    const client = await get('/stream?from=all&live=0');
    await client.until(/: stream\n\n/);
    client.stall();
    for (let turns = 0; turns < 200; turns += 1) await turn();
    expect(client.socket.bytesRead).toBeLessThan(10_000_000);
    expect(hub.stats().connections).toBe(1);
    client.resume();
    await client.closed();
    expect(datas(body(client.received()))).toHaveLength(6_000);
  });

  it('is cut off where what it is to get next is evicted meanwhile, and the resume that follows is marked [B-218]', { timeout: 60_000 }, async () => {
    const { url, get, emit } = await endpoint({ buffer: { perSession: 3_000 } });
    for (let first = 0; first < 3_000; first += 100) await emit(...batchAt(first));
    const client = await get('/stream?from=all&live=0');
    await client.until(/: stream\n\n/);
    client.stall();
    for (let first = 3_000; first < 6_000; first += 100) await emit(...batchAt(first));
    client.resume();
    await client.closed();
    const text = body(client.received());
    expect(messages(text).at(-1)).toBe(': replay-evicted');
    const last = datas(text).length - 1;
    expect((JSON.parse(datas(text)[last]!) as { seq: number }).seq).toBe(last);
    expect(last).toBeLessThan(2_999);
    const items = await collect({ url, sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: last }] }, (all) => eventsOf(all).length === 1);
    expect(items[1]).toEqual({ type: 'exhausted', session: 's1', epoch: 0, seq: 3_000 });
  });

  it('is let go by the server at once when it goes away', async () => {
    const { get, emit, hub } = await endpoint();
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    client.stall();
    for (let first = 0; first < 2_000; first += 100) await emit(...batchAt(first));
    client.destroy();
    while (hub.stats().connections > 0) await turn();
    expect(hub.stats().queuedBytes).toBe(0);
  });
});

describe('shutdown with open streams', () => {
  it('says goodbye on each and ends it, and the server closes without being forced', async () => {
    const { get, hub, server, emit } = await endpoint();
    const clients = [await get('/stream'), await get('/stream?from=all')];
    for (const client of clients) await client.until(/: stream\n\n/);
    await emit(...buildSession(1));
    for (const client of clients) await client.until(/s1:0:0\n\n/);
    const closed = once(server, 'close');
    server.close();
    await hub.close();
    await closed;
    for (const client of clients) {
      const received = await client.closed();
      expect(messages(body(received)).at(-1)).toBe(': shutting-down');
      expect(received.endsWith('0\r\n\r\n')).toBe(true);
    }
  });

  it('is not held up by one that does not read', async () => {
    const { get, hub, server, emit } = await endpoint({ sse: { closeGraceMs: 50 }, hub: { closeTimeoutMs: 50, maxQueueBytes: 64 * 1024 * 1024 } });
    const client = await get('/stream');
    await client.until(/: stream\n\n/);
    client.stall();
    for (let round = 0; round < 100; round += 1) await emit(...buildSession(100, { first: round * 100, severity: 'notice', data: { text: 'x'.repeat(1_000) } }));
    const closed = once(server, 'close');
    server.close();
    await hub.close();
    await closed;
    client.destroy();
  });
});

describe('who asks for a position', () => {
  it('learns nothing of a session that its filter shuts out', async () => {
    const { get, emit } = await endpoint({ buffer: { perSession: 2 } });
    await emit(...buildSession(5, { session: 'secret' }));
    const filter = encodeURIComponent('{"session":"mine"}');
    const from = encodeURIComponent('[{"session":"secret","epoch":0,"seq":0}]');
    for (const query of [`filter=${filter}&from=${from}`, `filter=${filter}&from=all`]) {
      expect(messages(body(await (await get(`/stream?live=0&${query}`)).closed()))).toEqual([': stream', ': replay-done']);
    }
    const header = await get(`/stream?live=0&filter=${filter}`, ['Last-Event-ID: secret:0:0']);
    expect(messages(body(await header.closed()))).toEqual([': stream', ': replay-done']);
  });

  it('gets one Event behind the last but one, however much is held', async () => {
    const { get, emit } = await endpoint({ buffer: { perSession: 2_000 } });
    for (let first = 0; first < 2_000; first += 100) await emit(...buildSession(100, { first }));
    await emit(...buildSession(1, { first: 2_000 }));
    const received = await (await get('/stream?live=0', ['Last-Event-ID: s1:0:1999'])).closed();
    expect(datas(body(received))).toHaveLength(1);
  });
});

describe('hostile requests', () => {
  it.each([
    ['more open brackets than a parser should follow', `/stream?filter=${'['.repeat(2_000)}`],
    ['a position list that never ends', `/stream?from=${'['.repeat(2_000)}`],
    ['a prototype as a filter', `/stream?filter=${encodeURIComponent('{"__proto__":"x","constructor":"y"}')}`],
    ['a parameter named like a method', '/stream?constructor=1&__proto__=2&toString=3&live=0'],
    ['no value anywhere', '/stream?&&&=&==&live=0&%'],
  ])('with %s are answered', async (_, path) => {
    const { get, hub } = await endpoint();
    const client = await get(path);
    const [, status] = await client.until(/^HTTP\/1.1 (\d+) [^]*\r\n\r\n/);
    expect(['200', '400']).toContain(status);
    client.destroy();
    while (hub.stats().connections > 0) await turn();
  });
});
