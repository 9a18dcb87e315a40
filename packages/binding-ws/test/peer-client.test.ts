import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { SocketClientError, type SocketStatus } from '../src/client.js';
import { collect, scripted, takeAll, turn } from './scripted-socket.js';

const s1 = (seq: number, extra: object = {}) => buildWire({ seq, id: `s1-${String(seq)}`, ...extra });

describe('the opening', () => {
  it('says hello first, with its versions, newest first, and nothing else before the endpoint has said its own [B-055, B-058, B-065, B-069]', async () => {
    const { client, socket } = scripted({ role: 'emitter', identity: { agent: 'a1', instance: 'host/7' }, versions: ['0.2', '0.1'], capabilities: { emits: ['tool'] } });
    void client.send([s1(0)]).catch(() => undefined);
    socket().accept();
    expect(socket().sent).toEqual([{ type: 'hello', versions: ['0.2', '0.1'], role: 'emitter', identity: { agent: 'a1', instance: 'host/7' }, capabilities: { emits: ['tool'] } }]);
    socket().say({ type: 'hello', versions: ['0.1'], role: 'both' });
    expect(socket().sent.slice(1).map(({ type }) => type)).toEqual(['tool.requested', 'ping']);
    await client.close();
  });

  it('names its agent and a process of its own where it emits, and need not where it consumes [B-070, B-071, B-209]', async () => {
    const emitter = scripted({ role: 'both', identity: { agent: 'a1' } });
    emitter.socket().accept();
    const [hello] = emitter.socket().sent as [{ identity: { agent: string; instance: string } }];
    expect(hello.identity.agent).toBe('a1');
    expect(hello.identity.instance).toMatch(/^[0-9A-Z]{26}$/);
    expect(() => scripted({ role: 'emitter' })).toThrow(TypeError);
    const consumer = scripted();
    consumer.socket().accept();
    expect(consumer.socket().sent).toEqual([{ type: 'hello', versions: ['0.1'], role: 'consumer' }]);
    await Promise.all([emitter.client.close(), consumer.client.close()]);
  });

  it.each([
    ['an Event', s1(0).json],
    ['another frame', '{"type":"subscribed","id":"s-1"}'],
    ['no JSON', 'hello'],
  ])('answers %s in place of a hello with hello-required, and closes [B-208]', async (_, message) => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe());
    socket().accept();
    socket().say(message);
    expect(socket().sent.at(-1)).toMatchObject({ type: 'error', code: 'hello-required' });
    expect(socket().closedWith).toBe(1002);
    await turn();
    expect(read.items).toEqual([{ type: 'closed', reason: 'protocol', detail: 'The first message of the endpoint is no hello.', retryInMs: 250 }]);
    await clock.advance(250);
    expect(read.ids()).toEqual([]);
    await client.close();
  });

  it.each([[['0.1', '0.2']], [['9.9']]])('refuses an endpoint that chooses %j [B-066, B-068]', async (versions) => {
    const { client, socket } = scripted();
    socket().accept();
    socket().say({ type: 'hello', versions, role: 'both' });
    expect(socket().sent.at(-1)).toMatchObject({ type: 'error', code: 'version-unsupported', versions: ['0.1'] });
    expect(socket().closedWith).toBe(1002);
    expect(client.endpoint).toBeUndefined();
    await client.close();
  });

  it('is over for good where there is no common version [B-067]', async () => {
    const { client, socket, sockets, clock } = scripted();
    const read = collect(client.subscribe());
    const sending = client.send([s1(0)]);
    socket().accept();
    socket().say({ type: 'error', code: 'version-unsupported', versions: ['2.0'], detail: 'only 2.0' });
    await read.done;
    expect(read.items).toEqual([{ type: 'refused', code: 'version-unsupported', detail: 'only 2.0' }]);
    await expect(sending).rejects.toMatchObject({ name: 'SocketClientError', code: 'refused', reason: 'version-unsupported' });
    await expect(client.send([s1(1)])).rejects.toMatchObject({ code: 'refused' });
    await expect(client.roster()).rejects.toMatchObject({ code: 'refused' });
    expect(await client.command(s1(2))).toEqual({ type: 'not-sent', detail: 'only 2.0' });
    await clock.advance(600_000);
    expect(sockets).toHaveLength(1);
    await client.close();
  });

  it('goes on where the capabilities hold what it does not know [B-073]', async () => {
    const { client, socket } = scripted();
    socket().greet({ capabilities: { shiny: { a: [1] }, experimental: { x: 1 } } });
    expect(client.endpoint).toMatchObject({ version: '0.1', capabilities: { shiny: { a: [1] } } });
    await client.close();
  });

  it('gives up an endpoint that says nothing in time, and tries again', async () => {
    const statuses: SocketStatus[] = [];
    const { client, socket, sockets, clock } = scripted({ connectTimeoutMs: 1_000, onStatus: (status) => void statuses.push(status) });
    socket().accept();
    await clock.advance(1_000);
    expect(statuses).toEqual([{ type: 'closed', reason: 'no-answer', detail: 'No hello in time.', retryInMs: 250 }]);
    await clock.advance(250);
    expect(sockets).toHaveLength(2);
    await client.close();
  });

  it.each([401, 403, 404, 426])('takes a status of %i for final, where the socket tells it', async (status) => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe());
    socket().error({ message: `Unexpected server response: ${String(status)}` });
    socket().end();
    await read.done;
    expect(read.items).toMatchObject([{ type: 'refused', status }]);
    await client.close();
  });

  it('goes on behind a refusal where it is told to', async () => {
    const { client, socket, sockets, clock } = scripted({ retryRefused: true });
    socket().error({ message: 'Unexpected server response: 401' });
    socket().end();
    await clock.advance(250);
    expect(sockets).toHaveLength(2);
    await client.close();
  });
});

