import { describe, expect, it } from 'vitest';

import { compilePattern } from '../src/index.js';
import { errorOf, events, part, rig } from './support.js';

describe('subscription.requested', () => {
  it('is answered with subscription.created by the producer [S-049, S-056, S-057, S-058, S-105, S-117, S-118]', () => {
    const { peer } = rig();
    const one = peer().open();
    const filter = { types: ['memory.*'], target: 'agent:researcher', color: 'red' };
    const id = one.say('subscription.requested', filter, { correlation_id: 'corr_1' });
    const answers = one.take();
    expect(answers).toMatchObject([
      { type: 'subscription.created', source: 'memory:main', target: 'agent:researcher', session_id: 'sess_1', causation_id: id, correlation_id: 'corr_1' },
    ]);
    expect(part(answers[0], 'subscription_id')).toBe('sub_0001');
  });

  it('has its filter echoed unchanged [S-061, S-054]', () => {
    const filter = { types: 'memory.*', source: ['a', 'a'], delivery_mode: 'replayable', extra: { deep: [null, 1.5] } };
    expect(part(rig({ modes: ['best_effort'] }).peer().open().request(filter), 'filter')).toEqual(filter);
    // Wrapped it is no filter: the payload is the filter itself.
    expect(errorOf(rig().peer().open().request({ filter: { types: '*' } })).details?.reason).toBe('no-criterion');
  });

  it('is told when it was created and when it ends [S-059, S-060]', () => {
    const forever = rig().peer().open().request({ types: '*' });
    expect(forever.payload).toMatchObject({ created_at: '2026-07-09T10:00:00.000Z', expires_at: null });
    const limited = rig({ lifetimeMs: 60_000 }).peer().open().request({ types: '*' });
    expect(part(limited, 'expires_at')).toBe('2026-07-09T10:01:00.000Z');
    // Farther than any date is never.
    expect(part(rig({ lifetimeMs: 8.64e15 }).peer().open().request({ types: '*' }), 'expires_at')).toBeNull();
  });

  it.each([{}, { session_id: 's' }, { delivery_mode: 'replayable' }, { from_cursor: 'stream_01:0' }, { conversation_id: 'c', task_id: 't' }])(
    'without a criterion, as %j, is rejected [S-044, S-049, S-055, S-062, S-063, S-064, S-117, S-118]',
    (filter) => {
      const { peer, producer } = rig();
      const one = peer().open();
      const answer = one.request(filter, { correlation_id: 'corr_1' });
      expect(answer).toMatchObject({ type: 'subscription.rejected', source: 'memory:main', session_id: 'sess_1', causation_id: 'req_2', correlation_id: 'corr_1' });
      expect(errorOf(answer)).toMatchObject({
        code: 'subscription_rejected',
        message: 'subscription must include at least one filter criterion',
        retryable: false,
      });
      expect(producer.stats().subscriptions).toBe(0);
    },
  );

  it.each([
    [{ types: 7 }, 'invalid-value'],
    [{ types: [] }, 'empty-list'],
    [{ types: 'mem*' }, 'invalid-pattern'],
    [{ types: '*', delivery_mode: 'exactly_once' }, 'unknown-mode'],
    [null, 'not-an-object'],
    ['*', 'not-an-object'],
    [['types'], 'not-an-object'],
  ])('with the filter %j is rejected before anything is created [S-039, S-062, S-063, S-087, S-099]', (filter, reason) => {
    const { peer, producer, publish } = rig();
    const one = peer().open();
    const answer = one.request(filter);
    expect(answer.type).toBe('subscription.rejected');
    expect(errorOf(answer)).toMatchObject({ code: 'subscription_rejected', retryable: false, details: { reason } });
    expect(typeof errorOf(answer).message).toBe('string');
    publish('e1');
    expect([one.take(), producer.stats().subscriptions]).toEqual([[], 0]);
  });

  it('repeats a refused filter, and no subscription id [S-065]', () => {
    const answer = rig().peer().open().request({ types: 7, extra: 1 });
    expect(part(answer, 'filter')).toEqual({ types: 7, extra: 1 });
    expect(answer.payload).not.toHaveProperty('subscription_id');
  });

  it('gets no event that was there before, and every one that comes after [S-052]', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    publish('e1');
    one.say('subscription.requested', { types: 'memory.*' });
    publish('e2');
    publish('e3', { type: 'task.progress' });
    publish('e4');
    expect(one.take().map(({ type, id }) => (type === 'subscription.created' ? type : id))).toEqual(['subscription.created', 'e2', 'e4']);
  });

  it('gets no event ahead of its answer, even where the transport answers at once [S-052]', () => {
    const { producer } = rig();
    const seen: string[] = [];
    const connection = producer.connect({
      transport: 'test',
      send: (text) => {
        const { type } = JSON.parse(text) as { type: string };
        seen.push(type);
        if (type === 'subscription.created') producer.publish({ type: 'memory.updated', payload: 1 });
        return true;
      },
    });
    const say = (type: string, payload: unknown): void =>
      connection.receive(JSON.stringify({ aep_version: '0.1', id: type, type, source: 'a', session_id: 's', created_at: '2026-01-01T00:00:00Z', payload }));
    say('session.opened', { session_id: 's', version: '0.1' });
    say('subscription.requested', { types: '*' });
    producer.publish({ type: 'memory.updated', payload: 2 });
    expect(seen).toEqual(['session.ready', 'subscription.created', 'memory.updated']);
  });

  it('is bounded in each session, on each connection and over all [S-062]', () => {
    const filter = { types: '*', source: 'x'.repeat(200) };
    const bytes = JSON.stringify(filter).length;
    for (const [options, most] of [
      [{ maxSubscriptionsPerSession: 2 }, 2],
      [{ maxSubscriptions: 3 }, 3],
      [{ maxFilterBytesPerConnection: 4 * bytes }, 4],
    ] as const) {
      const { peer, publish } = rig(options);
      const one = peer().open();
      for (let count = 0; count < most; count += 1) one.subscribe(filter);
      const refused = one.request(filter);
      expect(refused.type).toBe('subscription.rejected');
      expect(errorOf(refused)).toMatchObject({ code: 'subscription_rejected', retryable: false, details: { reason: 'limit' } });
      one.say('subscription.cancelled', { subscription_id: 'sub_0001' });
      one.take();
      expect(one.subscribe(filter)).toBe(`sub_000${String(most + 1)}`);
      publish('e1', { source: 'x'.repeat(200) });
      expect(events(one.take())).toEqual(['e1']);
    }
  });

  it('never gets an id twice in one session [S-106, S-108]', () => {
    const one = rig().peer().open();
    const given = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const id = one.subscribe({ types: '*' });
      given.add(id);
      if (count % 2 === 0) one.say('subscription.cancelled', { subscription_id: id });
      one.take();
    }
    expect(given.size).toBe(20);
  });

  it('beyond what its identity may see is rejected [S-149]', () => {
    const scopes: Record<string, readonly string[]> = { reader: ['memory.*'], admin: ['*'] };
    const { peer } = rig({
      authorize: ({ source: { types = '*' } }, { identity }) => {
        const allowed = (scopes[identity as string] ?? []).map((scope) => compilePattern(scope));
        return [types].flat().every((type) => allowed.some((scope) => scope.text === type || scope.matches(type))) || 'not in your scopes';
      },
    });
    const reader = peer({ identity: 'reader' }).open();
    expect(reader.subscribe({ types: ['memory.fact.*'] })).toBe('sub_0001');
    const answer = reader.request({ types: ['memory.*', 'task.*'] });
    expect(answer.type).toBe('subscription.rejected');
    expect(errorOf(answer)).toMatchObject({ code: 'unauthorized', retryable: false, message: 'not in your scopes' });
    expect(peer({ identity: 'admin' }).open().subscribe({ types: '*' })).toBe('sub_0001');
    expect(errorOf(rig({ authorize: () => false }).peer().open().request({ types: '*' })).code).toBe('unauthorized');
  });
});

