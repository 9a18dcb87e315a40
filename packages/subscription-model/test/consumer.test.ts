import { manualClock, type ManualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { SubscriptionConsumer, wireError, type ConsumerItem, type ConsumerOptions, type EventItem, type Message } from '../src/index.js';
import { errorOf, ids, message } from './support.js';

interface Bench {
  readonly consumer: SubscriptionConsumer;
  readonly clock: ManualClock;
  readonly items: ConsumerItem[];
  /** What the consumer sent since the last call. */
  sent(): Message[];
  /** The producer says something in the session. */
  say(type: string, payload: unknown, overrides?: Readonly<Record<string, unknown>>): void;
  /** An event, delivered. */
  event(id: string, sequence: number, overrides?: Readonly<Record<string, unknown>>): void;
  ready(): void;
  /** Answers the newest request. */
  created(id: string, extra?: object): void;
  events(): EventItem[];
}

function bench(options: Partial<ConsumerOptions> = {}): Bench {
  const clock = manualClock(Date.UTC(2026, 6, 9, 10));
  const texts: string[] = [];
  const items: ConsumerItem[] = [];
  let read = 0;
  let requests: Message[] = [];
  const consumer = new SubscriptionConsumer({
    source: 'agent:researcher',
    target: 'memory:main',
    send: (text) => texts.push(text),
    onItem: (item) => items.push(item),
    createId: ids('c'),
    now: () => clock.now(),
    timers: clock,
    ...options,
  });
  const producerId = ids('p');
  const say: Bench['say'] = (type, payload, overrides) =>
    consumer.receive(JSON.stringify(message({ id: producerId(), type, payload, session_id: consumer.sessionId, ...overrides })));
  return {
    consumer,
    clock,
    items,
    sent() {
      const fresh = texts.slice(read).map((text) => JSON.parse(text) as Message);
      read = texts.length;
      requests = [...requests, ...fresh.filter(({ type }) => type === 'subscription.requested')];
      return fresh;
    },
    say,
    event: (id, sequence, overrides) =>
      say('memory.fact.added', { id }, { id, session_id: undefined, delivery: { mode: 'at_least_once', sequence, cursor: `s:${String(sequence)}` }, ...overrides }),
    ready: () => say('session.ready', { session_id: consumer.sessionId, capabilities: { protocol: 'aep', aep_version: '0.1', transports: ['test'] } }),
    created(id, extra = {}) {
      const waiting = texts.slice(read).map((text) => JSON.parse(text) as Message);
      const request = [...requests, ...waiting].filter(({ type }) => type === 'subscription.requested').at(-1);
      say('subscription.created', { subscription_id: id, filter: request?.payload, ...extra }, { causation_id: request?.id });
    },
    events: () => items.filter((item) => item.type === 'event'),
  };
}

/** One active subscription to `memory.*`. */
function active(options: Partial<ConsumerOptions> = {}): Bench & { readonly memory: ReturnType<SubscriptionConsumer['subscribe']> } {
  const one = bench(options);
  one.consumer.open();
  one.ready();
  const memory = one.consumer.subscribe({ types: 'memory.*', delivery_mode: 'replayable' });
  one.created('sub_0001', { delivery_mode: 'replayable', cursor: 's:0' });
  one.sent();
  return { ...one, memory };
}

describe('a consumer', () => {
  it('opens a session, and asks when the producer is ready and not before [S-119, S-120, S-122]', () => {
    const one = bench();
    one.consumer.subscribe({ types: 'a.b' });
    one.consumer.open();
    one.consumer.subscribe({ types: 'c.d' });
    expect(one.sent()).toMatchObject([{ type: 'session.opened', session_id: 'sess_c1', target: 'memory:main', payload: { session_id: 'sess_c1', version: '0.1' } }]);
    expect(one.consumer.state).toBe('opened');
    one.ready();
    expect(one.sent().map(({ payload }) => payload)).toEqual([{ types: 'a.b' }, { types: 'c.d' }]);
    expect(one.items).toMatchObject([{ type: 'ready', sessionId: 'sess_c1', capabilities: { protocol: 'aep' } }]);
    expect(() => one.consumer.open()).toThrow(expect.objectContaining({ name: 'ConsumerError', code: 'already-open' }));
  });

  it('asks with the filter itself as the payload, mode and cursor in it [S-053, S-054, S-082, S-089]', () => {
    const one = bench();
    one.consumer.open();
    one.ready();
    one.sent();
    const filter = { types: ['memory.*'], target: 'agent:researcher', delivery_mode: 'replayable', from_cursor: ' opaque 7', color: 'red' } as const;
    one.consumer.subscribe(filter);
    expect(one.sent()).toMatchObject([{ type: 'subscription.requested', source: 'agent:researcher', session_id: 'sess_c1', payload: filter }]);
    expect(() => one.consumer.subscribe({ session_id: 's' })).toThrow(expect.objectContaining({ code: 'no-criterion' }));
    expect(one.sent()).toEqual([]);
  });

  it('is told of the subscription by the answer to its request', () => {
    const { items, memory, say, consumer } = active();
    expect(memory).toMatchObject({ state: 'active', id: 'sub_0001', mode: 'replayable', cursor: 's:0' });
    expect(items.at(-1)).toMatchObject({ type: 'created', resumed: false, gap: false });
    const other = consumer.subscribe({ types: '*' });
    say('subscription.created', { subscription_id: 'sub_0002', filter: {} }, { causation_id: 'somebody else' });
    say('subscription.created', { subscription_id: 'sub_0002', filter: {} });
    expect([other.state, items.at(-1)?.type]).toEqual(['requested', 'ignored']);
  });

  it('takes a rejection as final, and never uses the id in it [S-051, S-066]', () => {
    const one = bench();
    one.consumer.open();
    one.ready();
    const memory = one.consumer.subscribe({ types: 'memory.*' });
    const request = one.sent().at(-1);
    one.say('subscription.rejected', { subscription_id: 'sub_0001', error: { code: 'subscription_rejected', message: 'no', retryable: false } }, { causation_id: request?.id });
    expect(one.items.at(-1)).toMatchObject({ type: 'rejected', resumed: false, error: { code: 'subscription_rejected', message: 'no' } });
    expect(memory).toMatchObject({ state: 'rejected', id: undefined });
    expect(() => one.consumer.cancel(memory)).toThrow(expect.objectContaining({ code: 'unknown-subscription' }));
    expect(one.sent()).toEqual([]);
    expect(one.consumer.subscriptions).toEqual([]);
  });

  it('takes a refusal of its request as a rejection, and tells of others [S-131]', () => {
    const one = bench();
    one.consumer.open();
    one.ready();
    const memory = one.consumer.subscribe({ types: 'memory.*' });
    const request = one.sent().at(-1);
    one.say('event.rejected', { acknowledged_event_id: 'x', error: { code: 'teapot', message: 'm', retryable: true } });
    expect(one.items.at(-1)).toMatchObject({ type: 'refused', messageId: 'x', error: { code: 'protocol_error' } });
    one.say('event.rejected', { acknowledged_event_id: request?.id, error: wireError('session_error', 'no') });
    expect(one.items.at(-1)).toMatchObject({ type: 'rejected', subscription: memory, error: { code: 'session_error' } });
  });

  it('cancels with the id of the subscription [S-067]', () => {
    const { consumer, memory, sent, say, items } = active();
    consumer.cancel(memory);
    expect(sent()).toMatchObject([{ type: 'subscription.cancelled', session_id: consumer.sessionId, payload: { subscription_id: 'sub_0001' } }]);
    expect(memory.state).toBe('cancelled');
    say('subscription.cancelled', { subscription_id: 'sub_0001' });
    expect(items.at(-1)).toMatchObject({ type: 'cancelled', subscription: memory });
    expect(consumer.subscriptions).toEqual([]);
  });

  it('cancels what has no id yet as soon as the id comes [S-067]', () => {
    const one = bench();
    const never = one.consumer.subscribe({ types: 'task.*' });
    one.consumer.cancel(never);
    one.consumer.open();
    one.ready();
    const memory = one.consumer.subscribe({ types: 'memory.*' });
    one.consumer.cancel(memory);
    one.consumer.cancel(memory);
    expect(one.sent().map(({ type }) => type)).toEqual(['session.opened', 'subscription.requested']);
    one.created('sub_0007');
    expect(one.sent()).toMatchObject([{ type: 'subscription.cancelled', payload: { subscription_id: 'sub_0007' } }]);
    expect([memory.state, one.items.some(({ type }) => type === 'created')]).toEqual(['cancelled', false]);
  });

  it.each(['cancelled', 'expired'] as const)('tolerates events that were under way when it was %s, and acknowledges them [S-070, S-077]', (how) => {
    const { consumer, memory, event, say, items, sent, events } = active();
    event('e1', 1);
    if (how === 'cancelled') consumer.cancel(memory);
    else say('subscription.expired', { subscription_id: 'sub_0001', reason: 'events_lost' });
    expect(memory.state).toBe(how);
    sent();
    event('e2', 2);
    event('e3', 3, { delivery: { mode: 'best_effort', sequence: 3 } });
    expect(items.slice(-2)).toMatchObject([{ type: 'late', message: { id: 'e2' } }, { type: 'late', message: { id: 'e3' } }]);
    expect(events().map((item) => item.message.id)).toEqual(['e1']);
    expect(sent()).toMatchObject([{ type: 'event.acknowledged', payload: { acknowledged_event_id: 'e2' } }]);
    if (how === 'expired') expect(items.find(({ type }) => type === 'expired')).toMatchObject({ subscription: memory, reason: 'events_lost' });
  });

  it('gives an event out once, and acknowledges it when it is processed, by its id [S-135, S-137, S-139]', () => {
    const { consumer, memory, event, events, items, sent } = active();
    event('e1', 1);
    expect(sent()).toEqual([]);
    // Once more before it is processed: neither given out nor acknowledged.
    event('e1', 1);
    expect([sent(), items.at(-1)?.type]).toEqual([[], 'duplicate']);
    expect(memory.cursor).toBe('s:0');
    consumer.processed(events()[0]!);
    expect(sent()).toMatchObject([{ type: 'event.acknowledged', session_id: consumer.sessionId, causation_id: 'e1', payload: { acknowledged_event_id: 'e1', cursor: 's:1' } }]);
    expect(memory.cursor).toBe('s:1');
    event('e1', 1);
    expect(events()).toHaveLength(1);
    expect(sent()).toMatchObject([{ type: 'event.acknowledged', payload: { acknowledged_event_id: 'e1' } }]);
    expect(events()[0]).toMatchObject({ mode: 'at_least_once', cursor: 's:1', subscriptions: [memory] });
  });

  it('does not acknowledge best effort, which counts as processed at once [S-136]', () => {
    const { consumer, memory, event, events, sent } = active();
    event('e1', 1, { delivery: { mode: 'best_effort', sequence: 1, cursor: 's:1' } });
    event('e2', 2, { delivery: undefined });
    for (const item of events()) consumer.processed(item);
    consumer.reject(events()[0]!, wireError('internal_error', 'no'));
    event('e1', 1, { delivery: { mode: 'best_effort', sequence: 1, cursor: 's:1' } });
    expect(sent()).toEqual([]);
    expect(events().map(({ mode, cursor }) => [mode, cursor])).toEqual([['best_effort', 's:1'], ['best_effort', undefined]]);
    expect(memory.cursor).toBe('s:1');
  });

  it('moves the cursor behind what is processed with everything before it [S-093, S-096]', () => {
    const { consumer, memory, event, events } = active();
    for (const sequence of [1, 2, 3]) event(`e${String(sequence)}`, sequence);
    const [first, second, third] = events();
    consumer.processed(third!);
    consumer.processed(second!);
    expect(memory.cursor).toBe('s:0');
    consumer.processed(first!);
    expect(memory.cursor).toBe('s:3');
    // The event at the cursor once more, and older ones of somebody's replay, move nothing back.
    event('e3', 3);
    event('e0', 0);
    consumer.processed(events()[3]!);
    expect(memory.cursor).toBe('s:3');
  });

  it('gives a rejected event out again when it comes again, and keeps the cursor ahead of it until then', () => {
    const { consumer, memory, event, events, sent, say, items } = active();
    event('e1', 1);
    event('e2', 2);
    consumer.processed(events()[1]!);
    consumer.reject(events()[0]!, wireError('internal_error', 'later'));
    expect(sent().at(-1)).toMatchObject({ type: 'event.rejected', causation_id: 'e1', payload: { acknowledged_event_id: 'e1', error: { code: 'internal_error', retryable: true } } });
    say('event.redelivered', { original_event_id: 'e1', attempt: 1 });
    expect(items.at(-1)).toEqual({ type: 'redelivered', eventId: 'e1', attempt: 1 });
    event('e1', 1);
    expect(memory.cursor).toBe('s:0');
    consumer.processed(events()[2]!);
    expect(memory.cursor).toBe('s:2');
  });

  it('moves the cursor over a rejected event that came again as best effort', () => {
    const { consumer, memory, event, events, sent } = active();
    event('e1', 1);
    consumer.reject(events()[0]!, wireError('internal_error', 'later'));
    sent();
    event('e1', 1, { delivery: { mode: 'best_effort', sequence: 1, cursor: 's:1' } });
    expect([events().length, memory.cursor, sent()]).toEqual([2, 's:1', []]);
    event('e1', 1);
    expect([events().length, memory.cursor, sent().length]).toEqual([2, 's:1', 1]);
  });

  it('moves the cursor over what the producer gave up', () => {
    const { consumer, memory, event, events, say, items } = active();
    event('e1', 1);
    event('e2', 2);
    consumer.processed(events()[1]!);
    say('event.dead_lettered', { original_event_id: 'e1', subscription_id: 'sub_0001', attempts: 3, error: wireError('internal_error', 'x') });
    expect(items.at(-1)).toMatchObject({ type: 'dead-letter', eventId: 'e1', subscription: memory, error: { code: 'internal_error' } });
    expect(memory.cursor).toBe('s:2');
  });

  it('moves the cursor over events of one sequence, which may stand still', () => {
    const { consumer, memory, event, events } = active();
    event('e1', 1);
    event('e2', 1, { delivery: { mode: 'at_least_once', sequence: 1, cursor: 's:1b' } });
    for (const item of events()) consumer.processed(item);
    expect(memory.cursor).toBe('s:1b');
  });

  it('moves the cursor of a subscription over what another one brought before', () => {
    const { consumer, event, events, created } = active();
    event('e1', 1);
    event('e2', 2);
    consumer.processed(events()[0]!);
    const later = consumer.subscribe({ types: 'memory.*', from_cursor: 's:0' });
    created('sub_0002');
    event('e1', 1);
    event('e2', 2);
    expect([events().length, later.cursor]).toEqual([2, 's:1']);
    consumer.processed(events()[1]!);
    expect(later.cursor).toBe('s:2');
  });

  it('names every active subscription that an event matches, whatever session it arose in', () => {
    const { consumer, memory, event, events, created } = active();
    const all = consumer.subscribe({ types: '*' });
    created('sub_0002');
    consumer.subscribe({ types: 'task.*' });
    event('e1', 1, { session_id: 'sess_of_somebody_else' });
    expect(events()[0]?.subscriptions).toEqual([memory, all]);
  });

  it('postpones what is too much to hold, and counts it in for the cursor', () => {
    const { consumer, memory, event, events, items, sent } = active({ maxPending: 2 });
    for (const sequence of [1, 2, 3]) event(`e${String(sequence)}`, sequence);
    expect([events().length, items.at(-1)]).toMatchObject([2, { type: 'postponed', message: { id: 'e3' } }]);
    for (const item of events()) consumer.processed(item);
    expect([sent().length, memory.cursor]).toEqual([2, 's:2']);
    event('e4', 4);
    consumer.processed(events()[2]!);
    expect(memory.cursor).toBe('s:2');
    event('e3', 3);
    consumer.processed(events()[3]!);
    expect(memory.cursor).toBe('s:4');
  });

  it('forgets the oldest ids first', () => {
    const { consumer, event, events } = active({ maxRemembered: 2 });
    for (const sequence of [1, 2, 3]) {
      event(`e${String(sequence)}`, sequence);
      consumer.processed(events().at(-1)!);
    }
    event('e2', 2);
    event('e3', 3);
    expect(events()).toHaveLength(3);
    event('e1', 1);
    expect(events()).toHaveLength(4);
  });

  it('asks again behind a reconnect, from the last cursor received [S-148]', () => {
    const { consumer, memory, event, events, sent, ready, created, items } = active();
    const fresh = consumer.subscribe({ types: 'task.*', from_cursor: 's:0' });
    created('sub_0002');
    const dropped = consumer.subscribe({ types: 'a.b' });
    created('sub_0003');
    consumer.cancel(dropped);
    event('e1', 1);
    event('e2', 2);
    for (const item of events()) consumer.processed(item);
    const before = consumer.sessionId;
    consumer.disconnected();
    expect(items.at(-1)).toMatchObject({ type: 'session-ended', state: 'closed' });
    expect([memory.state, memory.id, fresh.state, dropped.state]).toEqual(['ended', undefined, 'ended', 'cancelled']);
    sent();
    consumer.open();
    expect(consumer.sessionId).not.toBe(before);
    ready();
    expect(sent().slice(1).map(({ payload }) => payload)).toEqual([
      { types: 'memory.*', delivery_mode: 'replayable', from_cursor: 's:2' },
      { types: 'task.*', from_cursor: 's:0' },
    ]);
    created('sub_0001');
    expect(items.at(-1)).toMatchObject({ type: 'created', resumed: true, gap: false });
    // What was processed in the session before is not processed again [S-139].
    event('e2', 2);
    expect(events()).toHaveLength(2);
  });

  it('says so when events may be missing, since there is no cursor to come back with', () => {
    const one = bench();
    one.consumer.open();
    one.ready();
    one.consumer.subscribe({ types: 'memory.*' });
    one.created('sub_0001');
    one.consumer.disconnected();
    one.consumer.open();
    one.ready();
    one.created('sub_0001');
    expect(one.items.at(-1)).toMatchObject({ type: 'created', resumed: true, gap: true });
  });

  it('says so when its cursor is no longer there', () => {
    const { consumer, memory, ready, sent, say, items } = active();
    consumer.disconnected();
    consumer.open();
    ready();
    say('subscription.rejected', { error: wireError('subscription_rejected', 'cursor not available') }, { causation_id: sent().at(-1)?.id });
    expect(items.at(-1)).toMatchObject({ type: 'rejected', subscription: memory, resumed: true, error: { message: 'cursor not available' } });
  });

  it('is over with its session, whoever ends it [S-101, S-102, S-103]', () => {
    for (const [type, payload, ended] of [
      ['session.closed', { reason: 'moved' }, { type: 'session-ended', state: 'closed', reason: 'moved' }],
      ['session.error', { error: wireError('session_timeout', 'x') }, { type: 'session-ended', state: 'error', error: { code: 'session_timeout' } }],
    ] as const) {
      const { consumer, memory, say, items, event, events, sent } = active();
      say(type, payload);
      expect([items.at(-1), memory.state]).toMatchObject([ended, 'ended']);
      event('e1', 1);
      expect([events(), sent()]).toEqual([[], []]);
      consumer.close();
      consumer.disconnected();
      expect(sent()).toEqual([]);
    }
    const { consumer, memory, sent, items } = active();
    consumer.close('done here');
    expect(sent()).toMatchObject([{ type: 'session.closed', payload: { session_id: consumer.sessionId, reason: 'done here' } }]);
    expect([items.at(-1)?.type, memory.state, consumer.state]).toEqual(['session-ended', 'ended', 'closed']);
  });

  it('beats where both want it, and misses the peer after three intervals [S-127, S-128]', async () => {
    const one = bench({ heartbeatIntervalMs: 100 });
    one.consumer.open();
    expect(one.sent()[0]?.payload).toMatchObject({ capabilities: { heartbeat_interval_ms: 100 } });
    one.say('session.ready', { session_id: one.consumer.sessionId, capabilities: { heartbeat_interval_ms: 200 } });
    await one.clock.advance(550);
    expect(one.sent().map(({ type }) => type)).toEqual(['session.heartbeat', 'session.heartbeat']);
    one.say('session.heartbeat', { session_id: one.consumer.sessionId });
    await one.clock.advance(599);
    expect(one.consumer.state).toBe('ready');
    await one.clock.advance(1);
    expect(one.consumer.state).toBe('error');
    expect(one.items.at(-1)).toMatchObject({ type: 'session-ended', state: 'error', error: { code: 'session_timeout' } });
    expect(one.clock.pending()).toBe(0);
    const quiet = bench();
    quiet.consumer.open();
    quiet.say('session.ready', { session_id: quiet.consumer.sessionId, capabilities: { heartbeat_interval_ms: 100 } });
    await quiet.clock.advance(1e6);
    expect(quiet.sent().map(({ type }) => type)).toEqual(['session.opened']);
  });

  it('tells how far a replay came', () => {
    const { say, items } = active();
    say('event.replayed', { from_cursor: 's:42', to_cursor: 's:99', events_replayed: 57 });
    expect(items.at(-1)).toEqual({ type: 'replayed', fromCursor: 's:42', toCursor: 's:99', count: 57 });
    say('event.replayed', { events_replayed: 'x' });
    expect(items.at(-1)).toEqual({ type: 'replayed', fromCursor: undefined, toCursor: undefined, count: undefined });
  });

  it('answers what it cannot read, unless that is an answer itself', () => {
    const { consumer, items, sent, say } = active();
    consumer.receive('{');
    consumer.receive({ bad: 'too long' });
    say('memory.fact.added', {}, { created_at: 'never' });
    say('event.rejected', {}, { created_at: 'never' });
    expect(items.slice(-4).map((item) => item.type)).toEqual(['bad', 'bad', 'bad', 'bad']);
    expect(sent().map((answer) => [answer.type, errorOf(answer).code])).toEqual([['event.rejected', 'protocol_error'], ['event.rejected', 'invalid_envelope']]);
  });

  it('takes nothing from another session, nor what has no place', () => {
    const { consumer, items, say, memory } = active();
    say('subscription.expired', { subscription_id: 'sub_0001' }, { session_id: 'sess_other' });
    say('session.closed', {}, { session_id: 'sess_other' });
    say('subscription.expired', { subscription_id: 'sub_0009' });
    say('subscription.requested', {});
    say('session.ready', { session_id: consumer.sessionId, capabilities: {} });
    expect(items.slice(-5).map(({ type }) => type)).toEqual(['ignored', 'ignored', 'ignored', 'ignored', 'ignored']);
    expect(memory.state).toBe('active');
  });

  it('refuses options that cannot be used', () => {
    for (const options of [{ source: '' }, { heartbeatIntervalMs: -1 }, { maxPending: 0 }, { maxRemembered: 1.5 }, { maxMessageBytes: -1 }]) expect(() => bench(options)).toThrow();
  });
});
