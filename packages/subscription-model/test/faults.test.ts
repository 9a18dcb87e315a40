import { manualClock, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { runConsumer, runProducer, SubscriptionConsumer, SubscriptionProducer, type EventStream, type StreamEntry, type TextDuplex } from '../src/index.js';
import { errorOf, events, message, Peer, rig } from './support.js';

const DURABLE = { types: '*', delivery_mode: 'at_least_once' };

describe('a transport that throws', () => {
  it('is given up, and costs the others no event [S-080]', () => {
    const { producer, publish, incidents } = rig();
    let broken = false;
    const bad: Peer = new Peer(producer, {
      send(text) {
        if (broken) throw new Error('no longer there');
        bad.texts.push(text);
        return true;
      },
      close: () => {
        throw new Error('nor can it be closed');
      },
    });
    bad.open().subscribe(DURABLE);
    const good = new Peer(producer).open();
    good.subscribe(DURABLE);
    broken = true;
    publish('e1');
    publish('e2');
    expect(events(good.all)).toEqual(['e1', 'e2']);
    expect(incidents).toEqual([{ type: 'connection-failed', error: expect.any(Error) }]);
    expect([bad.connection.closed, producer.stats()]).toEqual([true, expect.objectContaining({ connections: 1, subscriptions: 1 })]);
  });

  it('in the middle of a replay, of a redelivery or of an answer is given up as well', async () => {
    for (const course of ['replay', 'redelivery', 'answer'] as const) {
      const { producer, publish, clock, incidents } = rig();
      publish('e1');
      publish('e2');
      let throwAt = Infinity;
      const peer: Peer = new Peer(producer, {
        send(text) {
          if (peer.texts.length >= throwAt) throw new Error('gone');
          peer.texts.push(text);
          return true;
        },
      });
      peer.open();
      throwAt = course === 'replay' ? 3 : course === 'redelivery' ? 4 : 1;
      peer.say('subscription.requested', { ...DURABLE, from_cursor: 'stream_01:0' });
      await clock.advance(100_000);
      expect(incidents.map(({ type }) => type)).toEqual(['connection-failed']);
      expect([producer.stats().connections, producer.stats().subscriptions, clock.pending()]).toEqual([0, 0, 0]);
    }
  });

  it('is like a hook that cannot say whether an event may be seen: nobody else misses it [S-150]', () => {
    const { producer, publish } = rig({
      visible: (_message, { identity }) => {
        if (identity === 'odd') throw new Error('who is that');
        return true;
      },
    });
    const odd = new Peer(producer, { identity: 'odd' }).open();
    odd.subscribe(DURABLE);
    const one = new Peer(producer).open();
    one.subscribe(DURABLE);
    publish('e1');
    expect([events(odd.all), events(one.all), odd.connection.closed]).toEqual([[], ['e1'], true]);
  });

  it('or cannot tell when it drains ends its sessions', async () => {
    const { producer } = rig();
    const state = { closed: false };
    const duplex: TextDuplex = {
      send: () => false,
      drained: () => Promise.reject(new Error('broken')),
      incoming: (async function* () {
        yield JSON.stringify({ aep_version: '0.1', id: 'm1', type: 'session.opened', source: 'a', created_at: '2026-01-01T00:00:00Z', payload: { session_id: 's', version: '0.1' } });
        while (!state.closed) await turn();
      })(),
      close: () => void (state.closed = true),
    };
    await runProducer(producer, duplex, { transport: 'test' });
    expect([state.closed, producer.stats().connections]).toEqual([true, 0]);
  });
});

describe('a transport that closes while it takes a message', () => {
  it('leaves no heartbeat behind', async () => {
    const { producer, clock } = rig({ heartbeatIntervalMs: 1_000 });
    const peer: Peer = new Peer(producer, {
      send: () => {
        peer.connection.close();
        return true;
      },
    });
    peer.say('session.opened', { session_id: 'sess_1', version: '0.1', capabilities: { heartbeat_interval_ms: 1_000 } });
    await clock.advance(10_000);
    expect(clock.pending()).toBe(0);
  });

  it('or cancels while it is told of another loss is told of that one alone [S-051]', () => {
    // A stream that forgets everything while the window is full.
    let gone = false;
    const base = rig();
    const stream: EventStream = {
      ...base.stream,
      read: (after) => {
        if (gone) throw Object.assign(new Error('broken'), {});
        return base.stream.read(after);
      },
    };
    const { producer } = rig({ stream, maxUnacknowledged: 1 });
    const peer: Peer = new Peer(producer, {
      send(text) {
        peer.texts.push(text);
        if (text.includes('subscription.expired')) peer.say('subscription.cancelled', { subscription_id: 'sub_0002' });
        return true;
      },
    });
    peer.open();
    peer.subscribe(DURABLE);
    peer.subscribe(DURABLE);
    for (const id of ['e1', 'e2']) base.producer.publish({ id, type: 'memory.fact.added', payload: 1 });
    gone = true;
    peer.take();
    peer.acknowledge('e1');
    expect(peer.take().map(({ type, payload }) => [type, (payload as { subscription_id: string }).subscription_id])).toEqual([
      ['subscription.expired', 'sub_0001'],
      ['subscription.cancelled', 'sub_0002'],
    ]);
  });
});

describe('a clock that is set back', () => {
  it('holds up no heartbeat, no redelivery and no expiry for longer than its timers [S-074, S-127, S-138]', async () => {
    const clock = manualClock(Date.UTC(2026, 6, 9, 10));
    let back = 0;
    const { producer, publish } = rig({ now: () => clock.now() - back, timers: clock, heartbeatIntervalMs: 10_000, retry: { maxAttempts: Infinity }, lifetimeMs: 120_000 });
    const peer = new Peer(producer);
    peer.say('session.opened', { session_id: 'sess_1', version: '0.1', capabilities: { heartbeat_interval_ms: 10_000 } });
    peer.subscribe(DURABLE);
    publish('e1');
    peer.take();
    await clock.advance(5_000);
    back = 3_600_000;
    const types = new Set<string>();
    for (let at = 0; at < 30; at += 1) {
      await clock.advance(5_000);
      peer.say('session.heartbeat', { session_id: 'sess_1' });
      for (const { type } of peer.take()) types.add(type);
    }
    expect([...types].toSorted()).toEqual(['event.redelivered', 'memory.fact.added', 'session.heartbeat', 'subscription.expired']);
    producer.close();
    expect(clock.pending()).toBe(0);
  });
});

describe('what a peer chooses', () => {
  it('is not kept where it is long: its source is bounded like its session id', () => {
    const { peer } = rig({ maxIdLength: 20 });
    const one = peer();
    one.say('session.opened', { session_id: 'sess_1', version: '0.1' }, { source: 'x'.repeat(21) });
    expect(errorOf(one.take()[0])).toMatchObject({ code: 'session_error', message: 'the source is too long' });
    one.say('session.opened', { session_id: 'sess_1', version: '0.1' }, { source: 'x'.repeat(20) });
    expect(one.take()[0]?.type).toBe('session.ready');
  });

  it('counts while a cursor is being opened: filters, ids, and requests of all sessions together', () => {
    const base = rig();
    const stream: EventStream = { ...base.stream, open: () => new Promise(() => undefined) };
    const { peer } = rig({ stream, maxFilterBytesPerConnection: 10_000, maxSubscriptions: 5 });
    const one = peer().open();
    const ask = (overrides: Readonly<Record<string, unknown>>): unknown => {
      one.say('subscription.requested', { types: '*', from_cursor: 'a' }, overrides);
      return one.take().map((answer) => errorOf(answer).details?.reason);
    };
    expect(ask({ correlation_id: 'c'.repeat(10_000) })).toEqual([]);
    expect(ask({})).toEqual(['limit']);
    const [two, three] = [peer().open(), peer().open()];
    for (const each of [two, two, three, three]) each.say('subscription.requested', { types: '*', from_cursor: 'a' });
    expect([...two.take(), ...three.take()]).toEqual([]);
    three.say('subscription.requested', { types: '*' });
    expect(errorOf(three.take()[0])).toMatchObject({ code: 'subscription_rejected', details: { reason: 'limit' } });
  });
});

describe('a window', () => {
  it('delivers again in the mode of those that are left [S-084, S-085]', async () => {
    const { peer, publish, clock } = rig();
    const one = peer().open();
    const strong = one.subscribe({ types: '*', delivery_mode: 'replayable' });
    one.subscribe(DURABLE);
    publish('e1');
    one.say('subscription.cancelled', { subscription_id: strong });
    one.take();
    await clock.advance(31_000);
    expect(one.take().flatMap(({ delivery }) => delivery?.mode ?? [])).toEqual(['at_least_once']);
  });

  it('counts deliveries anew for a subscription that gets an event later, and gives it up for that one alone [S-141, S-144]', async () => {
    const { peer, publish, clock, producer } = rig({ retry: { maxAttempts: 2 } });
    const one = peer().open();
    one.subscribe({ types: ['memory.*', 'task.*'], delivery_mode: 'replayable' });
    publish('e1', { type: 'task.progress' });
    publish('e2');
    await clock.advance(31_000);
    // Behind an older one, so that it stays in the window.
    one.acknowledge('e2');
    const late = one.subscribe({ types: 'memory.*', delivery_mode: 'at_least_once', from_cursor: 'stream_01:0' });
    one.take();
    one.acknowledge('e1');
    await clock.advance(31_000);
    expect(one.take().map(({ type }) => type)).toEqual(['event.redelivered', 'memory.fact.added']);
    await clock.advance(31_000);
    expect(one.take().map(({ type, payload }) => [type, (payload as { subscription_id?: string }).subscription_id])).toEqual([['event.dead_lettered', late]]);
    expect(producer.subscriptions().map(({ acknowledgedCursor }) => acknowledgedCursor)).toEqual(['stream_01:2', undefined]);
  });

  it('waits no time at all where there is no backoff, however often', async () => {
    const { peer, publish, clock } = rig({ retry: { backoffMs: 0, maxAttempts: Infinity } });
    const one = peer().open();
    one.subscribe(DURABLE);
    publish('e1');
    for (let attempt = 0; attempt < 1_100; attempt += 1) {
      one.say('event.rejected', { acknowledged_event_id: 'e1', error: { code: 'internal_error', message: '', retryable: true } });
      await clock.advance(1);
    }
    expect(events(one.all)).toHaveLength(1_101);
  });
});

describe('a slow session', () => {
  it('does not keep another one of its connection waiting', () => {
    const { peer, publish } = rig();
    for (let at = 1; at <= 20; at += 1) publish(`e${String(at)}`);
    const one = peer();
    one.open('sess_1').open('sess_2');
    one.free = false;
    for (const session of ['sess_1', 'sess_2']) one.say('subscription.requested', { ...DURABLE, from_cursor: 'stream_01:0' }, { session_id: session });
    one.take();
    for (let at = 0; at < 6; at += 1) one.connection.drained();
    const counts = events(one.take()).toSorted();
    // One each time: both have got the first three.
    expect(counts).toEqual(['e1', 'e1', 'e2', 'e2', 'e3', 'e3']);
  });
});

describe('what the stream does not give out again', () => {
  it('has no cursor, which would stand ahead of what is still to come [S-080, S-148]', () => {
    const listeners: ((entries: readonly StreamEntry[]) => void)[] = [];
    const base = rig();
    const stream: EventStream = {
      ...base.stream,
      onAppend(listener) {
        listeners.push(listener);
        return base.stream.onAppend(listener);
      },
    };
    const producer = new SubscriptionProducer({ source: 'm', stream, maxUnacknowledged: 1 });
    const given: string[] = [];
    const consumer: SubscriptionConsumer = new SubscriptionConsumer({
      source: 'a',
      send: (text) => connection.receive(text),
      onItem: (item) => {
        if (item.type !== 'event') return;
        given.push(item.message.id);
        if (item.message.id === 'e1') first = item;
      },
    });
    let first: Parameters<typeof consumer.processed>[0] | undefined;
    const connection = producer.connect({
      transport: 't',
      send(text) {
        consumer.receive(text);
        return true;
      },
    });
    consumer.open();
    const all = consumer.subscribe(DURABLE as { types: string; delivery_mode: 'at_least_once' });
    const say = (id: string): void => void producer.publish({ id, type: 'memory.fact.added', payload: 1 });
    say('e1');
    say('e2');
    say('e3');
    const head = stream.head();
    const ahead = { ...head, sequence: head.order, bytes: 1, held: false };
        for (const listener of listeners) listener([{ ...ahead, message: message({ id: 'x' }) }]);
    expect(given).toEqual(['e1', 'x']);
    if (first !== undefined) consumer.processed(first);
    // e2 is under way and not processed: a restart from here gets it.
    expect([given, all.cursor]).toEqual([['e1', 'x', 'e2'], 'stream_01:1']);
  });
});

describe('a producer that takes no acknowledgement', () => {
  it('costs its consumer no more than it may remember, and moves no cursor over what was not tracked', () => {
    let texts: string[] = [];
    const consumer = new SubscriptionConsumer({ source: 'a', send: (text) => texts.push(text), onItem: () => undefined, maxRemembered: 3, maxPending: 2 });
    const send = (type: string, payload: unknown, more: object = {}): void =>
      consumer.receive(JSON.stringify({ aep_version: '0.1', id: `p${String(Math.random())}`, type, source: 'm', created_at: '2026-01-01T00:00:00Z', payload, ...more }));
    const begin = (): void => {
      texts = [];
      consumer.open();
      send('session.ready', { session_id: consumer.sessionId, capabilities: {} });
      const request = JSON.parse(texts.at(-1) ?? '') as { id: string };
      send('subscription.created', { subscription_id: 'sub_1', filter: {}, delivery_mode: 'replayable' }, { causation_id: request.id });
    };
    const event = (at: number, mode: string): void =>
      send('memory.x', 1, { id: `e${String(at)}`, delivery: { mode, sequence: at, cursor: `s:${String(at)}` } });
    const all = consumer.subscribe({ types: '*', delivery_mode: 'replayable' });
    begin();
    event(1, 'replayable');
    for (let at = 2; at <= 10; at += 1) event(at, 'best_effort');
    consumer.processed({ type: 'event', message: { id: 'e1' }, mode: 'replayable' } as never);
    // Three were tracked; what came behind them was not.
    expect(all.cursor).toBe('s:3');
    event(11, 'best_effort');
    expect(all.cursor).toBe('s:3');
    consumer.disconnected();
    begin();
    for (let at = 4; at <= 12; at += 1) event(at, 'best_effort');
    expect(all.cursor).toBe('s:12');
  });
});

describe('serving a consumer', () => {
  it('leaves nothing behind for each message', async () => {
    const consumer = new SubscriptionConsumer({ source: 'a', send: () => true, onItem: () => undefined });
    let reactions = 0;
    const over = consumer.whenOver.bind(consumer);
    consumer.whenOver = () => {
      const promise = over();
      const then = promise.then.bind(promise);
      // Every wait for the end of the session is one reaction that stays.
      promise.then = ((...args: Parameters<typeof then>) => {
        reactions += 1;
        const next = then(...args);
        const nextThen = next.then.bind(next);
        next.then = ((...more: Parameters<typeof nextThen>) => {
          reactions += 1;
          return nextThen(...more);
        }) as typeof next.then;
        return next;
      }) as typeof promise.then;
      return promise;
    };
    const duplex: TextDuplex = {
      send: () => true,
      drained: () => Promise.resolve(),
      incoming: (async function* () {
        for (let at = 0; at < 100; at += 1) {
          await turn();
          yield 'x';
        }
      })(),
      close: () => undefined,
    };
    await runConsumer(consumer, duplex);
    expect(reactions).toBeLessThan(5);
  });
});

describe('an event that just fits into its producer', () => {
  it('fits into a consumer too: it would come again without end otherwise [S-080]', () => {
    const producer = new SubscriptionProducer({ source: 'm' });
    const types: string[] = [];
    const consumer: SubscriptionConsumer = new SubscriptionConsumer({ source: 'a', send: (text) => connection.receive(text), onItem: ({ type }) => types.push(type) });
    const connection = producer.connect({
      transport: 't',
      send(text) {
        consumer.receive(text);
        return true;
      },
    });
    consumer.open();
    consumer.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    const text = (padding: string): string => JSON.stringify(message({ payload: padding }));
    const room = 1_048_576 - text('').length;
    expect(() => producer.publish(text('x'.repeat(room + 1)))).toThrow(expect.objectContaining({ code: 'too-large' }));
    producer.publish(text('x'.repeat(room)));
    expect(types).toEqual(['ready', 'created', 'event']);
    producer.close();
  });
});
