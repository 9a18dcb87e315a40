import { describe, expect, it } from 'vitest';

import { wireError } from '../src/index.js';
import { errorOf, events, part, rig } from './support.js';

describe('a session', () => {
  it('is opened by the peer and answered with what it can do [S-119, S-122, S-123, S-124]', () => {
    const peer = rig().peer({ transport: 'websocket' });
    const request = peer.say('session.opened', { session_id: 'sess_1', version: '0.1' });
    expect(peer.take()).toMatchObject([
      {
        type: 'session.ready',
        source: 'memory:main',
        target: 'agent:researcher',
        session_id: 'sess_1',
        causation_id: request,
        payload: {
          session_id: 'sess_1',
          capabilities: { protocol: 'aep', aep_version: '0.1', transports: ['websocket'], delivery_modes: ['best_effort', 'at_least_once', 'replayable'], features: ['replay'], heartbeat_interval_ms: 0 },
        },
      },
    ]);
    peer.say('session.ready', { session_id: 'sess_1', capabilities: { protocol: 'aep', aep_version: '0.1', transports: ['x'] } });
    expect(peer.take()).toEqual([]);
  });

  it.each([
    [{ version: '0.1' }, 'invalid_envelope'],
    [{ session_id: 'sess_1' }, 'invalid_envelope'],
    [{ session_id: '', version: '0.1' }, 'invalid_envelope'],
    [{ session_id: 7, version: '0.1' }, 'invalid_envelope'],
    [{ session_id: 'sess_2', version: '0.1' }, 'invalid_envelope'],
    [null, 'invalid_envelope'],
    [{ session_id: 'sess_1', version: '0.2' }, 'unsupported_version'],
  ])('is not opened by %j [S-122]', (payload, code) => {
    const { peer, producer } = rig();
    const one = peer();
    const id = one.say('session.opened', payload, { session_id: 'sess_1' });
    const [answer] = one.take();
    expect(answer).toMatchObject({ type: 'event.rejected', payload: { acknowledged_event_id: id } });
    expect(errorOf(answer).code).toBe(code);
    expect(producer.stats().sessions).toBe(0);
  });

  it('is ready with an id and capabilities, or the message is refused [S-123]', () => {
    const peer = rig().peer().open();
    for (const payload of [{}, { session_id: 'sess_1' }, { session_id: 'sess_2', capabilities: {} }, { capabilities: {} }]) {
      peer.say('session.ready', payload);
      expect(errorOf(peer.take()[0]).code).toBe('invalid_envelope');
    }
  });

  it('is not usable before it is ready, nor unknown, nor over [S-120, S-121, S-125]', () => {
    const { peer, producer, publish } = rig();
    const one = peer();
    const id = one.say('subscription.requested', { types: '*' });
    const [unknown] = one.take();
    expect(unknown).toMatchObject({ type: 'event.rejected', session_id: 'sess_1', payload: { acknowledged_event_id: id } });
    expect(errorOf(unknown)).toMatchObject({ code: 'session_error', retryable: false });
    one.open();
    one.subscribe({ types: '*' });
    one.say('session.closed', { session_id: 'sess_1', reason: 'done' });
    for (const [type, payload] of [['subscription.requested', { types: '*' }], ['subscription.cancelled', { subscription_id: 'sub_0001' }], ['session.heartbeat', { session_id: 'sess_1' }], ['task.progress', {}], ['session.opened', { session_id: 'sess_1', version: '0.1' }]] as const) {
      one.say(type, payload);
      const [answer] = one.take();
      expect([answer?.type, errorOf(answer).code]).toEqual(['event.rejected', 'session_error']);
    }
    one.say('subscription.requested', { types: '*' }, { session_id: undefined });
    expect(errorOf(one.take()[0]).code).toBe('session_error');
    publish('e1');
    expect(one.take()).toEqual([]);
    expect(producer.stats()).toMatchObject({ sessions: 0, subscriptions: 0 });
  });

  it('takes no notice of the session that a delivered event names [S-121]', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    one.subscribe({ types: 'memory.*', session_id: 'sess_of_somebody_else' });
    publish('e1', { session_id: 'sess_of_somebody_else' });
    publish('e2', { session_id: 'sess_1' });
    expect(one.take()).toMatchObject([{ id: 'e1', session_id: 'sess_of_somebody_else' }]);
  });

  it('is one of several on a connection [S-126, S-107]', () => {
    const { peer, publish } = rig();
    const one = peer().open('sess_1').open('sess_2');
    expect(one.subscribe({ types: 'memory.*' }, 'sess_1')).toBe('sub_0001');
    expect(one.subscribe({ types: 'task.*' }, 'sess_2')).toBe('sub_0001');
    publish('e1');
    expect(events(one.take())).toEqual(['e1']);
    one.say('subscription.cancelled', { subscription_id: 'sub_0001' }, { session_id: 'sess_2' });
    one.take();
    publish('e2');
    publish('e3', { type: 'task.progress' });
    expect(events(one.take())).toEqual(['e2']);
  });

  it('ends its own subscriptions when it closes, and no others, without a message for any [S-100, S-101, S-104]', () => {
    const { peer, producer, publish } = rig();
    const one = peer().open('sess_1').open('sess_2');
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' }, 'sess_1');
    one.subscribe({ types: '*' }, 'sess_1');
    one.subscribe({ types: '*' }, 'sess_2');
    one.say('session.closed', { session_id: 'sess_1' });
    expect(one.take()).toEqual([]);
    expect(producer.subscriptions().map(({ sessionId }) => sessionId)).toEqual(['sess_2']);
    publish('e1');
    expect(events(one.take())).toEqual(['e1']);
  });

  it('ends its subscriptions when the producer ends it [S-102, S-104]', () => {
    const { peer, producer, publish, clock } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.take();
    expect(one.connection.endSession('sess_1', 'moved')).toBe(true);
    expect(one.connection.endSession('sess_1')).toBe(false);
    expect(one.connection.endSession('sess_9')).toBe(false);
    expect(one.take()).toMatchObject([{ type: 'session.closed', session_id: 'sess_1', payload: { session_id: 'sess_1', reason: 'moved' } }]);
    expect(producer.stats()).toMatchObject({ sessions: 0, subscriptions: 0 });
    publish('e2');
    expect(one.take()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('loses its subscriptions in error as well, and with its transport [S-103, S-101]', async () => {
    const { peer, producer, publish, clock } = rig();
    const [one, two] = [peer().open(), peer().open()];
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    two.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.say('session.error', { session_id: 'sess_1', error: wireError('internal_error', 'oh') });
    expect(producer.stats()).toMatchObject({ connections: 2, sessions: 1, subscriptions: 1 });
    two.connection.close();
    two.connection.close();
    expect(producer.stats()).toMatchObject({ connections: 1, sessions: 0, subscriptions: 0 });
    expect(clock.pending()).toBe(0);
    one.take();
    two.take();
    publish('e2');
    await clock.advance(1e6);
    expect([one.take(), two.take()]).toEqual([[], []]);
    expect(clock.pending()).toBe(0);
  });

  it('beats only where both peers want it, at the pace of the slower one [S-128]', async () => {
    for (const [ours, theirs, agreed] of [[0, 50, 0], [50, 0, 0], [50, -1, 0], [50, 'x', 0], [50, undefined, 0], [50, 80, 80], [90, 80, 90]] as const) {
      const { peer, clock } = rig({ heartbeatIntervalMs: ours });
      const one = peer();
      one.say('session.opened', { session_id: 'sess_1', version: '0.1', capabilities: { heartbeat_interval_ms: theirs } });
      expect((part(one.take()[0], 'capabilities') as { heartbeat_interval_ms: number }).heartbeat_interval_ms).toBe(agreed);
      await clock.advance(agreed === 0 ? 1e7 : agreed);
      expect(one.take().map(({ type }) => type)).toEqual(agreed === 0 ? [] : ['session.heartbeat']);
    }
  });

  it('is in error after three missing heartbeats in a row [S-127, S-103]', async () => {
    const { peer, producer, clock } = rig({ heartbeatIntervalMs: 100 });
    const one = peer();
    one.say('session.opened', { session_id: 'sess_1', version: '0.1', capabilities: { heartbeat_interval_ms: 100 } });
    one.subscribe({ types: '*' });
    await clock.advance(50);
    one.say('session.heartbeat', { session_id: 'sess_1' });
    await clock.advance(299);
    expect(producer.stats().sessions).toBe(1);
    one.say('session.heartbeat', { session_id: 'sess_1' });
    await clock.advance(299);
    expect(producer.stats().sessions).toBe(1);
    one.take();
    await clock.advance(1);
    expect(producer.stats()).toMatchObject({ sessions: 0, subscriptions: 0 });
    const last = one.take();
    expect(last).toMatchObject([{ type: 'session.error', payload: { session_id: 'sess_1', error: { code: 'session_timeout', retryable: true } } }]);
    expect(clock.pending()).toBe(0);
  });

  it('tells its capabilities when asked', () => {
    const peer = rig({ modes: ['best_effort', 'replayable'] }).peer({ replay: false }).open();
    const id = peer.say('capabilities.requested', {});
    expect(peer.take()).toMatchObject([{ type: 'capabilities.declared', causation_id: id, payload: { delivery_modes: ['best_effort'], features: [] } }]);
  });

  it('refuses what is not for a producer, and never answers a refusal', () => {
    const { peer, producer } = rig();
    const one = peer().open();
    for (const type of ['subscription.created', 'subscription.expired', 'subscription.rejected', 'capabilities.declared', 'event.replayed', 'event.unheard']) {
      one.say(type, {});
      const answers = one.take();
      expect(answers.map((answer) => errorOf(answer).code)).toEqual(type.startsWith('event.') ? [] : ['protocol_error']);
    }
    one.say('event.rejected', {}, { session_id: 'nobody' });
    one.say('event.acknowledged', {});
    one.say('session.error', {}, { session_id: 'nobody' });
    one.say('event.rejected', {}, { aep_version: '9.9' });
    expect(one.take()).toEqual([]);
    expect(producer.stats().ignored).toBeGreaterThanOrEqual(4);
  });

  it('hands other messages on', () => {
    const seen: unknown[] = [];
    const { peer } = rig({ onMessage: ({ id }, { identity }) => seen.push([id, identity]) });
    const one = peer({ identity: 'me' }).open();
    const first = one.say('task.requested', {});
    const second = one.say('task.requested', {}, { session_id: undefined });
    expect(seen).toEqual([[first, 'me'], [second, 'me']]);
    expect(one.take()).toEqual([]);
  });
});

describe('a connection', () => {
  it('answers what it cannot read [S-134]', () => {
    const one = rig().peer().open();
    one.connection.receive('{"aep_version":"0.1"');
    one.connection.receive(Uint8Array.of(0xff));
    one.connection.receive({ bad: 'a line is too long' });
    one.say('subscription.requested', { types: '*' }, { source: '' });
    one.say('subscription.requested', { types: '*' }, { type: 'Nonsense' });
    const version = one.say('subscription.requested', { types: '*' }, { aep_version: '0.2', correlation_id: 'c1' });
    const answers = one.take();
    expect(answers.map((answer) => [answer.type, errorOf(answer).code])).toEqual([
      ['event.rejected', 'protocol_error'],
      ['event.rejected', 'protocol_error'],
      ['event.rejected', 'protocol_error'],
      ['event.rejected', 'invalid_envelope'],
      ['event.rejected', 'invalid_event_type'],
      ['event.rejected', 'unsupported_version'],
    ]);
    expect(answers[0]?.payload).not.toHaveProperty('acknowledged_event_id');
    expect(errorOf(answers[2]).message).toBe('a line is too long');
    expect(answers[5]).toMatchObject({ session_id: 'sess_1', causation_id: version, correlation_id: 'c1', payload: { acknowledged_event_id: version, error: { details: { supported: ['0.1'] } } } });
  });
});