describe('a connection', () => {
  it('answers a ping with its own t, whatever that is [B-063]', async () => {
    const { client, socket } = scripted();
    socket().greet();
    socket().say({ type: 'ping', t: { n: 1 } }, '{"type":"ping","t":12345678901234567890}', { type: 'ping' });
    expect(socket().texts.slice(1)).toEqual(['{"type":"pong","t":{"n":1}}', '{"type":"pong","t":12345678901234567890}', '{"type":"pong"}']);
    await client.close();
  });

  it('pings every 30 s and leaves a peer that is silent for 90 [B-064]', async () => {
    const statuses: SocketStatus[] = [];
    const { client, socket, clock } = scripted({ onStatus: (status) => void statuses.push(status) });
    socket().greet();
    for (let i = 0; i < 4; i += 1) {
      await clock.advance(30_000);
      socket().say({ type: 'pong', t: 'alive' });
    }
    expect(socket().frames('ping')).toHaveLength(4);
    expect(statuses).toHaveLength(1);
    await clock.advance(90_000);
    expect(statuses).toHaveLength(1);
    await clock.advance(30_000);
    expect(statuses.at(-1)).toMatchObject({ type: 'closed', reason: 'silent' });
    await client.close();
  });

  it('rejects binary messages unread [B-057]', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    socket().binary();
    await turn();
    expect(socket().closedWith).toBe(1003);
    expect(read.items).toMatchObject([{ type: 'closed', reason: 'protocol' }]);
    await client.close();
  });

  it('drops frames of unknown types, and reads what follows [B-006, B-008]', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    takeAll(socket());
    socket().say({ type: 'replayed', sub: 's-1' }, { type: 'hello2' }, s1(0));
    await turn();
    expect(read.ids()).toEqual(['s1-0']);
    expect(socket().frames('error')).toEqual([]);
    await client.close();
  });

  it('tells of a message that it cannot read, and reads what follows', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    takeAll(socket());
    socket().say('{"type":"tool.requested","type":"tool.requested"}', 'no JSON', s1(0));
    await turn();
    expect(read.items.map((item) => (item.type === 'invalid' ? item.code : item.type))).toEqual(['open', 'invalid-event', 'invalid-message', 'event']);
    expect(client.stats().invalid).toBe(2);
    await client.close();
  });

  it('says closing before it leaves [B-060]', async () => {
    const { client, socket } = scripted();
    socket().greet();
    const closing = client.close();
    expect(socket().sent.at(-1)).toEqual({ type: 'closing', reason: 'client-closed', delivered: [] });
    expect(socket().closedWith).toBe(1000);
    socket().end(1000);
    await closing;
  });

  it('destroys a socket that does not leave', async () => {
    const { client, socket, clock } = scripted({ leaveMs: 100 });
    socket().greet();
    socket().stubborn = true;
    const closing = client.close();
    await clock.advance(100);
    await closing;
    expect(socket().terminated).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('tells why the endpoint left', async () => {
    const statuses: SocketStatus[] = [];
    const { client, socket, clock } = scripted({ onStatus: (status) => void statuses.push(status) });
    socket().greet();
    socket().say({ type: 'closing', reason: 'shutdown', delivered: [] });
    socket().end(1001);
    await clock.advance(250);
    socket().greet();
    socket().end(1013);
    await clock.advance(1_000);
    socket().greet();
    socket().end();
    expect(statuses.map((status) => (status.type === 'closed' ? [status.reason, status.code, status.detail] : status.type))).toEqual([
      'open',
      ['ended', 1001, 'shutdown'],
      'open',
      ['unavailable', 1013, undefined],
      'open',
      ['cut', 1006, undefined],
    ]);
    await client.close();
  });

  it('waits longer each time it was of no use, and starts over when it was', async () => {
    const waits: (number | undefined)[] = [];
    const { client, socket, clock } = scripted({
      maxBackoffMs: 4_000,
      onStatus: (status) => {
        if (status.type === 'closed') waits.push(status.retryInMs);
      },
    });
    collect(client.subscribe());
    for (let i = 0; i < 5; i += 1) {
      socket().greet();
      takeAll(socket());
      if (i === 3) socket().say(s1(0));
      socket().end();
      await clock.advance(waits.at(-1)!);
    }
    expect(waits).toEqual([250, 500, 1_000, 250, 500]);
    await client.close();
  });
});

