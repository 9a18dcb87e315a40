import { describe, expect, it } from 'vitest';

import { memoryStream, type DeliveryMode } from '../src/index.js';
import { events, message, modes, part, rig } from './support.js';

const MODES = ['best_effort', 'at_least_once', 'replayable'] as const;

describe('the mode in force', () => {
  it('is the one that was asked for where it is supported, and a weaker one elsewhere [S-078, S-083, S-084, S-085, S-086]', () => {
    const expected: readonly (readonly [readonly DeliveryMode[], boolean, readonly DeliveryMode[]])[] = [
      [MODES, true, ['best_effort', 'at_least_once', 'replayable']],
      [['best_effort', 'at_least_once'], true, ['best_effort', 'at_least_once', 'at_least_once']],
      [['best_effort', 'replayable'], true, ['best_effort', 'best_effort', 'replayable']],
      [['best_effort'], true, ['best_effort', 'best_effort', 'best_effort']],
      [MODES, false, ['best_effort', 'at_least_once', 'at_least_once']],
    ];
    for (const [supported, replay, inForce] of expected) {
      for (const [at, requested] of MODES.entries()) {
        const { peer, publish } = rig({ modes: supported });
        const one = peer({ replay }).open();
        const created = one.request({ types: 'memory.*', delivery_mode: requested });
        expect(part(created, 'delivery_mode')).toBe(inForce[at]);
        expect(part(created, 'filter')).toEqual({ types: 'memory.*', delivery_mode: requested });
        publish('e1');
        expect(modes(one.take())).toEqual([inForce[at]]);
      }
    }
  });

  it('is best effort where nothing was asked for [S-088]', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    one.subscribe({ types: '*' });
    publish('e1');
    expect(modes(one.take())).toEqual(['best_effort']);
  });

  it('replaces the one an event came with, and its place too; hints stay [S-084, S-145]', () => {
    const { peer, publish, stream } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    const own = { mode: 'replayable', sequence: 999, cursor: 'elsewhere:1', retry: { max_attempts: 9 } } as const;
    publish('e1', { delivery: own });
    expect(one.take()[0]?.delivery).toEqual({ mode: 'at_least_once', sequence: 1, cursor: 'stream_01:1', retry: { max_attempts: 9 } });
    const kept = stream.read({ order: 0, cursor: 'stream_01:0' }).next() as readonly { message: { delivery: unknown } }[];
    expect(kept[0]?.message.delivery).toEqual(own);
  });

  it('stands on replayed and redelivered events as well [S-084]', async () => {
    const { peer, publish, clock } = rig({ modes: ['best_effort', 'at_least_once'] });
    const one = peer().open();
    publish('e1', { delivery: { mode: 'best_effort' } });
    one.subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:0' });
    expect(modes(one.all)).toEqual(['at_least_once']);
    await clock.advance(31_000);
    expect(modes(one.all)).toEqual(['at_least_once', 'at_least_once']);
  });

  it('is the strongest of all subscriptions of a session that match, in one copy', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    one.subscribe({ types: 'memory.*' });
    one.subscribe({ types: '*', delivery_mode: 'replayable' });
    one.subscribe({ source: 'memory:main', delivery_mode: 'at_least_once' });
    publish('e1');
    publish('e2', { type: 'task.progress', source: 'x' });
    expect(one.take().map(({ id, delivery }) => [id, delivery?.mode])).toEqual([['e1', 'replayable'], ['e2', 'replayable']]);
    one.say('subscription.cancelled', { subscription_id: 'sub_0002' });
    one.take();
    publish('e3');
    expect(modes(one.take())).toEqual(['at_least_once']);
  });

  it('has to be able to be best effort', () => {
    expect(() => rig({ modes: ['replayable'] })).toThrow(RangeError);
  });
});

