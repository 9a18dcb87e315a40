import { describe, expect, it } from 'vitest';

import { compileFilter, matchesType, memoryStream, parseFilter, parseMessage, SubscriptionIndex } from '../src/index.js';
import { errorOf, events, message, part, rig } from './support.js';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('a hostile filter', () => {
  it('is refused at its bounds, and not before', () => {
    const values = (count: number): object => ({ types: Array.from({ length: count }, () => 'a.b') });
    expect(compileFilter(values(5), { maxValues: 5 }).clauses).toHaveLength(1);
    expect(() => compileFilter(values(6), { maxValues: 5 })).toThrow(expect.objectContaining({ code: 'too-many-values' }));
    expect(() => compileFilter({ types: ['a.b', 'c.d'], source: ['x', 'y'] }, { maxValues: 3 })).toThrow(expect.objectContaining({ code: 'too-many-values', path: '$.source' }));
    expect(compileFilter(values(100_000), { maxValues: Infinity, maxFilterBytes: Infinity }).matches(message({ type: 'a.b' }))).toBe(true);
    const exact = { types: 'a.b', note: 'x'.repeat(100) };
    const bytes = JSON.stringify(exact).length;
    expect(compileFilter(exact, { maxFilterBytes: bytes }).bytes).toBe(bytes);
    expect(() => compileFilter(exact, { maxFilterBytes: bytes - 1 })).toThrow(expect.objectContaining({ code: 'too-large' }));
    for (const bad of [0, -1, 1.5, NaN]) for (const name of ['maxFilterBytes', 'maxValues', 'maxSegments']) expect(() => compileFilter(exact, { [name]: bad })).toThrow(RangeError);
  });

  it('costs no more than its bound, however huge it is', () => {
    const huge = { types: '*', note: Array.from({ length: 1_000_000 }, () => 'x') };
    expect(() => compileFilter(huge)).toThrow(expect.objectContaining({ code: 'too-large' }));
    const cyclic: Record<string, unknown> = { types: '*' };
    cyclic.self = cyclic;
    expect(() => compileFilter(cyclic)).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });

  it('may be as deep as 64 levels and no deeper', () => {
    expect(parseFilter(`{"types":"*","deep":${nested(63)}}`).matches(message())).toBe(true);
    expect(() => parseFilter(`{"types":"*","deep":${nested(64)}}`)).toThrow(expect.objectContaining({ code: 'too-deep' }));
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(() => compileFilter({ types: '*', deep: deep(64) })).toThrow(expect.objectContaining({ code: 'too-deep' }));
    expect(compileFilter({ types: '*', deep: deep(63) }).source.types).toBe('*');
  });

  it('has names and values of the language as ordinary text', () => {
    const filter = parseFilter('{"types":["__proto__","constructor.x"],"__proto__":{"source":"x"},"topic":"__proto__"}');
    expect(filter.matches(message({ type: 'constructor.x', topic: '__proto__' }))).toBe(true);
    expect(filter.matches(message({ type: 'constructor.x' }))).toBe(false);
    expect(Object.keys(filter.source)).toContain('__proto__');
    expect(() => parseFilter('{"__proto__":{"types":"*"}}')).toThrow(expect.objectContaining({ code: 'no-criterion' }));
    expect(() => compileFilter(Object.create({ types: '*' }))).toThrow(expect.objectContaining({ code: 'not-an-object' }));
    const index = new SubscriptionIndex<number>();
    index.add(parseFilter('{"source":"__proto__"}'), 1);
    index.add(parseFilter('{"types":"__proto__.*"}'), 2);
    expect(index.match(message({ source: 'toString' }))).toEqual([]);
    expect(index.match(message({ source: '__proto__' }))).toEqual([1]);
  });

  it('of many wildcards costs a type no more than the patterns there are', () => {
    const index = new SubscriptionIndex<number>();
    // Every combination of `a` and `*`: a type of as many segments walks all of them once, not every path twice.
    for (let bits = 0; bits < 1_024; bits += 1) {
      const pattern = Array.from({ length: 10 }, (_, at) => ((bits >> at) & 1 ? 'a' : '*')).join('.');
      index.add(compileFilter({ types: `${pattern}.z` }), bits);
    }
    expect(index.match(message({ type: `${Array.from({ length: 10 }, () => 'a').join('.')}.z` }))).toHaveLength(1_024);
    expect(index.match(message({ type: Array.from({ length: 10_000 }, () => 'a').join('.') }))).toEqual([]);
    expect(matchesType(`${'*.'.repeat(1_000)}x`, 'a.'.repeat(100_000))).toBe(false);
  });
});

