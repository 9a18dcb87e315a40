import type { WireEvent } from '@aepkit/envelope';
import { buildSession, buildWire } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { SLICE_LENGTH } from '../src/fanout.js';
import { MAX_OWED_LENGTH, MAX_OWED_SESSIONS } from '../src/owed-markers.js';
import { bench, EVERYTHING, POST, settle, TestSink } from './support.js';

describe('hostile names', () => {
  const sessions = ['__proto__', 'constructor', 'a:b:0:1', 's\ndata: x\n\nid: y', '\u0000', '../../etc', ' ', 'é\u0301', 'x'.repeat(5_000)];

  it.each(sessions)('of a session are names like any other, live, replayed and in positions: %j [B-206]', async (session) => {
    const it = bench({ depth: 2 });
    const events = [1, 2, 3].map((seq) => buildWire({ session, seq }));
    await it.publish(...events);
    const sink = new TestSink();
    it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: '__proto__', from: { text: JSON.stringify([{ session, epoch: 0, seq: 0 }]) } });
    await settle();
    const live = buildWire({ session, seq: 4 });
    await it.publish(live);
    expect(sink.markers).toEqual([{ session, epoch: 0, seq: 2 }]);
    expect(sink.events).toEqual([...events.slice(1), live]);
    await it.hub.close();
    expect(sink.closing?.delivered).toEqual([{ sub: '__proto__', session, epoch: 0, seq: 4 }]);
  });
});

describe('a polluted prototype', () => {
  const polluted = Object.prototype as unknown as Record<string, unknown>;
  afterEach(() => {
    for (const key of ['severity', 'seq', 'session', 'text']) Reflect.deleteProperty(polluted, key);
  });

  it('changes neither what is dropped, nor what has a position, nor what a request says', async () => {
    const it = bench({ maxQueueBytes: 1 });
    const sink = new TestSink(1);
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    const [info, scoped] = [buildWire(), buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined })];
    Object.assign(polluted, { severity: 'critical', seq: 5, session: 'ghost' });
    connection.subscribe({ id: 's' });
    await it.publish(scoped);
    await it.publish(info);
    expect(connection.dropped).toBe(1);
    expect(() => connection.subscribe({ id: 't', from: { value: [{ epoch: 0 }] } })).toThrow(/^invalid-filter/);
    await it.hub.close();
    expect(sink.closing?.delivered).toEqual([]);
  });
});

describe('depth and size', () => {
  it.each([
    ['filter', { filter: { text: '['.repeat(20_000) + ']'.repeat(20_000) } }],
    ['filter value', { filter: { text: `{"agent":${'['.repeat(5_000)}${']'.repeat(5_000)}}` } }],
    ['from', { from: { text: '['.repeat(20_000) + ']'.repeat(20_000) } }],
    ['from value', { from: { text: `[{"session":"s","epoch":0,"seq":0,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]` } }],
  ])('of a %s end in a refusal, not in a crash', (_, request) => {
    const connection = bench().hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    expect(() => connection.subscribe({ id: 's', ...request })).toThrow(/^(invalid-filter|limit-exceeded)/);
  });
});