describe('a subscription', () => {
  it('comes back and asks for what follows its own position, also without a closing [B-002, B-062, B-166]', async () => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe({ sessions: ['s1'], from: 'all' }));
    socket().greet();
    expect(socket().frames('subscribe')).toEqual([{ type: 'subscribe', id: 's-1', from: 'all', filter: { session: ['s1'] } }]);
    takeAll(socket());
    socket().say(s1(0), s1(1));
    socket().end();
    await clock.advance(250);
    socket().greet();
    expect(socket().frames('subscribe')).toEqual([{ type: 'subscribe', id: 's-1', from: [{ session: 's1', epoch: 0, seq: 1 }], filter: { session: ['s1'] } }]);
    takeAll(socket());
    socket().say(s1(2));
    await turn();
    expect(read.types()).toEqual(['open', 'event', 'event', 'closed', 'open', 'event']);
    await client.close();
  });

  it('asks for all where the filter does not name the sessions, and drops what it has [B-111, B-217]', async () => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    takeAll(socket());
    socket().say(s1(5));
    socket().end();
    await clock.advance(250);
    socket().greet();
    expect(socket().frames('subscribe')).toEqual([{ type: 'subscribe', id: 's-1', from: 'all' }]);
    takeAll(socket());
    const other = buildWire({ session: 's2', source: 'aep://test/agent/a1/session/s2', seq: 0, id: 's1-5' });
    socket().say(s1(4), s1(5), s1(6), other);
    await turn();
    expect(read.ids()).toEqual(['s1-5', 's1-6', 's1-5']);
    await client.close();
  });

  it('goes on with positions where all is refused, and says what they do not name [B-108]', async () => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    takeAll(socket());
    socket().say(s1(5));
    for (let round = 0; round < 2; round += 1) {
      socket().end();
      await clock.advance(1_000);
      socket().greet();
      if (round === 0) socket().say({ type: 'error', id: 's-1', code: 'invalid-filter', detail: 'no all here' });
      expect(socket().frames('subscribe').at(-1)).toEqual({ type: 'subscribe', id: 's-1', from: [{ session: 's1', epoch: 0, seq: 5 }] });
      socket().say({ type: 'subscribed', id: 's-1' });
    }
    await turn();
    expect(socket().frames('subscribe')).toHaveLength(1);
    expect(read.items.slice(2).map((item) => (item.type === 'gap' ? item.reason : item.type))).toEqual(['closed', 'open', 'not-listed', 'closed', 'open', 'not-listed']);
    await client.close();
  });

  it('ends with the first refusal where no way to ask is taken, and leaves the others running', async () => {
    const { client, socket } = scripted();
    const bad = collect(client.subscribe({ id: 'bad', sessions: ['s2'], from: 'all' }));
    const good = collect(client.subscribe({ id: 'good', sessions: ['s1'] }));
    socket().greet();
    socket().say({ type: 'error', id: 'bad', code: 'invalid-filter', detail: 'first' }, { type: 'error', id: 'bad', code: 'limit-exceeded', detail: 'second' });
    socket().say({ type: 'subscribed', id: 'good' }, s1(0));
    await bad.done;
    expect(bad.items).toEqual([{ type: 'refused', code: 'invalid-filter', detail: 'first' }]);
    expect(good.types()).toEqual(['open', 'event']);
    expect(socket().frames('subscribe').map(({ from }) => from)).toEqual(['all', undefined, undefined]);
    await client.close();
  });

  it('ends at once where it is not permitted', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe({ from: 'all' }));
    socket().greet();
    socket().say({ type: 'error', id: 's-1', code: 'unauthorized', detail: 'no' });
    await read.done;
    expect(read.items).toEqual([{ type: 'refused', code: 'unauthorized', detail: 'no' }]);
    expect(socket().frames('subscribe')).toHaveLength(1);
    await client.close();
  });

  it('tells the marker of the endpoint, with the position that was asked for', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe({ sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: 3 }] }));
    socket().greet();
    socket().say({ type: 'subscribed', id: 's-1' }, { type: 'replay-exhausted', sub: 's-1', session: 's1', earliest: { epoch: 0, seq: 9 } }, s1(9));
    await turn();
    expect(read.items.slice(1, 3)).toEqual([
      { type: 'exhausted', session: 's1', epoch: 0, seq: 9 },
      { type: 'gap', reason: 'exhausted', session: 's1', after: { epoch: 0, seq: 3 }, earliest: { epoch: 0, seq: 9 } },
    ]);
    await client.close();
  });

  it('takes gaps, backfill and a new epoch as they come [B-167, B-168, B-169]', async () => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe({ sessions: ['s1'] }));
    socket().greet();
    takeAll(socket());
    socket().say(s1(3), s1(9), s1(5), s1(9), buildWire({ seq: 0, epoch: 1, id: 'next' }), s1(6));
    await turn();
    expect(read.ids()).toEqual(['s1-3', 's1-9', 's1-5', 'next', 's1-6']);
    expect(read.types()).not.toContain('gap');
    socket().end();
    await clock.advance(250);
    socket().greet();
    expect(socket().frames('subscribe')[0]).toMatchObject({ from: [{ session: 's1', epoch: 1, seq: 0 }] });
    await client.close();
  });

  it('gives an Event again that comes with more in it', async () => {
    const { client, socket } = scripted();
    const read = collect(client.subscribe());
    socket().greet();
    takeAll(socket());
    socket().say(s1(1, { capture: 'metadata' }), s1(1, { capture: 'metadata' }), s1(1, { capture: 'full' }), s1(1, { capture: 'redacted' }));
    await turn();
    expect(read.items.flatMap((item) => (item.type === 'event' ? [[item.event.event.capture, item.replaces]] : []))).toEqual([
      ['metadata', false],
      ['full', true],
    ]);
    expect(client.stats()).toMatchObject({ events: 2, duplicates: 2, replaced: 1 });
    await client.close();
  });

  it('gives what was sent again to a hop that asks for it, and never what a replay repeats', async () => {
    const { client, socket, clock } = scripted();
    const read = collect(client.subscribe({ redeliveries: true }));
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1), s1(0));
    socket().end();
    await clock.advance(250);
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1), s1(2), s1(1));
    await turn();
    expect(read.items.flatMap((item) => (item.type === 'event' ? [[item.event.event.id, item.redelivered ?? false]] : []))).toEqual([
      ['s1-0', false],
      ['s1-1', false],
      ['s1-0', true],
      ['s1-2', false],
      ['s1-1', true],
    ]);
    await client.close();
  });

  it('sends filters as they are written, ceilings, and ids of its own [B-138]', async () => {
    const { client, socket } = scripted();
    client.subscribe({ filter: '{"n": 12345678901234567890}', capture: 'none' });
    socket().greet();
    expect(socket().texts[1]).toBe('{"type":"subscribe","id":"s-1","capture":"none","filter":{"n": 12345678901234567890}}');
    expect(() => client.subscribe({ id: 's-1' })).toThrow(SocketClientError);
    expect(() => client.subscribe({ filter: '{' })).toThrow(TypeError);
    await client.close();
  });

  it('ends with its iteration, and tells the endpoint', async () => {
    const { client, socket } = scripted();
    const subscription = client.subscribe();
    socket().greet();
    takeAll(socket());
    socket().say(s1(0));
    for await (const item of subscription) if (item.type === 'event') break;
    expect(socket().frames('unsubscribe')).toEqual([{ type: 'unsubscribe', id: 's-1' }]);
    socket().say({ type: 'unsubscribed', id: 's-1' }, s1(1));
    expect(client.stats()).toMatchObject({ unclaimed: 1, sockets: 1 });
    await client.close();
  });

  it('says when it was taken, or that it never was', async () => {
    const { client, socket } = scripted();
    const [taken, left] = [client.subscribe({ sessions: ['s1'] }), client.subscribe({ sessions: ['s2'] })];
    socket().greet();
    socket().say({ type: 'subscribed', id: 's-1' });
    left.close();
    expect(await Promise.all([taken.opened, left.opened])).toEqual([true, false]);
    await client.close();
  });
});

