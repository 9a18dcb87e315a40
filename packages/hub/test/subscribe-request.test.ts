import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { HubError, type SubscribeRequest } from '../src/index.js';
import { bench, EVERYTHING, principal, settle, TestSink } from './support.js';

function attempt(request: SubscribeRequest, options: Parameters<typeof bench>[0] = {}): HubError | undefined {
  const { hub } = bench(options);
  try {
    hub.connect({ sink: new TestSink(), principal: EVERYTHING }).subscribe(request);
    return undefined;
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

const position = { session: 's1', epoch: 0, seq: 3 };

describe('a subscription request', () => {
  it.each<[string, Omit<SubscribeRequest, 'id'>]>([
    ['nothing but an id', {}],
    ['the empty filter', { filter: { text: '{}' } }],
    ['a filter as a value', { filter: { value: { type: ['tool.*', 'run.started'] } } }],
    ['every ceiling', { capture: 'none' }],
    ['from all', { from: 'all' }],
    ['from all as text', { from: { text: 'all' } }],
    ['from all as a value', { from: { value: 'all' } }],
    ['positions', { from: [position] }],
    ['positions as text', { from: { text: JSON.stringify([position]) } }],
    ['positions as a value, further members in them', { from: { value: [{ ...position, more: 1 }] } }],
    ['no positions', { from: [] }],
    ['integers written with a fraction', { from: { text: '[{"session":"s","epoch":1.0,"seq":2e1}]' } }],
  ])('is taken with %s', (_, request) => {
    expect(attempt({ id: 's', ...request })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a bad filter text', { filter: { text: '{' } }],
    ['an empty filter text', { filter: { text: '' } }],
    ['a member twice in the filter', { filter: { text: '{"agent":"a","agent":"b"}' } }],
    ['a filter that is null', { filter: { value: null } }],
    ['a filter that is undefined', { filter: { value: undefined } }],
    ['a filter that is an array', { filter: { value: [] } }],
    ['an illegal key beside a legal one', { filter: { value: { agent: 'a', bogus_key: 'b' } } }],
    ['a key that filters may not name', { filter: { text: '{"seq":1}' } }],
    ['a key of the prototype', { filter: { text: '{"__proto__":{}}' } }],
    ['an unknown ceiling', { capture: 'verbose' }],
    ['an empty ceiling', { capture: '' }],
    ['from with another word', { from: 'earliest' }],
    ['from all in quotes as text', { from: { text: '"all"' } }],
    ['from as text that is no JSON', { from: { text: '[' } }],
    ['from as an empty text', { from: { text: '' } }],
    ['from as an object', { from: { value: { session: 's', epoch: 0, seq: 0 } } }],
    ['from as null', { from: { value: null } }],
    ['from as undefined', { from: { value: undefined } }],
    ['a position that is no object', { from: { value: [['s', 0, 1]] } }],
    ['a position without a session', { from: { value: [{ epoch: 0, seq: 1 }] } }],
    ['a position with an empty session', { from: { value: [{ ...position, session: '' }] } }],
    ['a position without an epoch', { from: { value: [{ session: 's', seq: 1 }] } }],
    ['a negative seq', { from: { value: [{ ...position, seq: -1 }] } }],
    ['a fractional seq', { from: { value: [{ ...position, seq: 1.5 }] } }],
    ['a seq beyond 2^53', { from: { text: '[{"session":"s","epoch":0,"seq":9007199254740993}]' } }],
    ['a seq that is a string', { from: { value: [{ ...position, seq: '1' }] } }],
    ['a member twice in a position', { from: { text: '[{"session":"s","epoch":0,"seq":1,"seq":2}]' } }],
    ['one bad position among good ones', { from: { value: [position, { ...position, epoch: null }] } }],
    ['an inherited position', { from: { value: [Object.create(position)] } }],
  ])('is refused as invalid-filter with %s [B-047, B-114, B-118, B-155]', (_, request) => {
    expect(attempt({ id: 's', ...(request as object) })).toMatchObject({ code: 'invalid-filter' });
  });

  it('is refused without a usable id, and under one that is in use, which goes on [B-161]', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    for (const id of ['', undefined, 7, null]) expect(() => connection.subscribe({ id: id as never })).toThrow(/^invalid-filter: id/);
    connection.subscribe({ id: 's', filter: { value: { agent: 'a1' } } });
    expect(() => connection.subscribe({ id: 's' })).toThrow(/^invalid-filter: id/);
    await publish(buildWire(), buildWire({ agent: 'a2' }));
    expect(sink.events).toHaveLength(1);
  });

  it('is refused like a malformed from where "all" is not offered [B-107]', () => {
    const { hub } = bench({ replayAll: false });
    expect(hub.facts().capabilities.replay).toEqual({ buffer: Infinity });
    expect(attempt({ id: 's', from: 'all' }, { replayAll: false })).toMatchObject({ code: 'invalid-filter' });
    expect(attempt({ id: 's', from: [position] }, { replayAll: false })).toBeUndefined();
  });

  it.each<[string, number, (n: number) => Omit<SubscribeRequest, 'id'> & { id?: string }, string, object]>([
    ['positions', 3, (n) => ({ from: Array.from({ length: n }, (_, i) => ({ ...position, session: `s${i}` })) }), 'from: 4 positions, at most 3', { maxPositions: 3 }],
    ['the id', 5, (n) => ({ id: 'x'.repeat(n) }), 'id: longer than 5', { maxIdLength: 5 }],
    ['filter bytes', 20, (n) => ({ filter: { text: `{"agent":"${'x'.repeat(n - 12)}"}` } }), 'filter: ', { maxFilterBytes: 20 }],
    ['filter keys', 2, (n) => ({ filter: { value: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1])) } }), 'filter: ', { maxFilterKeys: 2 }],
    ['filter values', 4, (n) => ({ filter: { value: { agent: Array.from({ length: n }, (_, i) => `a${i}`) } } }), 'filter: ', { maxFilterValues: 4 }],
  ])('is bounded in %s: one less and the limit pass, one more is limit-exceeded and says so [B-158, B-159]', (_, limit, make, detail, options) => {
    expect(attempt({ id: 's', ...make(limit - 1) }, options)).toBeUndefined();
    expect(attempt({ id: 's', ...make(limit) }, options)).toBeUndefined();
    const error = attempt({ id: 's', ...make(limit + 1) }, options);
    expect(error?.code).toBe('limit-exceeded');
    expect(error?.detail).toContain(detail);
  });

  it('may name a thousand positions, and more, by default', () => {
    const from = Array.from({ length: 1_000 }, (_, i) => ({ session: `s${i}`, epoch: 0, seq: 1 }));
    expect(attempt({ id: 's', from })).toBeUndefined();
  });

  it('is bounded in number per connection, and a free place is used again [B-158, B-159, B-160]', () => {
    const { hub } = bench({ maxSubscriptions: 2 });
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    connection.subscribe({ id: '1' });
    connection.subscribe({ id: '2' });
    expect(() => connection.subscribe({ id: '3' })).toThrow(/^limit-exceeded: more than 2 subscriptions/);
    connection.unsubscribe('1');
    connection.subscribe({ id: '3' });
    hub.connect({ sink: new TestSink(), principal: EVERYTHING }).subscribe({ id: '1' });
  });

  it('cannot pile up replays by unsubscribing and asking again', () => {
    const { hub } = bench({ maxSubscriptions: 2 });
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    const churn = (): void => {
      for (let i = 0; i < 100; i++) {
        connection.subscribe({ id: 'x', from: 'all' });
        connection.unsubscribe('x');
      }
    };
    expect(churn).toThrow(/^limit-exceeded/);
  });

  it('needs the scope observe, and a role that may watch [B-157]', () => {
    const { hub } = bench();
    const blind = hub.connect({ sink: new TestSink(), principal: principal('emit', 'control') });
    expect(() => blind.subscribe({ id: 's' })).toThrow(/^unauthorized/);
    expect(() => blind.roster()).toThrow(/^unauthorized/);
    const emitter = hub.connect({ sink: new TestSink(), principal: EVERYTHING, role: 'emitter' });
    expect(() => emitter.subscribe({ id: 's' })).toThrow(/^unauthorized/);
    expect(() => emitter.roster()).toThrow(/^unauthorized/);
  });

  it('that was refused leaves the connection usable and the others undisturbed [B-160, B-161]', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 'a', filter: { value: { agent: 'a1' } } });
    expect(() => connection.subscribe({ id: 'b', filter: { text: '{"type":"*"}' } })).toThrow(/^invalid-filter/);
    connection.subscribe({ id: 'b', filter: { value: { agent: 'b1' } } });
    await publish(buildWire({ agent: 'a1' }), buildWire({ agent: 'b1' }), buildWire({ agent: 'c1' }));
    expect(sink.events.map(({ event }) => event.agent)).toEqual(['a1', 'b1']);
    expect(sink.closing).toBeUndefined();
  });

  it('with a session twice is replayed from the lower position', async () => {
    const { hub, log } = bench();
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    connection.subscribe({ id: 's', from: [{ session: 'a', epoch: 1, seq: 0 }, { session: 'b', epoch: 0, seq: 5 }, { session: 'a', epoch: 0, seq: 9 }] });
    await settle();
    expect(log.replays[0]?.from).toEqual({
      type: 'positions',
      positions: [
        { session: 'a', epoch: 0, seq: 9 },
        { session: 'b', epoch: 0, seq: 5 },
      ],
    });
  });

  it('does not get to ask about sessions that its filter shuts out', async () => {
    const { hub, log } = bench();
    const connection = hub.connect({ sink: new TestSink(), principal: EVERYTHING });
    const from = [{ session: 'mine', epoch: 0, seq: 5 }, { session: 'other', epoch: 0, seq: 5 }];
    connection.subscribe({ id: 's', filter: { value: { session: 'mine' } }, from });
    connection.subscribe({ id: 't', filter: { value: { session: 'third' } }, from });
    await settle();
    expect(log.replays.map(({ from }) => from)).toEqual([{ type: 'positions', positions: [{ session: 'mine', epoch: 0, seq: 5 }] }]);
  });
});
