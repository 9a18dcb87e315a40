import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { connectSocket } from '@aepkit/binding-ws/client';
import { CHAIN_MEMBER } from '@aepkit/endpoint';
import { buildSession, buildWire, tempDir, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { draws } from '../src/draws.js';
import { startRelay } from '../src/index.js';
import type { LinkItem } from '../src/link-source.js';
import { type LinkOptions, startLink } from '../src/link.js';
import { drawing, freePort, post, seqs, stream, watched } from './support.js';

const TOKEN = 'a-token-for-the-upstream-0123456789';
const drawsFrom = async (url: string): Promise<{ id: string; from: string[] }> => {
  const { capabilities } = (await (await fetch(`${url}/events`)).json()) as { capabilities: { experimental: Record<string, { id: string; from: string[] }> } };
  return capabilities.experimental[CHAIN_MEMBER]!;
};

/** An endpoint that answers discovery with this, and whatever else by 404. */
async function stub(document: (url: string) => object): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    response.writeHead(request.url === '/events' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, server };
}

describe('a link', () => {
  it('brings what the upstream holds and what comes, byte for byte, and says where the relay stands', async () => {
    const top = await startRelay({ port: 0 });
    const events = buildSession(5, { data: { tool: { name: 'é 👩‍💻' }, n: 1e2 } });
    expect(await post(top.url, events.slice(0, 3))).toBe(202);
    const { relay } = await drawing([top.url]);
    const lines = await stream(relay.url, { from: 'all' });
    await lines.until((all) => all.length === 3);
    expect(await post(top.url, events.slice(3))).toBe(202);
    expect(await lines.until((all) => all.length === 5)).toEqual(events.map(({ json }) => json));
    expect(await drawsFrom(relay.url)).toEqual({ id: relay.id, from: [top.id] });
    const { relay: next } = await drawing([relay.url]);
    expect((await drawsFrom(next.url)).from).toEqual([relay.id, top.id]);
    await Promise.all([next.close(), relay.close(), top.close()]);
  });

  it('draws from several, each in its order', async () => {
    const tops = await Promise.all([startRelay({ port: 0 }), startRelay({ port: 0 })]);
    for (const [index, { url }] of tops.entries()) await post(url, buildSession(20, { session: `s${index}` }));
    const { relay } = await drawing(tops.map(({ url }) => url));
    const lines = await (await stream(relay.url, { from: 'all' })).until((all) => all.length === 40);
    for (const session of ['s0', 's1']) expect(seqs(lines.filter((line) => line.includes(`"session":"${session}"`)))).toEqual(Array.from({ length: 20 }, (_, seq) => seq));
    await Promise.all([relay, ...tops].map((each) => each.close()));
  });

  it('falls back to SSE where the upstream has no WebSocket', async () => {
    const top = await startRelay({ port: 0 });
    await post(top.url, buildSession(2));
    const front = createServer((request, response) => {
      void fetch(`${top.url}${request.url ?? '/'}`).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        if (request.url !== '/events') for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) response.write(chunk);
        else response.write(JSON.stringify({ ...((await answer.json()) as object), endpoints: { events: '/events', stream: '/stream' } }));
        response.end();
      }, () => response.destroy());
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { relay } = await drawing([`http://127.0.0.1:${String((front.address() as AddressInfo).port)}`]);
    const lines = await stream(relay.url, { from: 'all' });
    await lines.until((all) => all.length === 2);
    await post(top.url, buildSession(1, { first: 2 }));
    expect(seqs(await lines.until((all) => all.length === 3))).toEqual([0, 1, 2]);
    await Promise.all([relay.close(), top.close()]);
    front.closeAllConnections();
    front.close();
  });

  it('passes on what is sent again, and not what a replay brings again when the upstream was away [B-110]', async () => {
    const port = await freePort();
    let top = await startRelay({ port });
    const events = buildSession(3);
    await post(top.url, events);
    const { relay, until } = await drawing([top.url]);
    const lines = await stream(relay.url, { from: 'all' });
    await lines.until((all) => all.length === 3);
    await post(top.url, events.slice(0, 1));
    expect(seqs(await lines.until((all) => all.length === 4))).toEqual([0, 1, 2, 0]);
    await top.close();
    await until(/^the upstream is gone/);
    top = await startRelay({ port });
    await post(top.url, events);
    await until(/^drawing from upstream/, 2);
    await post(top.url, [...buildSession(1, { first: 3 }), ...events.slice(1, 2)]);
    expect(seqs(await lines.until((all) => all.length === 6))).toEqual([0, 1, 2, 0, 3, 1]);
    await Promise.all([relay.close(), top.close()]);
  });

  it('records commands and does not route them, and claims nothing [B-085]', async () => {
    const target = { role: 'both' as const, identity: { agent: 'a1' }, capabilities: { control: { accepts: ['control.cancel'] } } };
    const top = await startRelay({ port: 0, token: TOKEN });
    await using dir = await tempDir();
    await writeFile(dir.file('token'), `${TOKEN}\n`, { mode: 0o600 });
    const { relay } = await drawing([top.url], { token: TOKEN, 'upstream-token-file': dir.file('token') });
    const bearer = { authorization: `Bearer ${TOKEN}` };
    const lines = await stream(relay.url, { from: 'all' }, bearer);
    const handed: string[] = [];
    const below: string[] = [];
    // The same session is claimed at both; the command comes in at the upper one.
    const above = connectSocket({ ...target, url: `${top.url.replace('http', 'ws')}/socket`, token: TOKEN, onCommand: ({ event }) => void handed.push(event.id) });
    await above.send(buildSession(1));
    await lines.until((all) => all.length === 1);
    expect(relay.stats().admitted).toBe(1);
    const rosterBelow = connectSocket({ url: `${relay.url.replace('http', 'ws')}/socket`, token: TOKEN });
    await rosterBelow.subscribe().opened;
    expect(await rosterBelow.roster()).toEqual([]);
    const claiming = connectSocket({ ...target, url: `${relay.url.replace('http', 'ws')}/socket`, token: TOKEN, onCommand: ({ event }) => void below.push(event.id) });
    await claiming.send(buildSession(1, { first: 1 }));
    expect((await rosterBelow.roster()).map(({ session }) => session)).toEqual(['s1']);
    const sender = connectSocket({ url: `${top.url.replace('http', 'ws')}/socket`, token: TOKEN });
    const command = buildWire({ type: 'control.cancel', seq: undefined, source: 'aep://test/ops', agent: 'ops', id: 'cancel-1', data: { reason: 'x' } });
    await sender.command(command);
    const all = await lines.until((seen) => seen.some((line) => line.includes('cancel-1')));
    expect(all.at(-1)).toBe(command.json);
    // A pong behind an Event: what was to be handed over at the lower one would have been by now.
    await claiming.send(buildSession(1, { first: 2 }));
    expect([handed, below]).toEqual([['cancel-1'], []]);
    await Promise.all([above, claiming, sender, rosterBelow].map((client) => client.close()));
    await Promise.all([relay.close(), top.close()]);
  });

  it('waits for an upstream that is down, says so once, and is no reason not to start', async () => {
    const port = await freePort();
    const watch = watched();
    const relay = await startRelay({ port: 0, upstream: [`http://127.0.0.1:${String(port)}`] }, watch.log);
    await watch.until(/^the upstream does not answer/);
    expect([...relay.links().values()]).toEqual(['connecting']);
    expect(await post(relay.url, buildSession(1))).toBe(202);
    const top = await startRelay({ port });
    await watch.until(/^drawing from upstream/);
    expect(watch.said.filter(([message]) => message.includes('does not answer'))).toHaveLength(1);
    expect([...relay.links().values()]).toEqual(['open']);
    await Promise.all([relay.close(), top.close()]);
  });

  it('needs the token of its upstream, and comes by itself when it is right', async () => {
    const top = await startRelay({ port: 0, token: TOKEN });
    const watch = watched();
    const without = await startRelay({ port: 0, upstream: [top.url] }, watch.log);
    await watch.until(/^this upstream cannot be drawn from/);
    expect([...without.links().values()]).toEqual(['refused']);
    expect(JSON.stringify(watch.said)).not.toContain(TOKEN);
    const { relay, said } = await drawing([top.url], { 'upstream-token': TOKEN });
    expect(JSON.stringify(said)).not.toContain(TOKEN);
    await Promise.all([without.close(), relay.close(), top.close()]);
  });

  it('knows what it had after it was refused for a while', async () => {
    const port = await freePort();
    let top = await startRelay({ port });
    await post(top.url, buildSession(3));
    const { relay, until } = await drawing([top.url]);
    const lines = await stream(relay.url, { from: 'all' });
    await lines.until((all) => all.length === 3);
    await top.close();
    await until(/^the upstream is gone/);
    top = await startRelay({ port, token: TOKEN });
    expect(await until(/^this upstream cannot be drawn from/)).toMatchObject({ reason: expect.stringMatching(/unauthorized/) as string });
    await top.close();
    top = await startRelay({ port });
    await post(top.url, buildSession(4));
    await until(/^drawing from upstream/, 2);
    expect(seqs(await lines.until((all) => all.length === 4))).toEqual([0, 1, 2, 3]);
    await Promise.all([relay.close(), top.close()]);
  });

  it('tells whoever is subscribed, and whoever comes back, what the upstream no longer held [B-100]', async () => {
    const port = await freePort();
    let top = await startRelay({ port, buffer: 5 });
    await post(top.url, buildSession(4, { first: 1 }));
    const { relay, until } = await drawing([top.url]);
    const live = await stream(relay.url, { from: 'all' });
    await live.until((all) => all.length === 4);
    await top.close();
    await until(/^the upstream is gone/);
    top = await startRelay({ port, buffer: 5 });
    await post(top.url, buildSession(20, { first: 5 }));
    expect(seqs(await live.until((all) => all.length === 10))).toEqual([1, 2, 3, 4, ': replay-exhausted s1 0:20', 20, 21, 22, 23, 24]);
    const back = await stream(relay.url, { from: JSON.stringify([{ session: 's1', epoch: 0, seq: 2 }]) });
    expect(seqs(await back.until((all) => all.length === 6))).toEqual([': replay-exhausted s1 0:20', 20, 21, 22, 23, 24]);
    await Promise.all([relay.close(), top.close()]);
  });
});