describe('several subscriptions', () => {
  it('share a connection where their filters name different sessions', async () => {
    const { client, sockets, socket, clock } = scripted();
    const one = collect(client.subscribe({ sessions: ['s1'], from: 'all' }));
    const two = collect(client.subscribe({ sessions: ['s2'], from: 'all' }));
    socket().greet();
    takeAll(socket());
    const s2 = (seq: number) => buildWire({ session: 's2', source: 'aep://test/agent/a1/session/s2', seq, id: `s2-${String(seq)}` });
    socket().say(s1(7), s2(1), s1(8));
    socket().end();
    await clock.advance(250);
    socket().greet();
    expect(sockets).toHaveLength(2);
    expect(socket().frames('subscribe').map(({ from }) => from)).toEqual([[{ session: 's1', epoch: 0, seq: 8 }], [{ session: 's2', epoch: 0, seq: 1 }]]);
    await turn();
    expect([one.ids(), two.ids()]).toEqual([['s1-7', 's1-8'], ['s2-1']]);
    await client.close();
  });

  it('have connections of their own where it cannot be told whose an Event is', async () => {
    const { client, sockets } = scripted();
    const tools = collect(client.subscribe({ filter: { type: 'tool.*' } }));
    const runs = collect(client.subscribe({ filter: { type: 'run.*' } }));
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) {
      socket.greet();
      takeAll(socket);
    }
    expect(sockets.map((socket) => socket.sent[0])).toEqual([
      { type: 'hello', versions: ['0.1'], role: 'consumer' },
      { type: 'hello', versions: ['0.1'], role: 'consumer' },
    ]);
    sockets[0]!.say(s1(0));
    sockets[1]!.say(s1(1, { type: 'run.started', run: 'r' }));
    await turn();
    expect([tools.ids(), runs.ids()]).toEqual([['s1-0'], ['s1-1']]);
    await client.close();
  });

  it('share one with functions that tell them apart', async () => {
    const { client, sockets, socket } = scripted();
    const tools = collect(client.subscribe({ filter: { type: 'tool.*' }, match: ({ type }) => type.startsWith('tool.') }));
    const runs = collect(client.subscribe({ filter: { type: 'run.*' }, match: ({ type }) => type.startsWith('run.') }));
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1, { type: 'run.started', run: 'r' }), s1(2, { type: 'session.started' }));
    await turn();
    expect([tools.ids(), runs.ids(), client.stats().unclaimed, sockets.length]).toEqual([['s1-0'], ['s1-1'], 1, 1]);
    await client.close();
  });

  it('part when both match an Event, and the replay of one moves no position of the other', async () => {
    const { client, sockets, clock } = scripted();
    const all = collect(client.subscribe({ id: 'all', sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: 2 }], match: () => true }));
    const tools = collect(client.subscribe({ id: 'tools', filter: { type: 'tool.*' }, sessions: ['s1'], from: [{ session: 's1', epoch: 0, seq: 10 }], match: () => true }));
    const [first] = sockets;
    first!.greet();
    takeAll(first!);
    // The replay of the second one comes first.
    first!.say(s1(11));
    expect(first!.frames('unsubscribe')).toEqual([{ type: 'unsubscribe', id: 'tools' }]);
    expect(sockets).toHaveLength(2);
    first!.say(s1(12));
    first!.end();
    sockets[1]!.greet();
    expect(sockets[1]!.frames('subscribe')).toMatchObject([{ id: 'tools', from: [{ session: 's1', epoch: 0, seq: 10 }] }]);
    await clock.advance(500);
    sockets[2]!.greet();
    expect(sockets[2]!.frames('subscribe')).toMatchObject([{ id: 'all', from: [{ session: 's1', epoch: 0, seq: 2 }] }]);
    takeAll(sockets[1]!);
    takeAll(sockets[2]!);
    for (const seq of [3, 10, 11, 12]) sockets[2]!.say(s1(seq));
    for (const seq of [11, 12]) sockets[1]!.say(s1(seq));
    await turn();
    expect(all.ids()).toEqual(['s1-11', 's1-12', 's1-3', 's1-10']);
    expect(tools.ids()).toEqual(['s1-11', 's1-12']);
    await client.close();
  });

  it('stay together where there is no further connection: repeats are dropped, positions stay behind', async () => {
    const { client, sockets, socket, clock } = scripted({ maxSockets: 1 });
    const a = collect(client.subscribe({ id: 'a', sessions: ['s1'], from: 'all', match: () => true }));
    const b = collect(client.subscribe({ id: 'b', sessions: ['s1'], from: 'all', match: ({ seq }) => seq !== 1 }));
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1), s1(2), s1(2));
    socket().end();
    await clock.advance(250);
    expect(sockets).toHaveLength(2);
    socket().greet();
    expect(socket().frames('subscribe')).toMatchObject([{ id: 'a', from: [{ session: 's1', epoch: 0, seq: 1 }] }, { id: 'b', from: 'all' }]);
    await turn();
    expect([a.ids(), b.ids()]).toEqual([['s1-0', 's1-1', 's1-2'], ['s1-0', 's1-2']]);
    const third = collect(client.subscribe({ id: 'c' }));
    await third.done;
    expect(third.items).toEqual([{ type: 'refused', code: 'limit-exceeded', detail: 'This client has 1 connections.' }]);
    await client.close();
  });

  it('leave no connection behind', async () => {
    const { client, sockets } = scripted();
    const [, second] = [client.subscribe(), client.subscribe()];
    for (const socket of sockets) socket.greet();
    expect(client.stats().sockets).toBe(2);
    second.close();
    expect(client.stats().sockets).toBe(1);
    expect(sockets[1]!.sent.at(-1)).toMatchObject({ type: 'closing', reason: 'done' });
    await client.close();
  });
});

