import type { WireEvent } from '@aepkit/envelope';
import { buildSession, buildWire, manualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import type { HubOptions, SubscribeRequest } from '../src/index.js';
import { DELIVERY_OVERHEAD_BYTES } from '../src/delivery.js';
import { bench, EVERYTHING, settle, TestSink, textEncoder } from './support.js';

function consumer(it: ReturnType<typeof bench>, sink: TestSink, ...requests: Partial<SubscribeRequest>[]) {
  const connection = it.hub.connect({ sink, principal: EVERYTHING });
  for (const [i, request] of (requests.length === 0 ? [{}] : requests).entries()) connection.subscribe({ id: `s${i}`, ...request });
  return connection;
}

function cost(...events: WireEvent[]): number {
  return events.reduce((sum, { json }) => sum + Buffer.byteLength(json) + DELIVERY_OVERHEAD_BYTES, 0);
}

function idsOf(events: readonly WireEvent[]): string[] {
  return events.map(({ event }) => event.id);
}

describe('a sink that is full', () => {
  it('took what it was given: nothing is written twice, and what follows waits for the drain', async () => {
    const it = bench();
    const sink = new TestSink(1);
    const connection = consumer(it, sink);
    const events = buildSession(4);
    for (const event of events) await it.publish(event);
    expect(sink.ids).toEqual(idsOf(events.slice(0, 1)));
    expect(connection.queuedBytes).toBe(cost(...events.slice(1)));
    sink.drain(Infinity);
    await settle();
    expect(sink.ids).toEqual(idsOf(events));
    expect(connection.queuedBytes).toBe(0);
  });

  it('that is full after every write gets each Event once all the same', async () => {
    const it = bench({ replayWriteBytes: 1 });
    const sink = new TestSink(1);
    consumer(it, sink);
    const events = buildSession(30, { severity: 'notice' });
    for (const event of events) await it.publish(event);
    for (let i = 0; i < 60; i++) {
      sink.drain(1);
      await settle(1);
    }
    expect(sink.ids).toEqual(idsOf(events));
  });

  it('gets what waited in few writes, joined without encoding anything again', async () => {
    const it = bench();
    const [slow, quick] = [new TestSink(1), new TestSink()];
    consumer(it, slow);
    consumer(it, quick);
    let calls = 0;
    const encoder: typeof textEncoder = (event) => {
      calls++;
      return textEncoder(event);
    };
    const written: Uint8Array[] = [];
    for (const sink of [slow, quick]) {
      const write = sink.write.bind(sink);
      sink.write = (batch) => {
        const bytes = batch.encoded(encoder);
        if (sink === slow) written.push(bytes);
        return write(batch);
      };
    }
    const events = buildSession(10);
    for (const event of events) await it.publish(event);
    slow.drain(Infinity);
    await settle();
    expect(slow.writes).toHaveLength(2);
    expect(Buffer.concat(written).toString()).toBe(events.map(({ json }) => `${json}\n`).join(''));
    expect(calls).toBe(10);
  });

  it('whose wait for room fails is closed', async () => {
    const it = bench();
    const sink = new TestSink(1);
    sink.drained = () => Promise.reject(new Error('boom'));
    consumer(it, sink);
    await it.publish(buildWire());
    await settle();
    expect(sink.closing?.reason).toBe('internal-error');
  });
});

describe('a slow consumer', () => {
  it('loses debug and info first, counted, and nothing from notice up [B-179, B-180, E-092, E-093]', async () => {
    const first = buildWire();
    const severities = ['debug', 'info', undefined, 'notice', 'warning', 'error', 'critical'];
    const events = Array.from({ length: 70 }, (_, i) => buildWire({ severity: severities[i % 7], data: undefined }));
    const kept = events.filter(({ event }) => !['debug', 'info', undefined].includes(event.severity));
    const it = bench({ maxQueueBytes: cost(...kept) });
    const sink = new TestSink(1);
    const connection = consumer(it, sink);
    for (const event of [first, ...events]) await it.publish(event);
    expect(connection.queuedBytes).toBeLessThanOrEqual(cost(...kept));
    sink.drain(Infinity);
    await settle();
    const got = new Set(sink.ids);
    for (const { event } of kept) expect(got.has(event.id)).toBe(true);
    expect(connection.dropped).toBe(events.length + 1 - got.size);
    expect(connection.dropped).toBeGreaterThan(0);
    expect(it.hub.stats().dropped).toBe(connection.dropped);
    expect(sink.closing).toBeUndefined();
    // What is left is in order.
    expect(sink.seqs).toEqual([...sink.seqs].sort((a, b) => a! - b!));
  });

  it('loses the oldest first', async () => {
    const events = buildSession(6);
    const it = bench({ maxQueueBytes: cost(...events.slice(3)) });
    const sink = new TestSink(1);
    consumer(it, sink);
    for (const event of events) await it.publish(event);
    sink.drain(Infinity);
    await settle();
    expect(sink.ids).toEqual(idsOf([events[0]!, ...events.slice(3)]));
  });

  it('never loses commands and acks, whatever their severity', async () => {
    const types = ['control.accepted', 'control.rejected', 'control.cancel', 'x.acme.control.reboot'];
    const control = types.map((type) =>
      buildWire({ type, data: undefined, severity: 'debug', ...(type.includes('ed') ? {} : { seq: undefined }) }),
    );
    const it = bench({ maxQueueBytes: cost(...control) });
    const sink = new TestSink(1);
    consumer(it, sink);
    await it.publish(buildWire());
    const link = it.hub.ingest(control, { principal: EVERYTHING, via: 'link' });
    it.log.commit();
    await link;
    for (const event of buildSession(5, { session: 'chatter' })) await it.publish(event);
    sink.drain(Infinity);
    await settle();
    expect(sink.ids.slice(1)).toEqual(idsOf(control));
  });

  it.each([-1, 0, 1])('is closed when what cannot be dropped is beyond the bound by %i bytes, not before [B-180, B-181]', async (beyond) => {
    const events = buildSession(4, { severity: 'notice' });
    const it = bench({ maxQueueBytes: cost(...events.slice(1)) - beyond });
    const sink = new TestSink(1);
    consumer(it, sink);
    for (const event of events) await it.publish(event);
    expect(sink.closing?.reason).toBe(beyond > 0 ? 'slow-consumer' : undefined);
    expect(it.hub.stats().closed['slow-consumer']).toBe(beyond > 0 ? 1 : 0);
  });

  it('is told the last positions written, never those that were queued, and a resume from there misses nothing [B-061, B-181]', async () => {
    const a = buildSession(6, { session: 'a', severity: 'notice', epoch: 3 });
    const b = buildSession(3, { session: 'b', severity: 'notice' });
    const it = bench({ maxQueueBytes: cost(a[4]!) });
    const sink = new TestSink(2);
    consumer(it, sink);
    await it.publish(a[0]!, b[0]!, a[1]!);
    await it.publish(b[1]!, a[2]!);
    await it.publish(a[3]!);
    await it.publish(a[4]!);
    expect(sink.closing).toEqual({
      type: 'close',
      reason: 'slow-consumer',
      delivered: [
        { sub: 's0', session: 'a', epoch: 3, seq: 2 },
        { sub: 's0', session: 'b', epoch: 0, seq: 1 },
      ],
    });
    await it.publish(a[5]!, b[2]!);
    const again = new TestSink();
    consumer(it, again, { from: sink.closing!.delivered });
    await settle();
    expect(again.ids.sort()).toEqual(idsOf([...a.slice(3), ...b.slice(2)]).sort());
  });

  it('is nobody who was idle when one large commit came: it gets the whole, debug and all, though its bound is smaller [B-180]', async () => {
    const it = bench({ maxQueueBytes: 300_000 });
    const sink = new TestSink(1);
    const connection = consumer(it, sink);
    const events = buildSession(1_000, { severity: 'debug', data: { tool: { name: 'x'.repeat(2_000) } } });
    await it.publish(...events);
    expect(connection.queuedBytes).toBeGreaterThan(300_000);
    sink.drain(Infinity);
    await settle(40);
    expect(sink.ids).toEqual(idsOf(events));
    expect([connection.dropped, sink.closing]).toEqual([0, undefined]);
  });

  it('that never reads costs bounded memory, however much follows [B-226]', async () => {
    const maxQueueBytes = 100_000;
    const it = bench({ maxQueueBytes });
    const sink = new TestSink(1);
    const connection = consumer(it, sink);
    const event = buildWire({ data: { tool: { name: 'x'.repeat(1_000) } } });
    for (let i = 0; i < 20_000; i += 200) await it.publish(...Array.from({ length: 200 }, () => event));
    expect(connection.queuedBytes).toBeLessThanOrEqual(maxQueueBytes);
    expect(it.hub.stats().queuedBytes).toBe(connection.queuedBytes);
    expect(connection.dropped).toBeGreaterThan(19_000);
    expect(sink.closing).toBeUndefined();
    await it.publish(...Array.from({ length: 200 }, () => buildWire({ severity: 'error', data: { tool: { name: 'x'.repeat(1_000) } } })));
    expect(sink.closing?.reason).toBe('slow-consumer');
    expect(it.hub.stats()).toMatchObject({ queuedBytes: 0, connections: 0, subscriptions: 0 });
  });

  it('does not slow down others', async () => {
    const it = bench({ maxQueueBytes: 1_000 });
    const [slow, quick] = [new TestSink(1), new TestSink()];
    consumer(it, slow);
    consumer(it, quick);
    const events = buildSession(20, { severity: 'notice' });
    for (const event of events) await it.publish(event);
    expect(slow.closing?.reason).toBe('slow-consumer');
    expect(quick.ids).toEqual(idsOf(events));
  });

  it('keeps what its other subscriptions want when one of them ends [B-163]', async () => {
    const it = bench();
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { filter: { value: { agent: ['a1', 'b1'] } } }, { filter: { value: { agent: ['b1', 'c1'] } } });
    const events = ['a1', 'a1', 'b1', 'c1'].map((agent) => buildWire({ agent }));
    await it.publish(events[0]!);
    for (const event of events.slice(1)) await it.publish(event);
    await it.publish(...events);
    connection.unsubscribe('s0');
    sink.drain(Infinity);
    await settle();
    expect(sink.events.slice(1).map(({ event }) => event.agent)).toEqual(['b1', 'c1', 'b1', 'c1']);
  });
});

