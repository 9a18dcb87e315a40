import { buildSession, buildWire, manualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { type Commands, Hub, type PeerConnection } from '../src/index.js';
import { bench, EVERYTHING, POST, settle, TestLog, TestSink } from './support.js';

function commandsOf(calls: string[] = []): Commands {
  return {
    hello: ({ id }) => void calls.push(`hello ${id}`),
    seen: () => undefined,
    closed: ({ id }) => void calls.push(`closed ${id}`),
    route: () => ({ type: 'refused', code: 'no-route', detail: '' }),
    roster: () => [{ session: 's1', agent: 'a1' }],
  };
}

function peer(id: string, role: PeerConnection['role'] = 'both'): PeerConnection {
  return { id, principal: EVERYTHING, role, send: () => true };
}

describe('the facts of an endpoint', () => {
  it('state versions, filters, replay depth and replay-all, as they are in force [B-076, B-104, B-112, B-213, E-089]', () => {
    const { hub } = bench({ depth: 7, id: 'relay-1', role: 'relay' });
    expect(hub.facts()).toEqual({
      id: 'relay-1',
      versions: ['0.1'],
      role: 'relay',
      capabilities: {
        filters: ['attr-match'],
        replay: { buffer: 7, all: true },
        capture: ['none', 'metadata', 'redacted', 'full'],
        experimental: {},
      },
    });
  });

  it('are those of the moment, and state that commands are routed where they are', () => {
    let from = ['a'];
    const control = { accepts: [] };
    const { hub } = bench({ commands: commandsOf(), control, experimental: () => ({ from }) });
    expect(hub.facts().capabilities).toMatchObject({ control, experimental: { from: ['a'] } });
    from = ['a', 'b'];
    expect(hub.facts().capabilities.experimental).toEqual({ from });
    expect(bench({ control }).hub.facts().capabilities).not.toHaveProperty('control');
  });

  it('name a roster where there is one, and experimental features where they were given', () => {
    const { hub } = bench({ commands: commandsOf(), experimental: { chain: { id: 'test' } } });
    expect(hub.facts().role).toBe('collector');
    expect(hub.facts().capabilities).toMatchObject({ roster: {}, experimental: { chain: { id: 'test' } } });
    expect(hub.facts().capabilities).not.toHaveProperty('control');
  });
});

describe('connections', () => {
  it('are bounded, at the limit and one beyond', () => {
    const { hub } = bench({ maxConnections: 2 });
    const first = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    expect(() => hub.connect({ sink: new TestSink(), principal: EVERYTHING })).toThrow(/^limit-exceeded: more than 2 connections/);
    first.close();
    hub.connect({ sink: new TestSink(), principal: EVERYTHING });
  });

  it('of peers are announced to the command side, and their end as well', () => {
    const calls: string[] = [];
    const { hub } = bench({ commands: commandsOf(calls) });
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING, peer: peer('p1', 'emitter') });
    hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    expect(connection.id).toBe('p1');
    expect(() => connection.subscribe({ id: 's' })).toThrow(/^unauthorized/);
    expect(() => hub.connect({ sink: new TestSink(), principal: EVERYTHING, peer: peer('p1') })).toThrow(TypeError);
    connection.close();
    connection.close();
    expect(calls).toEqual(['hello p1', 'closed p1']);
  });

  it('stand also where the command side fails', () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    const { hub } = bench({ commands: { ...commandsOf(), hello: boom, closed: boom } });
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING, peer: peer('p1') });
    connection.subscribe({ id: 's' });
    connection.close();
    expect(hub.stats()).toMatchObject({ connections: 0, incidents: 2 });
  });

  it('get the roster under the rule of subscribe, and nothing where there is none [B-081]', () => {
    const watch = (hub: Hub) => hub.connect({ sink: new TestSink(), principal: EVERYTHING }).roster();
    expect(watch(bench({ commands: commandsOf() }).hub)).toEqual([{ session: 's1', agent: 'a1' }]);
    expect(watch(bench().hub)).toBeUndefined();
  });

  it('settle the promises of their subscriptions when they end', async () => {
    const { hub } = bench();
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    const subscriptions = ['a', 'b'].map((id) => connection.subscribe({ id }));
    connection.close();
    await Promise.all(subscriptions.map(({ done }) => done));
  });
});

