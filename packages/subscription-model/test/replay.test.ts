import { describe, expect, it } from 'vitest';

import { memoryStream, StreamError, type EventStream } from '../src/index.js';
import { errorOf, events, modes, part, rig } from './support.js';

describe('from_cursor', () => {
  it('asks for what came behind that position, and live events follow [S-081, S-089, S-095, S-097]', () => {
    const { peer, publish } = rig();
    for (const id of ['e1', 'e2', 'e3', 'e4']) publish(id, id === 'e3' ? { type: 'task.progress' } : {});
    const one = peer().open();
    one.subscribe({ types: 'memory.*', delivery_mode: 'replayable', from_cursor: 'stream_01:1' });
    publish('e5');
    expect(events(one.all)).toEqual(['e2', 'e4', 'e5']);
    expect(modes(one.all)).toEqual(['replayable', 'replayable', 'replayable']);
    expect(one.all.map(({ type }) => type).slice(1, 5)).toEqual(['subscription.created', 'memory.fact.added', 'memory.fact.added', 'event.replayed']);
  });

  it('is reported when it has caught up [S-142]', () => {
    const { peer, publish } = rig();
    for (let at = 1; at <= 99; at += 1) publish(`e${String(at)}`);
    const one = peer().open();
    const answers = (): unknown[] => one.all.filter(({ type }) => type === 'event.replayed').map(({ payload }) => payload);
    one.subscribe({ types: 'memory.*', from_cursor: 'stream_01:42' });
    expect(answers()).toEqual([{ subscription_id: 'sub_0001', from_cursor: 'stream_01:42', to_cursor: 'stream_01:99', events_replayed: 57 }]);
    one.subscribe({ types: 'memory.*', from_cursor: 'stream_01:99' });
    expect(answers()[1]).toEqual({ subscription_id: 'sub_0002', from_cursor: 'stream_01:99', to_cursor: 'stream_01:99', events_replayed: 0 });
  });

  it('is refused by a producer without replay, never ignored [S-090, S-091, S-092]', () => {
    const { peer, publish, producer } = rig();
    publish('e1');
    const one = peer({ replay: false }).open();
    for (const delivery_mode of ['best_effort', 'at_least_once', 'replayable']) {
      const answer = one.request({ types: '*', from_cursor: 'stream_01:0', delivery_mode });
      expect(answer.type).toBe('subscription.rejected');
      expect(errorOf(answer)).toMatchObject({ code: 'subscription_rejected', message: 'replay not supported', retryable: false, details: { reason: 'replay not supported' } });
    }
    expect(producer.stats().subscriptions).toBe(0);
    publish('e2');
    expect(one.take()).toEqual([]);
  });

  it.each(['stream_01:100', 'stream_01:01', 'stream_01:-1', 'stream_01:', 'stream_01:1e0', 'stream_02:1', 'e1', '', 'stream_01:1 ', 'stream_01:9007199254740993'])(
    'is refused as %j, which is no position here [S-098, S-092]',
    (cursor) => {
      const { peer, publish, producer } = rig();
      publish('e1');
      const one = peer().open();
      const answer = one.request({ types: '*', from_cursor: cursor });
      expect(answer.type).toBe('subscription.rejected');
      expect(errorOf(answer)).toMatchObject({ code: 'subscription_rejected', message: 'cursor not available', retryable: false });
      expect(producer.stats().subscriptions).toBe(0);
    },
  );

  it('is refused on stdio, which has no cursors, unless that is asked for [S-146]', () => {
    const { peer } = rig();
    expect(errorOf(peer({ transport: 'stdio' }).open().request({ types: '*', from_cursor: 'stream_01:0' }))).toMatchObject({
      code: 'subscription_rejected',
      message: 'replay not supported',
    });
    expect(peer({ transport: 'stdio', replay: true }).open().request({ types: '*', from_cursor: 'stream_01:0' }).type).toBe('subscription.created');
  });

  it('is refused where something behind it is no longer held [S-098]', () => {
    const { peer, publish } = rig({ stream: memoryStream({ id: 'stream_01', maxEvents: 2 }) });
    for (const id of ['e1', 'e2', 'e3', 'e4']) publish(id);
    const one = peer().open();
    expect(errorOf(one.request({ types: '*', from_cursor: 'stream_01:1' })).message).toBe('cursor not available');
    one.subscribe({ types: '*', from_cursor: 'stream_01:2' });
    expect(events(one.all)).toEqual(['e3', 'e4']);
  });

  it('replays in whatever mode was asked for, paced and not dropped [S-089]', () => {
    const { peer, publish, producer } = rig();
    for (let at = 1; at <= 5; at += 1) publish(`e${String(at)}`);
    const one = peer().open();
    one.free = false;
    one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    expect(events(one.all)).toEqual([]);
    publish('e6');
    one.free = true;
    one.connection.drained();
    expect(events(one.all)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
    expect(new Set(modes(one.all))).toEqual(new Set(['best_effort']));
    one.free = false;
    publish('e7');
    publish('e8');
    expect(producer.stats().dropped).toBe(1);
  });

  it('holds back what else the session gets, in one order, until it has caught up [S-097]', () => {
    const { peer, publish } = rig({ maxUnacknowledged: 2 });
    for (const id of ['e1', 'e2', 'e3']) publish(id);
    const one = peer().open();
    one.subscribe({ types: 'task.*', delivery_mode: 'at_least_once' });
    one.subscribe({ types: 'memory.*', delivery_mode: 'replayable', from_cursor: 'stream_01:0' });
    publish('t1', { type: 'task.progress' });
    publish('e4');
    expect(events(one.all)).toEqual(['e1', 'e2']);
    for (const id of ['e1', 'e2', 'e3', 't1', 'e4']) one.acknowledge(id);
    expect(events(one.all)).toEqual(['e1', 'e2', 'e3', 't1', 'e4']);
  });

  it('replays to the one that asked alone, one after the other', () => {
    const { peer, publish } = rig();
    for (const id of ['e1', 'e2']) publish(id);
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e3');
    one.acknowledge('e3');
    one.free = false;
    one.say('subscription.requested', { types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:1' });
    one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:2' });
    publish('e4');
    one.free = true;
    one.connection.drained();
    expect(one.all.filter(({ delivery }) => delivery !== undefined).map(({ id, delivery }) => `${id} ${delivery?.mode ?? ''}`)).toEqual([
      'e3 at_least_once',
      'e2 replayable',
      'e3 replayable',
      'e3 best_effort',
      'e4 replayable',
    ]);
  });

  it('does not interrupt what the session is just catching up with, nor take it for its own', () => {
    const { peer, publish } = rig({ maxUnacknowledged: 2 });
    const one = peer().open();
    one.subscribe({ types: 'task.*', delivery_mode: 'at_least_once' });
    for (const id of ['t1', 't2', 't3', 't4']) publish(id, { type: 'task.progress' });
    one.acknowledge('t1');
    publish('e5');
    one.say('subscription.requested', { types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:2' });
    publish('t6', { type: 'task.progress' });
    for (const id of ['t2', 't3', 't4', 't3', 't4', 'e5', 't6']) one.acknowledge(id);
    expect(events(one.all)).toEqual(['t1', 't2', 't3', 't4', 't3', 't4', 'e5', 't6']);
    expect(one.all.filter(({ type }) => type === 'event.replayed').map(({ payload }) => (payload as { events_replayed: number }).events_replayed)).toEqual([3]);
  });

  it('ends with its subscription, its session and its transport', () => {
    const { peer, publish } = rig();
    for (let at = 1; at <= 3; at += 1) publish(`e${String(at)}`);
    for (const end of ['cancel', 'session', 'transport'] as const) {
      const one = peer().open();
      one.free = false;
      one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
      if (end === 'cancel') one.say('subscription.cancelled', { subscription_id: 'sub_0001' });
      if (end === 'session') one.say('session.closed', { session_id: 'sess_1' });
      if (end === 'transport') one.connection.close();
      one.free = true;
      one.connection.drained();
      expect(events(one.all)).toEqual([]);
    }
  });

  it('continues from the last cursor received, behind a reconnect [S-089, S-095, S-097]', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'replayable' });
    publish('e1');
    publish('e2');
    const cursor = one.all.at(-1)?.delivery?.cursor;
    one.connection.close();
    publish('e3');
    const two = peer().open();
    two.subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: cursor });
    publish('e4');
    expect(events(two.all)).toEqual(['e3', 'e4']);
  });

  it('is told to a consumer that has got nothing yet', () => {
    const { peer, publish } = rig();
    publish('e1');
    expect(part(peer().open().request({ types: '*' }), 'cursor')).toBe('stream_01:1');
    expect(peer({ replay: false }).open().request({ types: '*' }).payload).not.toHaveProperty('cursor');
  });
});