describe('positions', () => {
  const close = (it: ReturnType<typeof bench>) => it.hub.close();

  it('are kept per subscription, the latest session first, and no higher for a repeat of something old [B-061]', async () => {
    const it = bench();
    const sink = new TestSink();
    consumer(it, sink, { filter: { value: { agent: 'a1' } } }, { filter: { value: { type: 'run.*' } } });
    const tools = buildSession(3, { session: 'x' });
    const run = buildWire({ type: 'run.started', source: tools[0]!.event.source, session: 'x', seq: 7, data: undefined });
    await it.publish(...tools, run);
    await it.publish(buildWire({ session: 'y', seq: 1, epoch: 2 }));
    await it.publish(tools[0]!);
    await close(it);
    expect(sink.closing?.delivered).toEqual([
      { sub: 's0', session: 'x', epoch: 0, seq: 7 },
      { sub: 's0', session: 'y', epoch: 2, seq: 1 },
      { sub: 's1', session: 'x', epoch: 0, seq: 7 },
    ]);
  });

  it('of several sources under one session name are told as the lowest', async () => {
    const it = bench();
    const sink = new TestSink();
    consumer(it, sink);
    await it.publish(...[9, 4, 6].map((seq, i) => buildWire({ source: `urn:${i}`, session: 'x', seq })));
    await it.publish(buildWire({ source: 'urn:1', session: 'x', seq: 5 }));
    await close(it);
    expect(sink.closing?.delivered).toEqual([{ sub: 's0', session: 'x', epoch: 0, seq: 5 }]);
  });

  it.each([2, 3, 4])('are capped to the sessions written last: %i of 3', async (cap) => {
    const it = bench({ maxDeliveredPositions: cap });
    const sink = new TestSink();
    consumer(it, sink);
    const sessions = Array.from({ length: 3 }, (_, i) => `x${i}`);
    for (const session of [...sessions, 'x0']) await it.publish(buildWire({ session }));
    await close(it);
    expect(sink.closing?.delivered.map(({ session }) => session)).toEqual(['x0', 'x2', 'x1'].slice(0, cap));
  });

  it('take bounded memory over any number of sessions', async () => {
    const it = bench({ maxDeliveredPositions: 10 });
    const sink = new TestSink();
    consumer(it, sink);
    for (let i = 0; i < 1_000; i++) await it.publish(buildWire({ session: `x${i}` }));
    await close(it);
    expect(sink.closing?.delivered.map(({ session }) => session)).toEqual(Array.from({ length: 10 }, (_, i) => `x${999 - i}`));
  });

  it('are not kept for a transport that cannot tell them', async () => {
    const it = bench();
    const sink = new TestSink();
    const connection = it.hub.connect({ sink, principal: EVERYTHING, positions: false });
    connection.subscribe({ id: 's' });
    await it.publish(buildWire());
    connection.unsubscribe('s');
    connection.subscribe({ id: 's' });
    await it.publish(buildWire());
    await close(it);
    expect(sink.events).toHaveLength(2);
    expect(sink.closing?.delivered).toEqual([]);
  });

  it('leave out what has none', async () => {
    const it = bench();
    const sink = new TestSink();
    consumer(it, sink);
    await it.publish(
      buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }),
      buildWire({ type: 'attention.routed', seq: undefined, data: undefined }),
    );
    await close(it);
    expect(sink.closing?.delivered).toEqual([]);
  });
});