describe('best effort', () => {
  it('drops what a slow consumer cannot take, and delivers nothing twice [S-079, S-136]', async () => {
    const { peer, producer, publish, incidents, clock } = rig();
    const one = peer().open();
    one.subscribe({ types: '*' });
    publish('e1');
    one.free = false;
    for (const id of ['e2', 'e3', 'e4']) publish(id);
    one.free = true;
    one.connection.drained();
    publish('e5');
    await clock.advance(1e7);
    expect(events(one.take())).toEqual(['e1', 'e2', 'e5']);
    expect(producer.stats().dropped).toBe(2);
    expect(incidents).toMatchObject([{ type: 'dropped', message: { id: 'e3' } }, { type: 'dropped', message: { id: 'e4' } }]);
    // A sequence that jumps is how the consumer sees it.
    expect(one.all.flatMap(({ delivery }) => delivery?.sequence ?? [])).toEqual([1, 2, 5]);
    expect(clock.pending()).toBe(0);
  });

  it('expects no acknowledgement, and takes one in peace [S-136]', async () => {
    const { peer, producer, publish, clock } = rig();
    const one = peer().open();
    one.subscribe({ types: '*' });
    publish('e1');
    expect(producer.subscriptions()[0]).toMatchObject({ mode: 'best_effort', pending: 0 });
    one.acknowledge('e1');
    await clock.advance(1e7);
    expect(events(one.take())).toEqual(['e1']);
  });
});