describe('a slow reader', () => {
  const flood = buildSession(40, { session: 's1' });

  it('stops the reading where the socket can, and lets it go on when there is room', async () => {
    const { client, socket, clock } = scripted({ maxReceivedBytes: 20_000 }, true);
    const subscription = client.subscribe({ sessions: ['s1'], from: 'all' });
    socket().greet();
    takeAll(socket());
    socket().say(...flood.slice(0, 20));
    expect(socket().paused).toBe(true);
    // Not to read is no reason to take the peer for dead.
    await clock.advance(600_000);
    expect(client.endpoint).toBeDefined();
    let taken = 0;
    for await (const item of subscription) {
      if (item.type === 'event') taken += 1;
      if (taken === 20) break;
    }
    expect(socket().paused).toBe(false);
    await client.close();
  });

  it('leaves a connection that it cannot stop, and resumes behind what it received when that is taken', async () => {
    const { client, sockets, socket, clock } = scripted({ maxReceivedBytes: 20_000 });
    const subscription = client.subscribe({ sessions: ['s1'], from: 'all' });
    socket().greet();
    takeAll(socket());
    for (const event of flood) socket().say(event);
    const left = socket();
    expect(left.frames('closing')).toEqual([{ type: 'closing', reason: 'overrun', delivered: [] }]);
    await clock.advance(60_000);
    expect(sockets).toHaveLength(1);
    const ids: string[] = [];
    for await (const item of subscription) {
      if (item.type === 'event') ids.push(item.event.event.id);
      if (item.type === 'closed') expect(item).toMatchObject({ reason: 'overrun' });
      if (sockets.length === 2 && !socket().isOpen) {
        socket().greet();
        const [{ from }] = socket().frames('subscribe') as [{ from: [{ seq: number }] }];
        takeAll(socket());
        for (const event of flood.slice(from[0].seq + 1)) if (event.event.seq! < from[0].seq + 10) socket().say(event);
        expect(from[0].seq).toBeGreaterThan(0);
        expect(from[0].seq).toBeLessThan(39);
      }
      if (sockets.length === 2 && ids.length >= 20) break;
    }
    expect(ids).toEqual(flood.slice(0, ids.length).map(({ event }) => event.id));
    await client.close();
  });
});