describe('a replay', () => {
  const stalling = (options: Partial<HubOptions> = {}) => {
    const clock = manualClock();
    return { clock, ...bench({ timers: clock, replayStallMs: 1_000, replayWriteBytes: 1, ...options }) };
  };

  it('that makes no progress for the bound is closed, not before [B-226]', async () => {
    const it = stalling();
    await it.publish(...buildSession(10));
    const sink = new TestSink(1);
    consumer(it, sink, { from: 'all' });
    await settle();
    await it.clock.advance(999);
    expect(sink.closing).toBeUndefined();
    await it.clock.advance(1);
    expect(sink.closing).toMatchObject({ reason: 'replay-stalled', delivered: [{ seq: 0 }] });
    expect(it.clock.pending()).toBe(0);
  });

  it('that moves now and then goes on, whatever it takes, and drops nothing', async () => {
    const it = stalling({ maxQueueBytes: 1_000 });
    const events = buildSession(10);
    await it.publish(...events);
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { from: 'all' });
    await settle();
    for (let i = 0; i < 20; i++) {
      await it.clock.advance(900);
      sink.drain(1);
      await settle();
    }
    expect(sink.ids).toEqual(idsOf(events));
    expect(connection.dropped).toBe(0);
    expect(it.clock.pending()).toBe(0);
  });

  it('asked for while the sink is full waits for what was live before, under the same clock', async () => {
    const it = stalling();
    const events = buildSession(3);
    const sink = new TestSink(1);
    const connection = consumer(it, sink);
    for (const event of events) await it.publish(event);
    await settle();
    await it.clock.advance(5_000);
    connection.subscribe({ id: 'late', from: 'all' });
    await it.clock.advance(999);
    expect(sink.closing).toBeUndefined();
    await it.clock.advance(1);
    expect(sink.closing?.reason).toBe('replay-stalled');
  });

  it('waits for ever where the bound is off', async () => {
    const it = stalling({ replayStallMs: Infinity });
    await it.publish(...buildSession(3));
    const sink = new TestSink(1);
    consumer(it, sink, { from: 'all' });
    await settle();
    expect(it.clock.pending()).toBe(0);
    await it.clock.advance(1e9);
    expect(sink.closing).toBeUndefined();
  });

  it('loses no info while it runs: what the queue cannot hold is read back, a repeat behind it [B-110, B-215, B-225]', async () => {
    const it = bench({ maxQueueBytes: 2_000, replayWriteBytes: 1 });
    const before = buildSession(5);
    await it.publish(...before);
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { from: 'all' });
    await settle();
    const during = buildSession(50, { session: 's1', first: 100 });
    const agentScoped = buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined, severity: 'notice' });
    for (const event of [...during, before[0]!, agentScoped]) await it.publish(event);
    expect(connection.queuedBytes).toBeLessThanOrEqual(2_000);
    sink.drain(Infinity);
    await settle(200);
    expect(sink.ids).toEqual(idsOf([...before, ...during, before[0]!, agentScoped]));
    expect(connection.dropped).toBe(0);
    expect(it.log.replays.map(({ from }) => from.type)).toEqual(['all', 'mark']);
    const live = buildWire({ session: 's1', seq: 1_000 });
    await it.publish(live);
    expect(sink.ids.at(-1)).toBe(live.event.id);
  });

  it('reads back again what came while it read back, until it is level', async () => {
    const it = bench({ maxQueueBytes: 1_000, replayWriteBytes: 1 });
    const all = buildSession(200, { severity: 'notice' });
    await it.publish(...all.slice(0, 4));
    const sink = new TestSink(1);
    consumer(it, sink, { from: 'all' });
    for (let i = 4; i < 200; i += 4) {
      await it.publish(...all.slice(i, i + 4));
      sink.drain(i < 100 ? 1 : Infinity);
      await settle(3);
    }
    await settle(500);
    expect(sink.ids).toEqual(idsOf(all));
    expect(it.log.replays.length).toBeGreaterThan(2);
  });

  it('whose queue fills with what the log has not got ends the consumer [B-180, B-226]', async () => {
    const [event] = buildSession(1, { severity: 'notice' });
    const it = bench({ maxQueueBytes: cost(event!) * 3, replayWriteBytes: 1 });
    await it.publish(event!);
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { from: 'all' });
    await settle();
    for (let i = 0; i < 3; i++) await it.publish(event!);
    expect(sink.closing).toBeUndefined();
    const quiet = buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined });
    await it.publish(quiet);
    expect(connection.dropped).toBe(1);
    await it.publish(event!);
    expect(sink.closing?.reason).toBe('slow-consumer');
  });

  it('serves a subscription that joins in between from there on, also where its Events are read back [B-162, B-215]', async () => {
    const it = bench({ maxQueueBytes: 2_000, replayWriteBytes: 1 });
    await it.publish(buildWire({ agent: 'a1' }), buildWire({ agent: 'a1' }));
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { filter: { value: { agent: 'a1' } }, from: 'all' });
    await settle();
    const early = Array.from({ length: 20 }, () => buildWire({ agent: 'b1', session: 'b' }));
    const mixed = Array.from({ length: 20 }, (_, i) => buildWire({ agent: i % 2 === 0 ? 'a1' : 'c1', session: 'm' }));
    for (const event of [...early, ...mixed]) await it.publish(event);
    connection.subscribe({ id: 'b', filter: { value: { agent: 'b1' } } });
    connection.subscribe({ id: 'c', filter: { value: { agent: 'c1' } } });
    const late = Array.from({ length: 40 }, (_, i) => buildWire({ agent: i % 2 === 0 ? 'b1' : 'c1', session: 'late' }));
    for (const event of late) await it.publish(event);
    sink.drain(Infinity);
    await settle(300);
    expect(sink.ids.slice(2)).toEqual(idsOf([...mixed.filter(({ event }) => event.agent === 'a1'), ...late]));
  });

  it('lets no Event overtake what is to be read back, not even one that is committed in the turn of its end [B-225]', async () => {
    const it = bench({ maxQueueBytes: 1 });
    const events = buildSession(3);
    await it.publish(events[0]!);
    const sink = new TestSink();
    const connection = consumer(it, sink);
    const { done } = connection.subscribe({ id: 'short', from: 'all', live: false });
    await it.publish(events[1]!);
    void it.hub.ingest([events[2]!], { principal: EVERYTHING, via: 'post' });
    void done.then(() => it.log.commit());
    await settle(20);
    expect(sink.ids).toEqual(idsOf(events));
  });

  it('reads back for several subscriptions at once: one copy, at the widest ceiling [B-224]', async () => {
    const it = bench({ maxQueueBytes: 1 });
    await it.publish(buildWire());
    const sink = new TestSink();
    consumer(it, sink, { capture: 'none', from: 'all' }, { capture: 'metadata', filter: { value: { type: 'tool.*' } } });
    const [tool, run] = [buildWire(), buildWire({ type: 'run.started', data: undefined })];
    await it.publish(tool, run);
    await settle(20);
    expect(sink.events.slice(1).map(({ event }) => [event.id, event.capture])).toEqual([
      [tool.event.id, undefined],
      [run.event.id, 'none'],
    ]);
    await it.hub.close();
    expect(sink.closing?.delivered.map(({ sub, seq }) => [sub, seq])).toEqual([
      ['s0', run.event.seq],
      ['s1', tool.event.seq],
    ]);
  });

  it('of a second subscription comes behind what the first is still to get [B-225]', async () => {
    const it = bench({ replayWriteBytes: 1 });
    const events = buildSession(4);
    await it.publish(events[0]!, events[1]!);
    const sink = new TestSink(1);
    const connection = consumer(it, sink, { from: 'all' });
    await settle();
    await it.publish(events[2]!);
    connection.subscribe({ id: 'second', from: [{ session: 's1', epoch: 0, seq: 1 }], filter: { value: { type: 'tool.*' } }, capture: 'none' });
    await it.publish(events[3]!);
    sink.drain(Infinity);
    await settle(50);
    expect(sink.events.map(({ event }) => [event.seq, event.capture])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [2, 'none'],
      [3, undefined],
    ]);
  });

  it('is let go in the middle when its subscription ends, and the others go on [B-163]', async () => {
    const it = bench({ replayWriteBytes: 1 });
    await it.publish(...buildSession(20));
    const sink = new TestSink(2);
    const connection = consumer(it, sink, { from: 'all' });
    connection.subscribe({ id: 'live', filter: { value: { agent: 'b1' } } });
    await settle();
    connection.unsubscribe('s0');
    const event = buildWire({ agent: 'b1' });
    await it.publish(event);
    sink.drain(Infinity);
    await settle();
    expect(sink.seqs.slice(0, 2)).toEqual([0, 1]);
    expect(sink.ids.slice(2)).toEqual([event.event.id]);
  });

  it('lets nothing out before the caller has gone on', async () => {
    const it = bench();
    await it.publish(buildWire());
    const sink = new TestSink();
    consumer(it, sink, { from: 'all' });
    expect(sink.seen).toEqual([]);
    await settle();
    expect(sink.events).toHaveLength(1);
  });

  it('lets other consumers and writers go on', async () => {
    let turns = 0;
    const it = bench({ replayWriteBytes: 1_000, yieldTurn: async () => {
        turns++;
      } });
    await it.publish(...buildSession(50));
    const sink = new TestSink();
    consumer(it, sink, { from: 'all', filter: { value: { agent: 'nobody' } } });
    await settle(60);
    expect(sink.events).toEqual([]);
    expect(turns).toBeGreaterThan(5);
  });
});