describe.each(['at_least_once', 'replayable'] as const)('%s', (mode) => {
  it('loses nothing, whatever the consumer can take [S-080, S-137]', () => {
    const { peer, publish, producer } = rig();
    const one = peer().open();
    one.subscribe({ types: 'memory.*', delivery_mode: mode });
    one.free = false;
    for (let at = 1; at <= 50; at += 1) publish(`e${String(at)}`, at % 5 === 0 ? { type: 'task.progress' } : {});
    expect(events(one.take())).toEqual(['e1']);
    one.free = true;
    one.connection.drained();
    const rest = Array.from({ length: 49 }, (_, at) => at + 2).filter((at) => at % 5 !== 0);
    expect(events(one.take())).toEqual(rest.map((at) => `e${String(at)}`));
    expect(producer.stats().dropped).toBe(0);
  });

  it('expects an acknowledgement, and delivers again without one until attempts run out [S-137, S-138, S-143, S-144]', async () => {
    const { peer, publish, clock, incidents } = rig();
    const one = peer().open();
    const id = one.subscribe({ types: '*', delivery_mode: mode });
    publish('e1');
    one.take();
    await clock.advance(30_999);
    expect(one.take()).toEqual([]);
    await clock.advance(1);
    expect(one.take().map((seen) => [seen.type, seen.id === 'e1' ? seen.delivery?.sequence : seen.payload])).toEqual([
      ['event.redelivered', { original_event_id: 'e1', attempt: 1 }],
      ['memory.fact.added', 1],
    ]);
    await clock.advance(31_999);
    expect(one.take()).toEqual([]);
    await clock.advance(1);
    expect(one.take()[0]?.payload).toEqual({ original_event_id: 'e1', attempt: 2 });
    await clock.advance(30_000);
    expect(one.take()).toMatchObject([{ type: 'event.dead_lettered', payload: { original_event_id: 'e1', subscription_id: id, attempts: 3 } }]);
    expect(incidents).toMatchObject([{ type: 'dead-letter', subscriptionId: id, attempts: 3, message: { id: 'e1' } }]);
    await clock.advance(1e7);
    expect(one.take()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('is content with one acknowledgement, early or late [S-135, S-137]', async () => {
    const { peer, publish, clock } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: mode });
    publish('e1');
    publish('e2');
    one.acknowledge('e1');
    await clock.advance(31_000);
    expect(events(one.take())).toEqual(['e1', 'e2', 'e2']);
    one.acknowledge('e2');
    one.acknowledge('e2');
    one.acknowledge('never');
    await clock.advance(1e7);
    expect(one.take()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('keeps no more in flight than the window, and goes on with acknowledgements', () => {
    const { peer, publish, producer } = rig({ maxUnacknowledged: 3 });
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: mode });
    for (let at = 1; at <= 6; at += 1) publish(`e${String(at)}`);
    expect(events(one.take())).toEqual(['e1', 'e2', 'e3']);
    // Behind an older one that waits, nothing is forgotten: the window does not move.
    one.acknowledge('e2');
    one.acknowledge('e3');
    expect(events(one.take())).toEqual([]);
    expect(producer.subscriptions()[0]).toMatchObject({ acknowledgedCursor: undefined, pending: 1 });
    one.acknowledge('e1');
    expect(events(one.take())).toEqual(['e4', 'e5', 'e6']);
    expect(producer.subscriptions()[0]).toMatchObject({ acknowledgedCursor: 'stream_01:3', pending: 3, lastSequence: 6 });
  });

  it('keeps no more bytes in flight than the window, one event aside', () => {
    const { peer, publish } = rig({ maxUnacknowledgedBytes: 1_000 });
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: mode });
    for (const id of ['e1', 'e2', 'e3']) publish(id, { payload: 'x'.repeat(5_000) });
    expect(events(one.take())).toEqual(['e1']);
    one.acknowledge('e1');
    expect(events(one.take())).toEqual(['e2']);
  });

  it('keeps the acknowledged cursor of each subscription [S-141]', () => {
    const { peer, publish, producer } = rig();
    const one = peer().open();
    one.subscribe({ types: 'memory.*', delivery_mode: mode });
    one.subscribe({ types: 'task.*', delivery_mode: mode });
    publish('e1');
    publish('e2', { type: 'task.progress' });
    publish('e3');
    const cursors = (): unknown => producer.subscriptions().map(({ acknowledgedCursor }) => acknowledgedCursor);
    expect(cursors()).toEqual([undefined, undefined]);
    one.acknowledge('e1');
    expect(cursors()).toEqual(['stream_01:1', undefined]);
    one.acknowledge('e3');
    expect(cursors()).toEqual(['stream_01:1', undefined]);
    one.acknowledge('e2');
    expect(cursors()).toEqual(['stream_01:3', 'stream_01:2']);
  });

  it('tries again what was rejected for now, and gives up what was rejected for good [S-144]', async () => {
    const { peer, publish, clock, producer } = rig();
    const one = peer().open();
    const id = one.subscribe({ types: '*', delivery_mode: mode });
    publish('e1');
    publish('e2');
    one.take();
    one.say('event.rejected', { acknowledged_event_id: 'e1', error: { code: 'internal_error', message: 'later', retryable: true } });
    one.say('event.rejected', { acknowledged_event_id: 'e2', error: { code: 'tool_error', message: 'never', retryable: false } });
    expect(one.take()).toMatchObject([
      { type: 'event.dead_lettered', payload: { original_event_id: 'e2', subscription_id: id, attempts: 1, error: { code: 'tool_error', message: 'never', retryable: false } } },
    ]);
    await clock.advance(1_000);
    expect(events(one.take())).toEqual(['e1']);
    one.say('event.rejected', { acknowledged_event_id: 'e1', error: { code: 'internal_error', message: 'later', retryable: true } });
    await clock.advance(1_999);
    expect(one.take()).toEqual([]);
    await clock.advance(1);
    expect(events(one.take())).toEqual(['e1']);
    one.say('event.rejected', { acknowledged_event_id: 'e1', error: { code: 'internal_error', message: 'later', retryable: true } });
    expect(one.take()).toMatchObject([{ type: 'event.dead_lettered', payload: { attempts: 3 } }]);
    expect(producer.stats().deadLettered).toBe(2);
    // Given up is not acknowledged.
    expect(producer.subscriptions()).toMatchObject([{ acknowledgedCursor: undefined, pending: 0 }]);
  });

  it('waits for a full connection with what is due', async () => {
    const { peer, publish, clock } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: mode });
    publish('e1');
    publish('e2');
    one.free = false;
    publish('e3');
    one.take();
    await clock.advance(1e6);
    expect(one.take()).toEqual([]);
    one.free = true;
    one.acknowledge('e2');
    one.connection.drained();
    expect(events(one.take())).toEqual(['e1', 'e3']);
    one.acknowledge('e1');
    one.acknowledge('e3');
    await clock.advance(1e6);
    expect(one.take()).toEqual([]);
  });

  it('is ended, and said to be, where the stream has lost what it was still to deliver', () => {
    const { peer, publish, incidents, producer } = rig({ stream: memoryStream({ id: 'stream_01', maxEvents: 5 }) });
    const one = peer().open();
    const id = one.subscribe({ types: '*', delivery_mode: mode });
    const other = one.subscribe({ types: '*' });
    one.free = false;
    for (let at = 1; at <= 7; at += 1) publish(`e${String(at)}`);
    one.free = true;
    one.take();
    one.connection.drained();
    expect(one.take()).toMatchObject([{ type: 'subscription.expired', payload: { subscription_id: id, reason: 'events_lost' } }]);
    expect(incidents).toMatchObject([{ type: 'events-lost', subscriptionId: id }]);
    expect(producer.subscriptions().map(({ subscriptionId }) => subscriptionId)).toEqual([other]);
    publish('e8');
    expect(modes(one.take())).toEqual(['best_effort']);
  });
});

