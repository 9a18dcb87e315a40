import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { BOTH, CONSUMER, EMITTER, ids, newHub, opened, principal } from './server-support.js';

const CLOSED_SET = ['invalid-filter', 'unknown-dialect', 'unauthorized', 'limit-exceeded'];
const at = (seq: number, session = 's1', epoch = 0) => ({ session, epoch, seq });

describe('subscribe', () => {
  it('is answered with its id, ahead of what it replays [B-153, B-164]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.emit(...buildSession(3));
    await peer.say({ type: 'subscribe', id: 'one', from: [at(0)] });
    await peer.emit(...buildSession(1, { first: 3 }));
    const said = peer.heard();
    expect(said[0]).toEqual({ type: 'subscribed', id: 'one' });
    expect(said.slice(1).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('without from is live only, and takes every Event without a filter', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.emit(...buildSession(2));
    await peer.say({ type: 'subscribe', id: 's' });
    await peer.emit(buildWire({ id: 'e' }));
    expect(ids(peer.heard())).toEqual(['e']);
  });

  it('serves several subscriptions at a time, an Event that any of them matches once [B-162, B-224]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say(
      { type: 'subscribe', id: 'a', filter: { subject: 'x' }, capture: 'none' },
      { type: 'subscribe', id: 'b', filter: { severity: 'error' } },
      { type: 'subscribe', id: 'c', filter: { subject: 'z' } },
    );
    peer.heard();
    await peer.emit(
      buildWire({ id: '1', subject: 'x' }),
      buildWire({ id: '2', subject: 'y' }),
      buildWire({ id: '3', subject: 'y', severity: 'error' }),
      buildWire({ id: '4', subject: 'x', severity: 'error' }),
    );
    const said = peer.heard();
    expect(ids(said)).toEqual(['1', '3', '4']);
    expect(said.map(({ capture }) => capture)).toEqual(['none', undefined, undefined]);
  });

  it('lowers what is replayed and what is live to the ceiling [B-138, B-139]', async () => {
    const peer = await opened({ hello: CONSUMER });
    const made = buildSession(2, { capture: 'full', data: { tool: { name: 'shell' }, input: { command: 'rm' } } });
    await peer.emit(...made.slice(0, 1));
    await peer.say({ type: 'subscribe', id: 's', capture: 'none', from: 'all' });
    await peer.emit(...made.slice(1));
    const [, ...events] = peer.heard();
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event.capture).toBe('none');
      expect(event).not.toHaveProperty('data');
    }
  });

  it('replays all that is held with from all, under filter and ceiling, and never marks it [B-101, B-102, B-106]', async () => {
    const peer = await opened({ hello: CONSUMER, buffer: { perSession: 3 } });
    await peer.emit(...buildSession(5, { session: 'a' }), ...buildSession(2, { session: 'b', severity: 'error' }));
    await peer.say({ type: 'subscribe', id: 's', from: 'all' }, { type: 'subscribe', id: 'f', from: 'all', filter: { severity: 'error' }, capture: 'none' });
    const said = peer.heard();
    expect(said.filter(({ type }) => type === 'replay-exhausted')).toEqual([]);
    expect(said.filter(({ type }) => type.includes('.')).map(({ session, seq, capture }) => [session, seq, capture])).toEqual([
      ['a', 2, undefined],
      ['a', 3, undefined],
      ['a', 4, undefined],
      ['b', 0, undefined],
      ['b', 1, undefined],
      ['b', 0, 'none'],
      ['b', 1, 'none'],
    ]);
  });

  it('marks a position that is older than the buffer, ahead of the Events of its session [B-099]', async () => {
    const peer = await opened({ hello: CONSUMER, buffer: { perSession: 2 } });
    await peer.emit(...buildSession(5, { epoch: 7 }), ...buildSession(2, { session: 'whole' }));
    await peer.say({ type: 'subscribe', id: 'sub-1', from: [at(0, 'whole'), at(0, 's1', 7)] });
    const said = peer.heard();
    const mark = said.findIndex(({ type }) => type === 'replay-exhausted');
    expect(said[mark]).toEqual({ type: 'replay-exhausted', sub: 'sub-1', session: 's1', earliest: { epoch: 7, seq: 3 } });
    expect(said.filter(({ type }) => type === 'replay-exhausted')).toHaveLength(1);
    expect(said.findIndex(({ session, seq }) => session === 's1' && seq !== undefined)).toBe(mark + 1);
  });

  it.each([
    ['a filter of null', { filter: null }],
    ['a filter that is a list', { filter: [] }],
    ['an unknown key', { filter: { Agent: 'x' } }],
    ['a key that is not filterable', { filter: { seq: 1 } }],
    ['a bare star', { filter: { type: '*' } }],
    ['an unknown ceiling', { capture: 'most' }],
    ['a ceiling of null', { capture: null }],
    ['a from that is a word', { from: 'some' }],
    ['a from of null', { from: null }],
    ['a position without an epoch', { from: [{ session: 's1', seq: 1 }] }],
    ['a negative seq', { from: [at(-1)] }],
    ['a session that is empty', { from: [at(1, '')] }],
  ])('refuses %s with invalid-filter, and makes no subscription [B-154, B-155, B-160]', async (_, request) => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 'bad', ...request });
    expect(peer.heard()).toEqual([{ type: 'error', id: 'bad', code: 'invalid-filter', detail: expect.any(String) }]);
    expect(peer.hub.stats()).toMatchObject({ connections: 1, subscriptions: 0 });
    await peer.say({ type: 'subscribe', id: 'bad' });
    await peer.emit(buildWire({ id: 'e' }));
    expect(peer.heard().map(({ type, id }) => [type, id])).toEqual([['subscribed', 'bad'], ['tool.requested', 'e']]);
  });

  it.each([['no id', {}], ['an empty one', { id: '' }], ['a number', { id: 7 }], ['null', { id: null }]])('refuses %s for an id with invalid-filter', async (_, change) => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', ...change });
    expect(peer.heard()).toEqual([{ type: 'error', code: 'invalid-filter', detail: expect.any(String) }]);
    expect(peer.hub.stats().subscriptions).toBe(0);
  });

  it('refuses a request that says something twice', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say('{"type":"subscribe","id":"s","filter":{"agent":"a","agent":"b"}}', '{"type":"subscribe","id":"s","capture":"none","capture":"full"}');
    expect(peer.heard()).toEqual(Array.from({ length: 2 }, () => ({ type: 'error', id: 's', code: 'invalid-filter', detail: expect.any(String) })));
  });

  it('refuses an id in use, and the first one goes on [B-161]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 's', filter: { subject: 'x' } }, { type: 'subscribe', id: 's' });
    expect(peer.heard()).toMatchObject([{ type: 'subscribed' }, { type: 'error', id: 's', code: 'invalid-filter' }]);
    await peer.emit(buildWire({ id: '1', subject: 'x' }), buildWire({ id: '2' }));
    expect(ids(peer.heard())).toEqual(['1']);
  });

  it.each([
    ['subscriptions', { maxSubscriptions: 1 }, [{ type: 'subscribe', id: 'first' }], {}],
    ['positions', { maxPositions: 1 }, [], { from: [at(1, 'a'), at(1, 'b')] }],
    ['characters of an id', { maxIdLength: 3 }, [], {}],
    ['values of a filter', { maxFilterValues: 2 }, [], { filter: { agent: ['a', 'b', 'c'] } }],
  ])('refuses more %s than allowed with limit-exceeded [B-154, B-158, B-160]', async (_, hubOptions, first, request) => {
    const peer = await opened({ hello: CONSUMER, hubOptions });
    await peer.say(...first);
    peer.heard();
    await peer.say({ type: 'subscribe', id: 'last', ...request }, { type: 'ping' });
    expect(peer.heard()).toEqual([{ type: 'error', id: 'last', code: 'limit-exceeded', detail: expect.stringMatching(/\d/) }, { type: 'pong' }]);
  });

  it('refuses who may not subscribe with unauthorized, and stays [B-157, B-160]', async () => {
    for (const peer of [await opened({ hello: EMITTER }), await opened({ hello: BOTH, principal: principal('emit') })]) {
      await peer.say({ type: 'subscribe', id: 's' }, { type: 'ping' });
      expect(peer.heard()).toEqual([{ type: 'error', id: 's', code: 'unauthorized', detail: expect.any(String) }, { type: 'pong' }]);
    }
  });

  it('refuses from all like any malformed from where it is not offered [B-107]', async () => {
    const peer = await opened({ hello: CONSUMER, hubOptions: { replayAll: false } });
    await peer.say({ type: 'subscribe', id: 'a', from: 'all' }, { type: 'subscribe', id: 'b', from: 'else' });
    expect(peer.heard().map(({ code }) => code)).toEqual(['invalid-filter', 'invalid-filter']);
  });

  it('has no member that draws unknown-dialect [B-156]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 'a', dialect: 'cesql' }, { type: 'subscribe', id: 'b', filter: 'SELECT *' }, { type: 'subscribe', id: 'c', filter: { dialect: 'cesql', Expression: 1 } });
    const said = peer.heard();
    expect(said.map(({ type, code }) => code ?? type)).toEqual(['subscribed', 'invalid-filter', 'invalid-filter']);
  });

  it('refuses with the closed set while the endpoint closes [B-154]', async () => {
    const peer = await opened({ hello: CONSUMER });
    peer.wire.stuck = true;
    await peer.say({ type: 'subscribe', id: 'a' });
    const closed = peer.hub.close();
    await peer.say({ type: 'subscribe', id: 'b' });
    await closed;
    for (const { code } of peer.heard().filter(({ type }) => type === 'error')) expect(CLOSED_SET).toContain(code);
  });

  it('compares integers beyond 2^53 exactly', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say('{"type":"subscribe","id":"s","filter":{"acmecount":9007199254740993}}');
    const text = (id: string, count: string): string => buildWire({ id }).json.replace('{', `{"acmecount":${count},`);
    await peer.say(text('rounds-alike', '9007199254740992'), text('same', '9007199254740993'));
    expect(ids(peer.heard())).toEqual(['same']);
  });

  it('ignores members it does not know, live among them', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 's', live: false, match: 1 });
    await peer.emit(buildWire({ id: 'e' }));
    expect(ids(peer.heard())).toEqual(['e']);
  });

  it('delivers to the connection that sent an Event like to all others', async () => {
    const hub = newHub();
    const [sender, other] = [await opened({ hub }), await opened({ hub, hello: CONSUMER })];
    await other.say({ type: 'subscribe', id: 's' });
    await sender.say({ type: 'subscribe', id: 's' }, buildWire({ id: 'e' }).json);
    expect(ids(sender.heard())).toEqual(['e']);
    expect(ids(other.heard())).toEqual(['e']);
  });
});

describe('unsubscribe', () => {
  it('is answered with its id and ends delivery for it alone [B-163]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 'a' }, { type: 'subscribe', id: 'b', filter: { subject: 'x' } }, { type: 'unsubscribe', id: 'a' });
    expect(peer.heard().at(-1)).toEqual({ type: 'unsubscribed', id: 'a' });
    await peer.emit(buildWire({ id: '1' }), buildWire({ id: '2', subject: 'x' }));
    expect(ids(peer.heard())).toEqual(['2']);
    await peer.say({ type: 'subscribe', id: 'a' });
    expect(peer.heard()).toEqual([{ type: 'subscribed', id: 'a' }]);
  });

  it('is no error for an id that nobody knows, and invalid-request without one', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'unsubscribe', id: 'x' }, { type: 'unsubscribe', id: 5 });
    expect(peer.heard()).toEqual([
      { type: 'unsubscribed', id: 'x' },
      { type: 'error', code: 'invalid-request', detail: expect.any(String) },
    ]);
  });
});
