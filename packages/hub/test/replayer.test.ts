import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import type { SubscribeRequest } from '../src/index.js';
import { bench, EVERYTHING, settle, TestSink } from './support.js';

async function replay(it: ReturnType<typeof bench>, request: Partial<SubscribeRequest>): Promise<TestSink> {
  const sink = new TestSink();
  it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', ...request });
  await settle(40);
  return sink;
}

describe('a replay', () => {
  it('starts strictly behind the position, compared as a pair, and turns live [B-164, B-165]', async () => {
    const it = bench();
    const first = buildSession(60, { session: 'x', epoch: 1 });
    const second = buildSession(3, { session: 'x', epoch: 2 });
    await it.publish(...first, ...second, ...buildSession(3, { session: 'other' }));
    const sink = await replay(it, { from: [{ session: 'x', epoch: 1, seq: 57 }] });
    const live = buildWire({ session: 'x', epoch: 2, seq: 3 });
    await it.publish(live);
    expect(sink.ids).toEqual([...first.slice(58), ...second, live].map(({ event }) => event.id));
    expect(sink.markers).toEqual([]);
  });

  it('of "all" serves each session held, from its earliest, and never a marker [B-101, B-105, B-106]', async () => {
    const it = bench({ depth: 3 });
    await it.publish(...buildSession(5, { session: 'a' }), ...buildSession(2, { session: 'b' }), ...buildSession(2, { session: 'gone' }));
    it.log.evictAll('gone');
    const sink = await replay(it, { from: 'all' });
    expect(sink.seen.map((each) => each.type === 'event' && [each.wire.event.session, each.wire.event.seq])).toEqual([
      ['a', 2],
      ['a', 3],
      ['a', 4],
      ['b', 0],
      ['b', 1],
    ]);
    const live = buildWire({ session: 'gone', seq: 9 });
    await it.publish(live);
    expect(sink.seen.at(-1)).toEqual({ type: 'event', wire: live });
  });

  it('passes the filter and the ceiling that live delivery passes [B-102, B-139]', async () => {
    const it = bench();
    const wanted = buildWire({ agent: 'b1', capture: 'full', type: 'tool.completed', data: { tool: { name: 'shell' } } });
    await it.publish(buildWire(), wanted, buildWire());
    const sink = await replay(it, { from: 'all', filter: { value: { agent: 'b1', capture: 'full' } }, capture: 'metadata' });
    await it.publish(wanted);
    expect(sink.events).toHaveLength(2);
    expect(sink.events[0]?.json).toBe(sink.events[1]?.json);
    expect(sink.events[0]?.event).toMatchObject({ id: wanted.event.id, capture: 'metadata' });
  });

  it('tells of a position older than the buffer ahead of the Events of that session, then rises from the earliest [B-100, B-213]', async () => {
    const it = bench({ depth: 3 });
    const [a, b] = [buildSession(6, { session: 'a', epoch: 4 }), buildSession(3, { session: 'b' })];
    await it.publish(...a, ...b);
    const sink = await replay(it, {
      from: [
        { session: 'b', epoch: 0, seq: 1 },
        { session: 'a', epoch: 4, seq: 1 },
      ],
    });
    expect(sink.seen).toEqual([
      { type: 'event', wire: b[2] },
      { type: 'exhausted', sub: 's', marker: { session: 'a', epoch: 4, seq: 3 } },
      ...a.slice(3).map((wire) => ({ type: 'event', wire })),
    ]);
  });

  it('names the earliest position before filtering [B-100]', async () => {
    const it = bench({ depth: 3 });
    const a = [1, 2, 3, 4, 5].map((seq) => buildWire({ session: 'a', seq, agent: seq === 5 ? 'b1' : 'a1' }));
    await it.publish(...a);
    const sink = await replay(it, { from: [{ session: 'a', epoch: 0, seq: 1 }], filter: { value: { agent: 'b1' } } });
    expect(sink.seen).toEqual([
      { type: 'exhausted', sub: 's', marker: { session: 'a', epoch: 0, seq: 3 } },
      { type: 'event', wire: a[4] },
    ]);
  });

  it('tells a filter that is pinned to sessions nothing of others', async () => {
    const it = bench({ depth: 1 });
    await it.publish(...buildSession(4, { session: 'mine' }), ...buildSession(4, { session: 'secret' }));
    const from = ['mine', 'secret'].map((session) => ({ session, epoch: 0, seq: 0 }));
    const sink = await replay(it, { from, filter: { value: { session: 'mine' } } });
    expect(sink.markers).toEqual([{ session: 'mine', epoch: 0, seq: 3 }]);
    expect(sink.events).toHaveLength(1);
  });

  it('serves one copy of what was sent again [B-109]', async () => {
    const it = bench();
    const event = buildWire();
    await it.publish(event);
    await it.publish(event, event);
    expect((await replay(it, { from: 'all' })).events).toEqual([event]);
  });

  it('tells the log which sessions are wanted, where the filter names them', async () => {
    const it = bench();
    await replay(it, { from: 'all', filter: { value: { session: ['a', 'b'] } } });
    await replay(it, { from: 'all' });
    expect(it.log.replays.map(({ hint }) => hint)).toEqual([{ sessions: new Set(['a', 'b']) }, {}]);
  });

  it('does not reach beyond what was fanned out, though the log has more [B-215]', async () => {
    const it = bench();
    const [one, two] = buildSession(2) as [never, never];
    await it.publish(one);
    void it.hub.ingest([two], { principal: EVERYTHING, via: 'post' });
    it.log.store();
    const sink = await replay(it, { from: 'all' });
    expect(sink.events).toEqual([one]);
    it.log.announce();
    expect(sink.events).toEqual([one, two]);
  });
});