describe('positions that outlive the program', () => {
  it('are those that were processed, not those that were received', async () => {
    const saved: unknown[] = [];
    const store = { load: () => [], save: (changed: unknown) => void saved.push(changed) };
    const { client, socket } = scripted();
    const subscription = client.subscribe({ sessions: ['s1'], positions: store });
    await turn();
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1), s1(2));
    const iterator = subscription[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i += 1) await iterator.next();
    await turn();
    expect(saved).toEqual([[{ source: 'aep://test/agent/a1/session/s1', session: 's1', epoch: 0, seq: 0 }]]);
    expect(subscription.positions()).toMatchObject([{ seq: 0 }]);
    await iterator.return?.();
    await client.close();
  });

  it('are where the next run resumes', async () => {
    const store = { load: () => Promise.resolve([{ source: 'x:1', session: 's1', epoch: 2, seq: 7 }]), save: () => undefined };
    const { client, socket } = scripted();
    client.subscribe({ sessions: ['s1'], positions: store, from: 'all' });
    await turn();
    socket().greet();
    expect(socket().frames('subscribe')).toMatchObject([{ from: [{ session: 's1', epoch: 2, seq: 7 }] }]);
    await client.close();
  });

  it.each(['load', 'save'] as const)('end the iteration with the error of a store that fails to %s', async (part) => {
    const broken = () => Promise.reject(new Error('disk'));
    const store = { load: () => [], save: () => undefined, [part]: broken };
    const { client, socket } = scripted();
    const subscription = client.subscribe({ positions: store });
    await turn();
    socket().greet();
    takeAll(socket());
    socket().say(s1(0), s1(1));
    const reading = subscription.run(() => turn());
    if (part === 'save') {
      await turn();
      await turn();
      await turn();
      socket().say(s1(2), s1(3));
    }
    await expect(reading).rejects.toMatchObject({ code: 'store-failed', cause: new Error('disk') });
    await client.close();
  });
});