describe('a link that would close a ring', () => {
  it('is refused where the upstream is the relay itself', async () => {
    const port = await freePort();
    const watch = watched();
    const relay = await startRelay({ port, upstream: [`http://127.0.0.1:${String(port)}`] }, watch.log);
    expect(await watch.until(/^this upstream cannot be drawn from/)).toMatchObject({ reason: 'it is this relay itself' });
    await relay.close();
  });

  it('is refused by whoever comes last, over any number of hops, and no Event goes round', async () => {
    const port = await freePort();
    const last = watched();
    const [a, b] = [await startRelay({ port }), await drawing([`http://127.0.0.1:${String(port)}`])];
    const c = await drawing([b.relay.url]);
    // The first one comes again, and draws from the last: the others see another process, and it sees itself nowhere yet.
    await a.close();
    await b.until(/^the upstream is gone/);
    const closing = await startRelay({ port, upstream: [c.relay.url] }, last.log);
    const refused = await Promise.race([last, b, c].map((each) => each.until(/^this upstream cannot be drawn from/)));
    expect(refused).toMatchObject({ reason: expect.stringMatching(/^the link would close a ring/) as string });
    const lines = await stream(closing.url, { from: 'all' });
    await post(closing.url, buildSession(1));
    await lines.until((all) => all.length === 1);
    await post(c.relay.url, buildSession(1, { first: 1 }));
    await post(closing.url, buildSession(1, { first: 2 }));
    await lines.until((all) => all.some((line) => line.includes('"seq":2')));
    for (const { relay } of [{ relay: closing }, b, c]) expect(relay.stats().duplicates).toBe(0);
    await Promise.all([closing.close(), c.relay.close(), b.relay.close()]);
  });

  it.each([2, 3])('is found where %s start at one moment, each drawing from the next', async (count) => {
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const watches = ports.map(() => watched());
    const relays = await Promise.all(ports.map((port, index) => startRelay({ port, upstream: [`http://127.0.0.1:${String(ports[(index + 1) % count])}`] }, watches[index]!.log)));
    const refused = await Promise.race(watches.map((watch) => watch.until(/^this upstream cannot be drawn from/)));
    expect(refused).toMatchObject({ reason: expect.stringMatching(/^the link would close a ring/) as string });
    await Promise.all(relays.map((relay) => relay.close()));
  });
});