describe('a replay that ends', () => {
  it('without live delivery closes its stream behind the last Event [B-103]', async () => {
    const it = bench();
    await it.publish(...buildSession(5));
    const sink = new TestSink();
    const { done } = it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: 'all', live: false });
    await it.publish(buildWire({ session: 'later' }));
    await done;
    expect(sink.seqs).toEqual([0, 1, 2, 3, 4]);
    expect(sink.closing).toMatchObject({ reason: 'replay-done', delivered: [{ sub: 's', session: 's1', epoch: 0, seq: 4 }] });
    expect(it.hub.stats()).toMatchObject({ connections: 0, subscriptions: 0, replays: 1 });
  });

  it.each([{}, { from: [] }, { from: [{ session: 'x', epoch: 0, seq: 0 }], filter: { value: { session: 'y' } } }])(
    'without live delivery and with nothing to replay ends at once, behind the answer: %j',
    async (request) => {
      const it = bench();
      await it.publish(...buildSession(5));
      const sink = new TestSink();
      const { done } = it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', ...request, live: false });
      expect(sink.seen).toEqual([]);
      await done;
      expect(sink.seen).toEqual([{ type: 'close', reason: 'replay-done', delivered: [] }]);
    },
  );

  it('leaves a connection open that has other subscriptions', async () => {
    const it = bench();
    await it.publish(...buildSession(2));
    const sink = new TestSink();
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 'live' });
    await connection.subscribe({ id: 's', from: 'all', live: false }).done;
    expect(sink.closing).toBeUndefined();
    await it.publish(buildWire());
    expect(sink.events).toHaveLength(3);
  });

  it('because its next Event was evicted closes the consumer, and the resume gets its marker [B-218]', async () => {
    const it = bench({ depth: 4, replayWriteBytes: 1 });
    await it.publish(...buildSession(4, { session: 'x' }));
    const sink = new TestSink(1);
    it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: 'all' });
    await settle();
    await it.publish(...buildSession(6, { session: 'x', first: 4 }));
    sink.drain(Infinity);
    await settle();
    expect(sink.closing?.reason).toBe('replay-evicted');
    const seqs = sink.seqs as number[];
    expect(seqs).toEqual(seqs.map((_, i) => i));
    const again = await replay(it, { from: sink.closing!.delivered });
    expect(again.markers).toEqual([{ session: 'x', epoch: 0, seq: 6 }]);
    expect(again.seqs).toEqual([6, 7, 8, 9]);
  });

  it('because the log fails closes the consumer and tells the operator', async () => {
    const incidents: unknown[] = [];
    const it = bench({ onIncident: (incident) => incidents.push(incident) });
    it.log.failReplay = new Error('disk');
    const sink = await replay(it, { from: 'all' });
    expect(sink.closing?.reason).toBe('unavailable');
    expect(incidents).toEqual([{ type: 'replay-failed', connection: 'c1', error: it.log.failReplay }]);
  });

  it('with its peer calls the sink no more', async () => {
    const it = bench({ replayWriteBytes: 1 });
    await it.publish(...buildSession(20));
    const sink = new TestSink(3);
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    const { done } = connection.subscribe({ id: 's', from: 'all' });
    await settle();
    connection.close();
    await done;
    sink.drain(Infinity);
    await settle();
    expect(sink.seen).toHaveLength(3);
    expect(() => connection.subscribe({ id: 't' })).toThrow(/^closing/);
    connection.close();
    expect(it.hub.stats().closed.peer).toBe(1);
  });
});