describe('a reader that sends', () => {
  it('is not held up by what it has not read yet', async () => {
    const { client, sockets, socket } = scripted({ maxReceivedBytes: 20_000, role: 'both', identity: { agent: 'a1' } }, true);
    const subscription = client.subscribe({ sessions: ['s1'], from: 'all' });
    const [main] = sockets;
    socket().greet();
    takeAll(main!);
    const flood = buildSession(20, { session: 's1' });
    main!.say(...flood);
    expect(main!.paused).toBe(true);
    const ids: string[] = [];
    for await (const item of subscription) {
      if (item.type !== 'event') continue;
      ids.push(item.event.event.id);
      if (ids.length === 2) {
        const sending = client.send([s1(100)]);
        expect(main!.paused).toBe(false);
        expect(main!.frames('unsubscribe')).toEqual([{ type: 'unsubscribe', id: 's-1' }]);
        main!.confirm();
        await sending;
      }
      if (sockets.length === 2 && !socket().isOpen) {
        socket().greet();
        expect(socket().frames('subscribe')).toMatchObject([{ from: [{ session: 's1', epoch: 0, seq: 19 }] }]);
        break;
      }
    }
    expect(ids).toEqual(flood.slice(0, ids.length).map(({ event }) => event.id));
    await client.close();
  });

  it('is not held up either when it was sending before the flood came', async () => {
    const { client, sockets } = scripted({ maxReceivedBytes: 20_000, role: 'both', identity: { agent: 'a1' } }, true);
    client.subscribe({ sessions: ['s1'], from: 'all' });
    const [main] = sockets;
    main!.greet();
    takeAll(main!);
    const sending = client.send([s1(100)]);
    main!.say(...buildSession(20, { session: 's1' }));
    expect(main!.paused).toBe(false);
    main!.confirm();
    await sending;
    await client.close();
  });
});