describe('an upstream that turns', () => {
  const upstream = { url: 'http://127.0.0.1:1/', token: undefined };
  const found = (from: readonly string[]) => ({ url: '', versions: ['0.1'], endpoints: {}, document: {}, capabilities: { experimental: { [CHAIN_MEMBER]: { id: 'up', from } } } });

  /** A link whose upstream draws from this relay as soon as `closed` is. */
  function linked(options: Partial<LinkOptions>) {
    const watch = watched();
    const state = { ring: false, looks: 0 };
    const items: LinkItem[] = [{ type: 'open', resume: 'all' }];
    let wake: () => void = () => undefined;
    let over = false;
    const own = draws('me');
    const link = startLink({
      upstream,
      hub: { ingest: (events) => Promise.resolve({ admissions: events.map(() => 'duplicate' as const) }), missed: () => undefined },
      draws: own,
      log: watch.log,
      discover: () => {
        state.looks++;
        return Promise.resolve(found(state.ring ? ['me'] : ['other']));
      },
      open: () => ({
        async *[Symbol.asyncIterator]() {
          while (!over) {
            const item = items.shift();
            if (item !== undefined) yield item;
            else await new Promise<void>((resolve) => (wake = resolve));
          }
        },
        positions: () => [],
        close: () => {
          over = true;
          wake();
          return Promise.resolve();
        },
      }),
      ...options,
    });
    const give = (...more: LinkItem[]): void => {
      items.push(...more);
      wake();
    };
    return { link, own, state, give, ...watch };
  }

  it('into a ring, closed by another link far away, is found when it is looked at again, and the link is cut', async () => {
    const { link, own, state, until } = linked({ recheckMs: 1 });
    await until(/^drawing from upstream/);
    expect(own.from()).toEqual(['up', 'other']);
    state.ring = true;
    expect(await until(/^this upstream cannot be drawn from/)).toMatchObject({ reason: expect.stringMatching(/ring/) as string });
    expect(own.from()).toEqual([]);
    await link.close();
  });

  it('is looked at at once where much comes again, and not with each Event', async () => {
    let now = 0;
    const { link, state, give, until } = linked({ recheckMs: 1_000_000, now: () => now });
    await until(/^drawing from upstream/);
    const { looks } = state;
    state.ring = true;
    const again = buildSession(200).map((event): LinkItem => ({ type: 'event', event, replaces: false, redelivered: true }));
    give(...again.slice(0, 100));
    await turn();
    expect(state.looks).toBe(looks);
    now += 2_000;
    give(...again.slice(100));
    await until(/^this upstream cannot be drawn from/);
    expect(state.looks).toBe(looks + 1);
    await link.close();
  });

  it('into one that names losses without end is told of up to a number of them', async () => {
    const { link, give, said, until } = linked({ recheckMs: 1_000_000 });
    await until(/^drawing from upstream/);
    give(...Array.from({ length: 100 }, (_, i): LinkItem => ({ type: 'gap', reason: 'exhausted', session: `${String(i)}${'x'.repeat(1_000)}`, earliest: { epoch: 0, seq: 1 } })));
    await until(/not told one by one/);
    await turn();
    const told = said.filter(([text]) => text.startsWith('Events are missing'));
    expect(told).toHaveLength(20);
    expect(JSON.stringify(told[0]).length).toBeLessThan(500);
    await link.close();
  });
});