describe('many', () => {
  it.each([
    ['sessions', MAX_OWED_SESSIONS, (i: number) => `s${String(i)}`],
    ['long names', MAX_OWED_LENGTH / 1_048_576, (i: number) => String.fromCharCode(97 + i).repeat(1_048_576)],
  ])('%s that an endpoint in front has lost end a connection before they fill it', async (_, most, name) => {
    const it = bench();
    const sink = new TestSink();
    it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    const idle = new TestSink();
    it.hub.connect({ sink: idle, principal: EVERYTHING });
    for (let i = 0; i < most; i++) for (const seq of [1, 2]) it.hub.missed({ session: name(i), epoch: 0, seq });
    expect(sink.closing).toBeUndefined();
    it.hub.missed({ session: name(most), epoch: 0, seq: 1 });
    expect([sink.closing?.reason, idle.closing]).toEqual(['replay-evicted', undefined]);
    await it.hub.close();
  });

  it('sources under one session name take bounded memory in positions', async () => {
    const it = bench();
    const sink = new TestSink();
    it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    await it.publish(...Array.from({ length: 2_000 }, (_, i) => buildWire({ source: `urn:${i}`, session: 'x', seq: 2_000 - i })));
    await it.hub.close();
    expect(sink.closing?.delivered).toHaveLength(1);
  });

  it('subscriptions that come and go leave nothing behind', async () => {
    const it = bench();
    const sink = new TestSink();
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    for (let i = 0; i < 2_000; i++) {
      connection.subscribe({ id: `s${i}`, filter: { value: { agent: `a${i}` } }, ...(i % 3 === 0 ? { from: 'all' as const } : {}) });
      connection.unsubscribe(`s${i}`);
      if (i % 100 === 0) await settle(1);
    }
    await it.publish(buildWire({ agent: 'a7' }));
    await settle();
    expect(sink.seen).toEqual([]);
    expect(it.hub.stats()).toMatchObject({ subscriptions: 0, queuedBytes: 0 });
  });

  it('connections that do not match are not touched', async () => {
    const it = bench();
    const sinks = Array.from({ length: 500 }, (_, i) => {
      const sink = new TestSink();
      it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', filter: { value: { session: `s${i}` } } });
      return sink;
    });
    await it.publish(...buildSession(3, { session: 's7' }));
    expect(sinks.flatMap((sink, i) => (sink.writes.length > 0 ? [i] : []))).toEqual([7]);
  });

  it('Events in one commit take few writes, and a sink that is full after the first gets no second', async () => {
    const it = bench({ maxQueueBytes: 500_000 });
    const [quick, stuck] = [new TestSink(), new TestSink(1)];
    for (const sink of [quick, stuck]) it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    const events = Array.from({ length: 50 }, (_, i) => buildSession(100, { session: `s${i}` })).flat();
    const length = events.reduce((sum, { json }) => sum + json.length, 0);
    const receipts = Array.from({ length: 50 }, (_, i) => it.hub.ingest(events.slice(i * 100, i * 100 + 100), POST));
    it.log.commit();
    await Promise.all(receipts);
    expect(quick.events).toEqual(events);
    expect(quick.writes).toHaveLength(Math.ceil(length / SLICE_LENGTH));
    expect(stuck.writes).toHaveLength(1);
    // What one commit brought says nothing about a consumer; that it still waits when the next one comes does.
    expect(it.hub.stats().dropped).toBe(0);
    await it.publish(buildWire());
    expect(it.hub.stats().queuedBytes).toBeLessThanOrEqual(500_000);
    expect(it.hub.stats().dropped).toBeGreaterThan(1_000);
  });
});

describe('a sink', () => {
  it('that calls back for everything it is told does no harm', async () => {
    const it = bench({ maxQueueBytes: 2_000 });
    const sink = new TestSink();
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    let calls = 0;
    sink.onWrite = () => {
      if (++calls > 20) return;
      connection.unsubscribe(`s${calls - 1}`);
      connection.subscribe({ id: `s${calls}`, from: 'all' });
      void it.hub.ingest([buildWire()], POST);
    };
    connection.subscribe({ id: 's0' });
    await it.publish(buildWire());
    for (let i = 0; i < 40; i++) {
      it.log.commit();
      await settle(4);
    }
    expect(calls).toBeGreaterThan(20);
    expect(it.hub.stats()).toMatchObject({ incidents: 0, connections: 1, subscriptions: 1 });
    sink.close = () => {
      connection.close();
      connection.unsubscribe('s0');
    };
    await it.hub.close();
    expect(it.hub.stats()).toMatchObject({ connections: 0, subscriptions: 0 });
  });

  it('that is full for ever does not keep the hub from closing, nor from serving others', async () => {
    const it = bench({ closeTimeoutMs: 1 });
    const stuck: WireEvent[] = [];
    it.hub
      .connect({
        principal: EVERYTHING,
        sink: {
          write: (batch) => {
            stuck.push(...batch.deliveries.map(({ event }) => event));
            return false;
          },
          drained: () => new Promise(() => undefined),
          exhausted: () => undefined,
          close: () => undefined,
        },
      })
      .subscribe({ id: 's' });
    for (const event of buildSession(3)) await it.publish(event);
    await it.hub.close();
    expect(stuck).toHaveLength(1);
    expect(it.hub.stats()).toMatchObject({ connections: 0, queuedBytes: 0 });
  });
});