describe('subscription.cancelled', () => {
  it('ends the subscription, and is confirmed [S-050, S-067, S-068, S-069]', () => {
    const { peer, producer, publish } = rig();
    const one = peer().open();
    const kept = one.subscribe({ types: 'task.*' });
    const id = one.subscribe({ types: 'memory.*' });
    publish('e1');
    const request = one.say('subscription.cancelled', { subscription_id: id });
    publish('e2');
    const seen = one.take();
    expect(seen.map(({ type }) => type)).toEqual(['memory.fact.added', 'subscription.cancelled']);
    expect(seen[1]).toMatchObject({ session_id: 'sess_1', causation_id: request, payload: { subscription_id: id } });
    expect(producer.subscriptions().map(({ subscriptionId }) => subscriptionId)).toEqual([kept]);
  });

  it('of an id that was never issued here is refused [S-071, S-073, S-050]', () => {
    const { peer, producer } = rig();
    const one = peer().open();
    const two = peer().open();
    one.subscribe({ types: '*' });
    const sub = one.subscribe({ types: '*' });
    two.subscribe({ types: '*' });
    for (const id of [sub, 'sub_0003', 'sub_1', 'sub_01', 'sub_0000', 'sub_-001', 'sub_00001', 'nonsense', '', '__proto__', 7, undefined, 'sub_1e0']) {
      const request = two.say('subscription.cancelled', { subscription_id: id });
      const [answer, ...more] = two.take();
      expect(answer).toMatchObject({ type: 'event.rejected', payload: { acknowledged_event_id: request } });
      expect(errorOf(answer)).toMatchObject({ code: 'subscription_error', retryable: false });
      expect(more).toEqual([]);
    }
    expect(producer.stats().subscriptions).toBe(3);
  });

  it('of one that has ended is harmless [S-051, S-072]', async () => {
    const { peer, clock } = rig({ lifetimeMs: 1_000 });
    const one = peer().open();
    const cancelled = one.subscribe({ types: '*' });
    const expired = one.subscribe({ types: '*' });
    one.say('subscription.cancelled', { subscription_id: cancelled });
    await clock.advance(1_000);
    one.take();
    for (const id of [cancelled, cancelled, expired]) one.say('subscription.cancelled', { subscription_id: id });
    expect(one.take()).toEqual([]);
  });

  it('leaves nothing to deliver again [S-068]', async () => {
    const { peer, publish, clock } = rig();
    const one = peer().open();
    const id = one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.say('subscription.cancelled', { subscription_id: id });
    one.take();
    await clock.advance(1e6);
    expect(one.take()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});

describe('subscription.expired', () => {
  it('comes from the producer when the time is reached, and ends the subscription [S-074, S-075, S-076, S-051]', async () => {
    const { peer, producer, publish, clock } = rig({ lifetimeMs: 1_000 });
    const one = peer().open();
    const id = one.subscribe({ types: '*' });
    await clock.advance(999);
    publish('e1');
    expect(events(one.take())).toEqual(['e1']);
    await clock.advance(1);
    expect(one.take()).toMatchObject([{ type: 'subscription.expired', source: 'memory:main', session_id: 'sess_1', payload: { subscription_id: id } }]);
    publish('e2');
    await clock.advance(1e6);
    expect(one.take()).toEqual([]);
    expect(producer.stats().subscriptions).toBe(0);
  });

  it('is ahead of an event of that instant, although the timer is late [S-074, S-075]', () => {
    let now = Date.UTC(2026, 0, 1);
    const { peer, publish } = rig({ lifetimeMs: 1_000, now: () => now });
    const one = peer().open();
    one.subscribe({ types: '*' });
    now += 1_000;
    publish('e1');
    expect(one.take().map(({ type }) => type)).toEqual(['subscription.expired']);
  });

  it('does not come for one that was cancelled or rejected [S-050, S-051]', async () => {
    const { peer, clock } = rig({ lifetimeMs: 1_000 });
    const one = peer().open();
    one.request({});
    one.say('subscription.cancelled', { subscription_id: one.subscribe({ types: '*' }) });
    one.take();
    await clock.advance(1e6);
    expect(one.take()).toEqual([]);
  });
});