describe('close', () => {
  it('takes nothing new, commits what is on its way, fans it out, then tells every sink why and how far it got', async () => {
    const { hub, log } = bench();
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 's' });
    const last = buildWire({ session: 'x', seq: 9 });
    const receipt = hub.ingest([last], POST);
    const closed = hub.close();
    expect(hub.close()).toBe(closed);
    await expect(hub.ingest([buildWire()], POST)).rejects.toMatchObject({ code: 'closing' });
    expect(() => hub.connect({ sink, principal: EVERYTHING })).toThrow(/^closing/);
    expect(() => connection.subscribe({ id: 't' })).toThrow(/^closing/);
    await settle();
    expect(sink.seen).toEqual([]);
    log.commit();
    await Promise.all([receipt, closed]);
    expect(sink.seen).toEqual([
      { type: 'event', wire: last },
      { type: 'close', reason: 'shutdown', delivered: [{ sub: 's', session: 'x', epoch: 0, seq: 9 }] },
    ]);
    expect(log.listeners).toBe(0);
    expect(hub.stats()).toMatchObject({ connections: 0, subscriptions: 0, closed: { shutdown: 1 } });
  });

  it('lets out what waits for a consumer that moves', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink(1);
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    await publish(...buildSession(2));
    await publish(...buildSession(2, { session: 'y' }));
    const closed = hub.close();
    await settle();
    expect(sink.closing).toBeUndefined();
    sink.drain(Infinity);
    await closed;
    expect(sink.events).toHaveLength(4);
    expect(sink.closing?.reason).toBe('shutdown');
  });

  it('gives a binding that ends a connection itself what was written, and nothing behind the end', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink(1);
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 's' });
    expect(connection.delivered()).toEqual([]);
    for (const event of buildSession(3)) await publish(event);
    expect(connection.delivered()).toEqual([{ sub: 's', session: 's1', epoch: 0, seq: 0 }]);
    connection.close();
    expect(connection.delivered()).toEqual([]);
    expect(sink.closing).toBeUndefined();
  });

  it('waits for consumers and for a log that do not move no longer than its bound', async () => {
    const clock = manualClock();
    const { hub, publish } = bench({ timers: clock, closeTimeoutMs: 500 });
    const sink = new TestSink(1);
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    for (const event of buildSession(3)) await publish(event);
    void hub.ingest([buildWire()], POST).catch(() => undefined);
    let over = false;
    const closed = hub.close().then(() => (over = true));
    await clock.advance(499);
    expect(over).toBe(false);
    await clock.advance(1);
    await closed;
    expect(sink.events).toHaveLength(1);
    expect(sink.closing).toMatchObject({ reason: 'shutdown', delivered: [{ seq: 0 }] });
    expect(clock.pending()).toBe(0);
  });

  it('does not wait for replays', async () => {
    const clock = manualClock();
    const { hub, publish } = bench({ timers: clock, replayWriteBytes: 1 });
    await publish(...buildSession(50));
    const sink = new TestSink(2);
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: 'all' });
    await settle();
    await hub.close('unavailable');
    expect(sink.closing?.reason).toBe('unavailable');
    expect(clock.pending()).toBe(0);
  });

  it('goes on where a sink throws', async () => {
    const { hub } = bench();
    const bad = new TestSink();
    bad.close = () => {
      throw new Error('boom');
    };
    const good = new TestSink();
    for (const sink of [bad, good]) hub.connect({ sink, principal: EVERYTHING });
    await hub.close();
    expect(good.closing?.reason).toBe('shutdown');
    expect(hub.stats().incidents).toBe(1);
  });
});

describe('stats', () => {
  it('count what came, what went and what is held', async () => {
    const { hub, log, publish } = bench({ depth: 2 });
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 'a' });
    connection.subscribe({ id: 'b', filter: { value: { agent: 'nobody' } } });
    const [old, ...events] = buildSession(4);
    await publish(...events, events[0]!, old!, buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }));
    await hub.ingest([undefined as never], POST).catch(() => undefined);
    const waiting = buildWire();
    void hub.ingest([waiting], POST);
    expect(hub.stats()).toEqual({
      ingested: 6,
      admitted: 3,
      duplicates: 1,
      late: 1,
      unbuffered: 1,
      refused: 1,
      delivered: 6,
      dropped: 0,
      replays: 0,
      closed: { 'internal-error': 0, peer: 0, 'replay-done': 0, 'replay-evicted': 0, 'replay-stalled': 0, shutdown: 0, 'slow-consumer': 0, unavailable: 0 },
      incidents: 0,
      connections: 1,
      subscriptions: 2,
      queuedBytes: 0,
      uncommittedBytes: waiting.json.length,
    });
    log.commit();
  });
});

describe('options', () => {
  it.each(['maxConnections', 'maxSubscriptions', 'maxPositions', 'maxIdLength', 'maxFilterBytes', 'maxFilterKeys', 'maxFilterValues', 'maxUncommittedBytes', 'maxQueueBytes', 'maxDeliveredPositions', 'replayStallMs', 'replayWriteBytes', 'closeTimeoutMs'])(
    '%s takes a positive integer or Infinity for off',
    (name) => {
      const make = (value: unknown) => new Hub({ log: new TestLog(), id: 'x', [name]: value });
      for (const bad of [0, -1, 1.5, NaN, '5', null]) expect(() => make(bad)).toThrow(RangeError);
      for (const good of [1, 2 ** 40, Infinity, undefined]) make(good);
    },
  );

  it('need an identity', () => {
    for (const id of ['', undefined, 7]) expect(() => new Hub({ log: new TestLog(), id: id as never })).toThrow(TypeError);
  });

  it('take waits longer than a timer counts as off, or they would fire at once', async () => {
    const clock = manualClock();
    const { hub, publish } = bench({ timers: clock, replayStallMs: 2 ** 31, closeTimeoutMs: 2 ** 31 });
    await publish(...buildSession(2));
    hub.connect({ sink: new TestSink(1), principal: EVERYTHING }).subscribe({ id: 's', from: 'all' });
    await settle();
    expect(clock.pending()).toBe(0);
    const closed = hub.close();
    expect(clock.pending()).toBe(0);
    await closed;
  });
});