/** A memory stream that reads and opens later, when the test says so, and fails when it says so. */
function slowStream(): { readonly stream: EventStream; readonly go: (failure?: Error) => Promise<void>; readonly waiting: () => number } {
  const inner = memoryStream({ id: 'stream_01' });
  const gates: { readonly pass: () => void; readonly fail: (error: Error) => void }[] = [];
  const gate = (): Promise<void> => new Promise((pass, fail) => gates.push({ pass, fail }));
  const slow = (reader: ReturnType<EventStream['read']>): ReturnType<EventStream['read']> => ({
    ...reader,
    next: async () => {
      await gate();
      return reader.next();
    },
  });
  const stream: EventStream = {
    ...inner,
    open: async (cursor) => {
      // It reads up to the head of now, and has it later.
      const reader = inner.open(cursor);
      await gate();
      return reader instanceof Promise || reader === undefined ? undefined : slow(reader);
    },
    read: (after) => slow(inner.read(after)),
  };
  return {
    stream,
    waiting: () => gates.length,
    go: async (failure) => {
      const next = gates.shift();
      if (failure === undefined) next?.pass();
      else next?.fail(failure);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a stream that takes its time', () => {
  it('loses nothing and doubles nothing between the request and the answer [S-049, S-052, S-097]', async () => {
    const { stream, go, waiting } = slowStream();
    const { peer, publish } = rig({ stream });
    publish('e1');
    publish('e2');
    const one = peer().open();
    one.subscribe({ types: 'task.*', delivery_mode: 'at_least_once' });
    one.say('subscription.requested', { types: 'memory.*', delivery_mode: 'replayable', from_cursor: 'stream_01:1' });
    publish('e3');
    publish('t1', { type: 'task.progress' });
    expect(events(one.take())).toEqual(['t1']);
    await go();
    expect(one.take().map(({ type }) => type)).toEqual(['subscription.created']);
    publish('e4');
    while (waiting() > 0) await go();
    publish('e5');
    while (waiting() > 0) await go();
    expect(events(one.take())).toEqual(['e2', 'e3', 'e4', 'e5']);
  });

  it('counts what is being opened, and answers nothing in a session that is over', async () => {
    const { stream, go } = slowStream();
    const { peer, producer } = rig({ stream, maxSubscriptionsPerSession: 2 });
    const one = peer().open();
    for (let at = 0; at < 3; at += 1) one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    expect(one.take().map((answer) => errorOf(answer).details?.reason)).toEqual(['limit']);
    one.say('session.closed', { session_id: 'sess_1' });
    await go();
    await go();
    expect(one.take()).toEqual([]);
    expect(producer.stats().subscriptions).toBe(0);
  });

  it('is a failure of the producer when it cannot be opened, and ends the subscription when it cannot be read', async () => {
    const { stream, go } = slowStream();
    const { peer, publish, incidents, producer } = rig({ stream });
    publish('e1');
    const one = peer().open();
    one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    await go(new Error('disk'));
    const [answer] = one.take();
    expect([answer?.type, errorOf(answer)]).toMatchObject(['subscription.rejected', { code: 'internal_error', retryable: true }]);
    one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    await go();
    await go(new Error('disk'));
    expect(one.take()).toMatchObject([{ type: 'subscription.created' }, { type: 'subscription.expired', payload: { reason: 'stream_failed' } }]);
    expect(incidents).toMatchObject([{ type: 'stream-failed', sessionId: 'sess_1' }]);
    one.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    await go();
    await go(new StreamError('evicted', 'gone'));
    expect(one.take().at(-1)).toMatchObject({ type: 'subscription.expired', payload: { reason: 'events_lost' } });
    expect(producer.stats().subscriptions).toBe(0);
  });

  it('fails at once as well', () => {
    const { peer } = rig({
      stream: {
        ...memoryStream({ id: 'stream_01' }),
        open: () => {
          throw new Error('disk');
        },
      },
    });
    expect(errorOf(peer().open().request({ types: '*', from_cursor: 'stream_01:0' })).code).toBe('internal_error');
  });

  it('goes on for those who wait when the one that reads is cancelled', async () => {
    const { stream, go, waiting } = slowStream();
    const { peer, publish } = rig({ stream });
    publish('e1');
    const one = peer().open();
    one.subscribe({ types: 'task.*', delivery_mode: 'at_least_once' });
    one.say('subscription.requested', { types: 'memory.*', from_cursor: 'stream_01:0' });
    await go();
    publish('t1', { type: 'task.progress' });
    expect(waiting()).toBe(1);
    one.say('subscription.cancelled', { subscription_id: 'sub_0002' });
    while (waiting() > 0) await go();
    expect(events(one.take())).toEqual(['t1']);
  });
});