describe('a hostile peer', () => {
  it('gets the right refusal for each kind of request', () => {
    const { peer, producer, publish } = rig();
    const one = peer().open();
    const cases: readonly (readonly [unknown, string])[] = [
      [{ types: '*', note: 'x'.repeat(70_000) }, 'too-large'],
      [{ types: Array.from({ length: 1_001 }, (_, at) => `a.b${String(at)}`) }, 'too-many-values'],
      [{ types: Array.from({ length: 33 }, () => 'a').join('.') }, 'too-many-segments'],
      [{ types: [[['*']]] }, 'invalid-value'],
      [{ types: '*', delivery_mode: 'exactly_once' }, 'unknown-mode'],
      [{ types: '*', delivery_mode: '__proto__' }, 'unknown-mode'],
      [{ types: '*', from_cursor: 'stream_01:1e999' }, 'cursor not available'],
    ];
    for (const [filter, reason] of cases) {
      const answer = one.request(filter);
      expect([answer.type, errorOf(answer).code, errorOf(answer).details?.reason]).toEqual(['subscription.rejected', 'subscription_rejected', reason]);
      // What is too large is not sent back.
      if (reason === 'too-large') expect(JSON.stringify(answer).length).toBeLessThan(1_000);
    }
    one.connection.receive(JSON.stringify(message({ type: 'subscription.requested', session_id: 'sess_1' })).replace('"payload":{}', `"payload":{"types":"*","deep":${nested(100)}}`));
    one.connection.receive(JSON.stringify(message({ type: 'subscription.requested', session_id: 'sess_1' })).replace('"payload":{}', '"payload":{"source":"\\ud800"}'));
    one.connection.receive(JSON.stringify(message({ type: 'subscription.requested', session_id: 'sess_1' })).replace('"payload":{}', '"payload":{"types":"a.b","types":"*"}'));
    one.connection.receive('x'.repeat(1_048_577));
    expect(one.take().map((answer) => [answer.type, errorOf(answer).code])).toEqual(Array.from({ length: 4 }, () => ['event.rejected', 'protocol_error']));
    expect(producer.stats().subscriptions).toBe(0);
    publish('e1');
    expect(one.take()).toEqual([]);
  });

  it('asking for thousands of subscriptions gets as many as there may be', () => {
    const { peer, producer } = rig();
    const one = peer().open();
    for (let at = 0; at < 5_000; at += 1) one.say('subscription.requested', { types: `a.b${String(at)}` });
    const answers = one.take();
    expect(answers.filter(({ type }) => type === 'subscription.created')).toHaveLength(100);
    expect(answers.filter((answer) => answer.type === 'subscription.rejected' && errorOf(answer).details?.reason === 'limit')).toHaveLength(4_900);
    expect(producer.stats().subscriptions).toBe(100);
  });

  it('subscribing and cancelling without end leaves nothing behind', () => {
    const { peer, producer, clock } = rig({ lifetimeMs: 1e9 });
    const one = peer().open();
    for (let at = 0; at < 2_000; at += 1) {
      one.say('subscription.requested', { types: [`a.b${String(at)}`, `c.${String(at)}.*`], source: `s${String(at)}`, from_cursor: 'stream_01:0' });
      one.say('subscription.cancelled', { subscription_id: `sub_${String(at + 1).padStart(4, '0')}` });
    }
    expect(producer.stats().subscriptions).toBe(0);
    expect(producer.subscriptions()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('opening sessions without end is stopped, closed ones included', () => {
    const { peer, producer } = rig({ maxSessions: 3 });
    const one = peer();
    for (let at = 0; at < 5; at += 1) {
      one.say('session.opened', { session_id: `s${String(at)}`, version: '0.1' }, { session_id: `s${String(at)}` });
      one.say('session.closed', { session_id: `s${String(at)}` }, { session_id: `s${String(at)}` });
    }
    const refused = one.take().filter(({ type }) => type === 'event.rejected');
    expect(refused.filter((answer) => errorOf(answer).details?.reason === 'limit')).toHaveLength(2);
    expect(producer.stats().sessions).toBe(0);
    const two = peer();
    two.say('session.opened', { session_id: 'x'.repeat(257), version: '0.1' }, { session_id: undefined });
    expect(errorOf(two.take()[0]).code).toBe('session_error');
    two.say('session.opened', { session_id: 'x'.repeat(256), version: '0.1' }, { session_id: undefined });
    expect(two.take()[0]?.type).toBe('session.ready');
  });

  it('cannot reach the subscriptions of somebody else', () => {
    const { peer, producer, publish } = rig();
    const [mine, theirs] = [peer().open('sess_1'), peer().open('sess_1')];
    const id = mine.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    theirs.say('subscription.cancelled', { subscription_id: id });
    expect(errorOf(theirs.take()[0]).code).toBe('subscription_error');
    theirs.acknowledge('e1');
    theirs.say('event.rejected', { acknowledged_event_id: 'e1', error: { code: 'tool_error', message: '', retryable: false } });
    theirs.say('session.closed', { session_id: 'sess_1' });
    expect(producer.subscriptions()).toMatchObject([{ subscriptionId: id, pending: 1 }]);
  });

  it('with acknowledgements of every shape does no harm', () => {
    const { peer, producer, publish } = rig();
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    one.take();
    for (const id of [undefined, null, 7, '', '__proto__', 'constructor', ['e1'], { id: 'e1' }]) {
      one.say('event.acknowledged', { acknowledged_event_id: id });
      one.say('event.rejected', { acknowledged_event_id: id });
    }
    for (const payload of [null, [], 'e1', 7]) one.say('event.acknowledged', payload);
    expect([one.take(), producer.subscriptions()[0]?.pending]).toEqual([[], 1]);
    one.say('event.rejected', { acknowledged_event_id: 'e1', error: '__proto__' });
    expect(one.take()).toMatchObject([{ type: 'event.dead_lettered', payload: { error: { code: 'protocol_error' } } }]);
  });

  it('that never acknowledges costs a window, and one that never reads a place', () => {
    const { peer, publish } = rig({ stream: memoryStream({ id: 'stream_01', maxEvents: Infinity, maxBytes: Infinity }) });
    const [deaf, slow] = [peer().open(), peer().open()];
    for (const one of [deaf, slow]) one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    slow.free = false;
    for (let at = 0; at < 2_000; at += 1) publish(`e${String(at)}`);
    expect([events(deaf.all).length, events(slow.all).length]).toEqual([256, 1]);
  });

  it('keeps odd but legal texts as they are', () => {
    const { peer, publish } = rig();
    const one = peer().open();
    const topic = 'ü\u2028\u0000"\\ 🙂';
    const answer = one.request({ topic, types: '*' });
    expect(part(answer, 'filter')).toEqual({ topic, types: '*' });
    publish('e1', { topic, payload: JSON.parse('{"__proto__":{"a":1}}') as object as never });
    const [event] = one.take();
    expect(event?.topic).toBe(topic);
    expect(JSON.stringify(event?.payload)).toBe('{"__proto__":{"a":1}}');
    expect(parseMessage(one.texts.at(-1) ?? '').topic).toBe(topic);
  });
});

describe('the memory stream', () => {
  it('holds what its bounds say', () => {
    const count = (options: object, published: number): number => {
      const stream = memoryStream({ id: 's', ...options });
      for (let at = 1; at <= published; at += 1) stream.append(message({ id: `e${String(at)}`, payload: 'x'.repeat(1_000) }));
      let held = 0;
      while (stream.open(`s:${String(published - held - 1)}`) !== undefined && held < published) held += 1;
      return held;
    };
    expect(count({}, 50)).toBe(50);
    expect(count({ maxEvents: 10 }, 50)).toBe(10);
    expect(count({ maxEvents: 0 }, 50)).toBe(0);
    expect(count({ maxEvents: Infinity, maxBytes: 14_500 }, 50)).toBe(10);
    expect(count({ maxEvents: Infinity, maxBytes: Infinity }, 50)).toBe(50);
    expect(count({ maxBytes: 10 }, 5)).toBe(0);
    for (const bad of [-1, 1.5, NaN]) {
      expect(() => memoryStream({ maxEvents: bad })).toThrow(RangeError);
      expect(() => memoryStream({ maxBytes: bad })).toThrow(RangeError);
    }
  });

  it('has another name in every process, unless it is given one', () => {
    const [one, two] = [memoryStream().head().cursor, memoryStream().head().cursor];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^stream_[0-9A-Z]{26}:0$/);
  });
});

describe('options', () => {
  it('that cannot be used are refused', () => {
    for (const options of [
      { source: '' },
      { modes: [] },
      { lifetimeMs: 0 },
      { heartbeatIntervalMs: -1 },
      { heartbeatIntervalMs: Infinity },
      { retry: { maxAttempts: 0 } },
      { retry: { backoffMs: -1 } },
      { retry: { backoffMultiplier: 0.5 } },
      { retry: { backoffMultiplier: Infinity } },
      { retry: { maxBackoffMs: NaN } },
      { retry: { ackTimeoutMs: 0 } },
      { maxSubscriptionsPerSession: 0 },
      { maxSubscriptions: -1 },
      { maxFilterBytesPerConnection: 0 },
      { maxSessions: 0.5 },
      { maxIdLength: 0 },
      { maxUnacknowledged: 0 },
      { maxUnacknowledgedBytes: 0 },
      { maxControlBacklog: 0 },
      { maxMessageBytes: 0 },
      { maxValues: 0 },
    ]) {
      expect(() => rig(options), JSON.stringify(options)).toThrow();
    }
  });

  it('may turn every bound off', async () => {
    const { peer, publish, clock } = rig({
      maxSubscriptionsPerSession: Infinity,
      maxSubscriptions: Infinity,
      maxFilterBytesPerConnection: Infinity,
      maxSessions: Infinity,
      maxIdLength: Infinity,
      maxUnacknowledged: Infinity,
      maxUnacknowledgedBytes: Infinity,
      maxControlBacklog: Infinity,
      maxMessageBytes: Infinity,
      maxFilterBytes: Infinity,
      maxValues: Infinity,
      maxSegments: Infinity,
      retry: { maxAttempts: Infinity, ackTimeoutMs: Infinity, maxBackoffMs: Infinity },
    });
    const one = peer().open('x'.repeat(1_000));
    for (let at = 0; at < 200; at += 1) one.subscribe({ types: '*', delivery_mode: 'at_least_once' }, 'x'.repeat(1_000));
    for (let at = 0; at < 300; at += 1) publish(`e${String(at)}`);
    expect(events(one.take())).toHaveLength(300);
    await clock.advance(1e9);
    expect(one.take()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});