describe('a marker that is owed', () => {
  it('goes ahead of the next Event of a session that was evicted whole, with its position, once', async () => {
    const it = bench();
    await it.publish(...buildSession(3, { session: 'x' }));
    it.log.evictAll('x');
    const sink = await replay(it, { from: [{ session: 'x', epoch: 0, seq: 0 }] });
    expect(sink.seen).toEqual([]);
    const [other, next, last] = [buildWire({ session: 'y' }), buildWire({ session: 'x', seq: 7 }), buildWire({ session: 'x', seq: 8 })];
    await it.publish(other);
    await it.publish(next, last);
    expect(sink.seen).toEqual([
      { type: 'event', wire: other },
      { type: 'exhausted', sub: 's', marker: { session: 'x', epoch: 0, seq: 7 } },
      { type: 'event', wire: next },
      { type: 'event', wire: last },
    ]);
  });

  it('also where that Event came while the replay ran', async () => {
    const it = bench();
    await it.publish(...buildSession(3, { session: 'x' }));
    it.log.evictAll('x');
    const sink = new TestSink();
    it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 'x', epoch: 0, seq: 0 }] });
    const next = buildWire({ session: 'x', seq: 7 });
    await it.publish(next);
    await settle();
    expect(sink.seen.map(({ type }) => type)).toEqual(['exhausted', 'event']);
  });

  it('is forgotten with its subscription, and where nothing live follows', async () => {
    const it = bench();
    await it.publish(...buildSession(3, { session: 'x' }));
    it.log.evictAll('x');
    const sink = new TestSink();
    const connection = it.hub.connect({ sink, principal: EVERYTHING });
    const from = [{ session: 'x', epoch: 0, seq: 0 }];
    connection.subscribe({ id: 'stays' });
    connection.subscribe({ id: 'goes', from });
    await connection.subscribe({ id: 'short', from, live: false }).done;
    connection.unsubscribe('goes');
    await it.publish(buildWire({ session: 'x', seq: 7 }));
    expect(sink.seen.map(({ type }) => type)).toEqual(['event']);
  });

  it('is not owed where the position covers what was evicted', async () => {
    const it = bench();
    await it.publish(...buildSession(3, { session: 'x' }));
    it.log.evictAll('x');
    const sink = await replay(it, { from: [{ session: 'x', epoch: 0, seq: 2 }, { session: 'unheard', epoch: 0, seq: 2 }] });
    await it.publish(buildWire({ session: 'x', seq: 7 }), buildWire({ session: 'unheard', seq: 7 }));
    expect(sink.seen.map(({ type }) => type)).toEqual(['event', 'event']);
  });
});