describe('a subscription that ends', () => {
  it('leaves what others of its session wait for', async () => {
    const { peer, publish, clock } = rig();
    const one = peer().open();
    const first = one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    one.subscribe({ types: 'memory.*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.say('subscription.cancelled', { subscription_id: first });
    one.take();
    await clock.advance(31_000);
    expect(events(one.take())).toEqual(['e1']);
  });

  it('takes its lag with it: a new one starts at the head', () => {
    const { peer, publish } = rig({ stream: memoryStream({ id: 'stream_01', maxEvents: 2 }) });
    const one = peer().open();
    const lagging = one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    one.free = false;
    publish('e1');
    publish('e2');
    one.say('subscription.cancelled', { subscription_id: lagging });
    for (const id of ['e3', 'e4', 'e5', 'e6']) publish(id);
    one.say('subscription.requested', { types: '*', delivery_mode: 'at_least_once' });
    publish('e7');
    one.take();
    one.free = true;
    one.connection.drained();
    expect(one.take().map(({ id }) => id)).toEqual(['e7']);
  });
});

describe('an event that is replayed while it still waits', () => {
  it('waits once, for both, in the stronger mode', async () => {
    const { peer, publish, clock, producer } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:0' });
    expect(producer.subscriptions().map(({ pending }) => pending)).toEqual([1, 1]);
    one.take();
    await clock.advance(31_000);
    expect(modes(one.take())).toEqual(['replayable']);
    one.acknowledge('e1');
    expect(producer.subscriptions().map(({ acknowledgedCursor }) => acknowledgedCursor)).toEqual(['stream_01:1', 'stream_01:1']);
  });

  it('waits again where it was acknowledged behind one that is not', async () => {
    const { peer, publish, clock, producer } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    publish('e2');
    one.acknowledge('e2');
    one.subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:1' });
    expect(producer.subscriptions().map(({ pending }) => pending)).toEqual([2, 1]);
    one.acknowledge('e1');
    one.take();
    await clock.advance(31_000);
    expect(events(one.take())).toEqual(['e2']);
  });
});

describe('the place of an event', () => {
  it('never falls within the stream, and holds for every session [S-140, S-094]', () => {
    const { peer, publish } = rig();
    const [one, two] = [peer().open(), peer().open()];
    one.subscribe({ types: 'memory.*' });
    two.subscribe({ types: '*', delivery_mode: 'replayable' });
    for (const [id, type] of [['e1', 'memory.updated'], ['e2', 'task.progress'], ['e3', 'memory.updated']] as const) publish(id, { type });
    const places = (from: typeof one): unknown => from.take().map(({ delivery }) => [delivery?.sequence, delivery?.cursor]);
    expect(places(one)).toEqual([[1, 'stream_01:1'], [3, 'stream_01:3']]);
    expect(places(two)).toEqual([[1, 'stream_01:1'], [2, 'stream_01:2'], [3, 'stream_01:3']]);
  });

  it('has no cursor on a transport without any [S-094, S-146]', () => {
    const { peer, publish } = rig();
    const one = peer({ replay: false }).open();
    one.subscribe({ types: '*', delivery_mode: 'replayable' });
    publish('e1');
    expect(one.take()[0]?.delivery).toEqual({ mode: 'at_least_once', sequence: 1 });
  });
});

describe('a control event', () => {
  it('is never routed', () => {
    const { peer, producer } = rig();
    const one = peer().open();
    one.subscribe({ types: '*' });
    for (const type of ['session.closed', 'subscription.created', 'capabilities.changed', 'event.replayed']) {
      expect(() => producer.publish({ type, payload: {} })).toThrow(expect.objectContaining({ name: 'StreamError', code: 'reserved-type' }));
    }
    peer().open('sess_2').subscribe({ types: '*' }, 'sess_2');
    expect(one.take()).toEqual([]);
  });

  it('is refused where it is not a message at all', () => {
    const { producer } = rig();
    expect(() => producer.publish({ type: 'nonsense', payload: 1 })).toThrow(expect.objectContaining({ name: 'MessageError' }));
    expect(() => producer.publish({ ...message(), type: 'a.b', payload: '\ud800' })).toThrow(expect.objectContaining({ name: 'MessageError' }));
  });
});

describe('tenants', () => {
  it('never get an event of another one, live, late or by replay [S-150]', () => {
    const { peer, publish } = rig({ visible: ({ topic }, { identity }) => topic === identity });
    const [one, two] = [peer({ identity: 'red' }).open(), peer({ identity: 'blue' }).open()];
    publish('r1', { topic: 'red' });
    publish('b1', { topic: 'blue' });
    for (const peer of [one, two]) {
      peer.subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:0' });
      peer.subscribe({ types: '*' });
      peer.subscribe({ topic: ['red', 'blue'], delivery_mode: 'at_least_once' });
    }
    one.free = false;
    for (const color of ['red', 'blue', 'red', 'blue']) publish(`${color}-live`, { id: `${color}${String(Math.random())}`, topic: color });
    one.free = true;
    one.connection.drained();
    const topics = (peer: typeof one): Set<string | undefined> => new Set(peer.all.filter(({ delivery }) => delivery !== undefined).map(({ topic }) => topic));
    expect([topics(one), topics(two)]).toEqual([new Set(['red']), new Set(['blue'])]);
    expect(events(one.all)).toHaveLength(3);
  });
});

describe('a peer that does not read', () => {
  it('is given up when it asks for more than it takes', () => {
    const { peer, producer, incidents } = rig({ maxControlBacklog: 3 });
    const one = peer().open();
    one.free = false;
    for (let at = 0; at < 4; at += 1) one.say('subscription.requested', {});
    expect(one.closed).toBe(false);
    one.say('subscription.requested', {});
    expect(one.closed).toBe(true);
    expect(incidents).toEqual([{ type: 'overloaded' }]);
    expect(producer.stats()).toMatchObject({ connections: 0, sessions: 0 });
    one.say('subscription.requested', {});
    one.connection.drained();
    expect(one.take()).toHaveLength(4);
  });

  it('is not, when it reads now and then', () => {
    const { peer } = rig({ maxControlBacklog: 3 });
    const one = peer().open();
    for (let round = 0; round < 5; round += 1) {
      one.free = false;
      for (let at = 0; at < 4; at += 1) one.say('subscription.requested', {});
      one.free = true;
      one.connection.drained();
    }
    expect([one.closed, one.take().length]).toEqual([false, 20]);
  });
});

describe('close', () => {
  it('closes every session and lets go of everything', () => {
    const { peer, producer, publish, clock } = rig({ lifetimeMs: 1_000, heartbeatIntervalMs: 50 });
    const one = peer();
    one.say('session.opened', { session_id: 'sess_1', version: '0.1', capabilities: { heartbeat_interval_ms: 50 } });
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.take();
    producer.close();
    expect(one.take()).toMatchObject([{ type: 'session.closed', payload: { session_id: 'sess_1', reason: 'shutdown' } }]);
    expect(clock.pending()).toBe(0);
    publish('e2');
    expect(one.take()).toEqual([]);
    expect(peer().connection.closed).toBe(true);
  });
});