describe('an upstream that cannot be used', () => {
  const capabilities = (chain: unknown): object => ({ experimental: { [CHAIN_MEMBER]: chain } });
  it.each([
    ['speaks another version', () => ({ aep: ['9.9'], endpoints: { stream: '/stream' } }), /speaks AEP 9\.9/],
    ['sends its consumers to another host', () => ({ aep: ['0.1'], endpoints: { stream: 'http://127.0.0.1:9/stream' } }), /elsewhere, to http:\/\/127\.0\.0\.1:9/],
    ['sends them to another host over WebSocket', () => ({ aep: ['0.1'], endpoints: { socket: 'ws://127.0.0.1:9/socket' } }), /elsewhere/],
    ['states a place that cannot be read', () => ({ aep: ['0.1'], endpoints: { stream: '/stream' }, capabilities: capabilities({ id: 7 }) }), /cannot be read/],
    ['offers nothing to read', () => ({ aep: ['0.1'], endpoints: { events: '/events' } }), /neither a WebSocket nor a stream/],
    ['has no such stream', () => ({ aep: ['0.1'], endpoints: { stream: '/stream' } }), /it refuses/],
  ])('is named, with the reason, where it %s', async (_, document, reason) => {
    const { url, server } = await stub(document);
    const watch = watched();
    const relay = await startRelay({ port: 0, upstream: [url] }, watch.log);
    const said = await watch.until(/it is tried again$/);
    expect(said).toMatchObject({ upstream: `${url}/`, reason: expect.stringMatching(reason) as string });
    await relay.close();
    server.close();
  });
});
