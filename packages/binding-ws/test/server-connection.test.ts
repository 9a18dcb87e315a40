import { wireEvent } from '@aepkit/envelope';
import { createRouter } from '@aepkit/control';
import { memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { BOTH, CONSUMER, EMITTER, ids, machine, newHub, opened, principal, settle } from './server-support.js';

const EVENT = buildWire({ id: 'early' }).json;

describe('the opening', () => {
  it('answers a hello with a hello that names one version, and says nothing before [B-055, B-066]', async () => {
    const peer = machine();
    expect(peer.wire.texts).toEqual([]);
    await peer.say({ ...BOTH, versions: ['9.9', '0.1', '0.0'] });
    expect(peer.heard()).toEqual([
      {
        type: 'hello',
        versions: ['0.1'],
        role: 'both',
        identity: { agent: 'aepkit', instance: 'test' },
        capabilities: { filters: ['attr-match'], replay: { buffer: 10_000, all: true }, capture: ['none', 'metadata', 'redacted', 'full'], experimental: {} },
      },
    ]);
    expect(peer.calls).toEqual({ opened: 1, gone: 0 });
  });

  it.each([
    ['an Event', EVENT],
    ['a subscribe', '{"type":"subscribe","id":"s"}'],
    ['a ping', '{"type":"ping","t":1}'],
    ['an unknown frame', '{"type":"later"}'],
    ['text that is not JSON', 'hello'],
    ['an object without a type', '{}'],
    ['an empty message', ''],
  ])('refuses %s as the first message with hello-required, and closes [B-056]', async (_, first) => {
    const peer = machine();
    await peer.say(first, BOTH, EVENT);
    expect(peer.heard()).toEqual([{ type: 'error', code: 'hello-required', detail: expect.any(String) }]);
    expect(peer.wire.closed).toEqual({ code: 1002, reason: 'hello-required' });
    expect(peer.hub.stats()).toMatchObject({ connections: 0, admitted: 0 });
    expect(peer.calls.opened).toBe(1);
  });

  it('refuses a binary first message in the same way [B-056, B-057]', async () => {
    const peer = machine();
    peer.connection.binary();
    await settle();
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'hello-required' }]);
    expect(peer.wire.closed?.code).toBe(1002);
  });

  it('refuses a peer that says nothing when the deadline is over [B-056]', async () => {
    const peer = machine();
    await peer.clock.advance(9_999);
    expect(peer.wire.closed).toBeUndefined();
    await peer.clock.advance(1);
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'hello-required' }]);
    expect(peer.wire.closed).toEqual({ code: 1002, reason: 'hello-required' });
    peer.connection.gone();
    expect(peer.clock.pending()).toBe(0);
  });

  it('takes messages that come right behind the hello, in order and after its answer [B-059]', async () => {
    const peer = machine();
    await peer.say(BOTH, { type: 'subscribe', id: 'one' }, { type: 'ping', t: 1 }, buildWire({ id: 'e1' }).json, { type: 'subscribe', id: 'two', filter: { type: 'x' } });
    expect(peer.heard().map(({ type, id }) => [type, id])).toEqual([
      ['hello', undefined],
      ['subscribed', 'one'],
      ['pong', undefined],
      ['subscribed', 'two'],
      ['tool.requested', 'e1'],
    ]);
  });

  it('refuses a peer without a version in common, naming its own, and closes [B-067]', async () => {
    const peer = machine();
    await peer.say({ ...CONSUMER, versions: ['1.0', '0.2', '0.1.0', ''] });
    expect(peer.heard()).toEqual([{ type: 'error', code: 'version-unsupported', versions: ['0.1'], detail: expect.any(String) }]);
    expect(peer.wire.closed).toEqual({ code: 1002, reason: 'version-unsupported' });
  });

  it.each([[{ versions: [] }], [{ versions: undefined }], [{ versions: '0.1' }], [{ versions: [0.1] }]])('refuses %j as versions in the same way [B-067]', async (change) => {
    const peer = machine();
    await peer.say({ ...CONSUMER, ...change });
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'version-unsupported', versions: ['0.1'] }]);
    expect(peer.wire.closed?.code).toBe(1002);
  });

  it.each([
    ['an unknown role', { ...CONSUMER, role: 'observer' }],
    ['no role', { type: 'hello', versions: ['0.1'] }],
    ['an emitter without an agent', { ...EMITTER, identity: { instance: 'i' } }],
    ['an emitter without an identity', { type: 'hello', versions: ['0.1'], role: 'emitter' }],
    ['both without an agent', { type: 'hello', versions: ['0.1'], role: 'both' }],
    ['an empty agent', { ...EMITTER, identity: { agent: '' } }],
    ['an instance that is no string', { ...EMITTER, identity: { agent: 'a', instance: 1 } }],
    ['an identity that is a list', { ...CONSUMER, identity: [] }],
    ['capabilities that are a text', { ...CONSUMER, capabilities: 'all' }],
  ])('refuses %s [B-069, B-070]', async (_, hello) => {
    const peer = machine();
    await peer.say(hello);
    expect(peer.heard()).toEqual([{ type: 'error', code: 'invalid-hello', detail: expect.any(String) }]);
    expect(peer.wire.closed).toEqual({ code: 1002, reason: 'invalid-hello' });
    expect(peer.hub.stats().connections).toBe(0);
  });

  it('refuses a hello that says something twice', async () => {
    const peer = machine();
    await peer.say('{"type":"hello","versions":["0.1"],"role":"consumer","role":"consumer"}');
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'invalid-hello' }]);
  });

  it.each([
    ['a consumer with neither identity nor capabilities [B-071]', CONSUMER],
    ['null in their place [B-071]', { ...CONSUMER, identity: null, capabilities: null }],
    ['an emitter without an instance [B-209]', { ...EMITTER, identity: { agent: 'a1' } }],
    ['a consumer with an instance [B-072]', { ...CONSUMER, identity: { instance: 'i' } }],
    ['a card of null [B-072, B-177]', { ...EMITTER, identity: { agent: 'a1', card: null } }],
    ['a card that nobody can verify [B-177]', { ...EMITTER, identity: { agent: 'a1', card: { not: ['a', 'JWS'] } } }],
    ['unknown capability keys [B-073]', { ...CONSUMER, capabilities: { telepathy: { range: 3 }, replay: 'odd', filters: 7 } }],
    ['unknown members', { ...CONSUMER, mood: 'good' }],
  ])('takes %s', async (_, hello) => {
    const peer = machine();
    await peer.say(hello, { type: 'ping', t: 1 });
    expect(peer.heard().map(({ type }) => type)).toEqual(['hello', 'pong']);
  });

  it('takes an emitter whose Events are of no category that it declared [B-074]', async () => {
    const peer = await opened({ hello: { ...EMITTER, capabilities: { emits: ['run'] } } });
    await peer.say(buildWire().json);
    expect(peer.heard()).toEqual([]);
    expect(peer.hub.stats().admitted).toBe(1);
  });

  it('refuses a hello above its limit', async () => {
    const peer = machine({ binding: { maxHelloBytes: 200 } });
    await peer.say({ ...CONSUMER, capabilities: { experimental: 'x'.repeat(200) } });
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'limit-exceeded' }]);
    expect(peer.wire.closed?.code).toBe(1002);
  });

  it('is told when the endpoint has too many connections, or goes', async () => {
    const full = machine({ hubOptions: { maxConnections: 1 } });
    full.hub.connect({ sink: { write: () => true, drained: () => Promise.resolve(), exhausted: () => undefined, close: () => undefined }, principal: principal() });
    await full.say(CONSUMER);
    expect(full.heard()).toMatchObject([{ type: 'error', code: 'unavailable' }]);
    expect(full.wire.closed).toEqual({ code: 1013, reason: 'unavailable' });

    const closing = machine();
    await closing.hub.close();
    await closing.say(CONSUMER);
    expect(closing.heard()).toMatchObject([{ type: 'error', code: 'unavailable' }]);
    expect(closing.wire.closed?.code).toBe(1013);
  });

  it('holds to the first hello [B-068]', async () => {
    const peer = await opened({ hello: EMITTER });
    await peer.say({ ...CONSUMER, versions: ['9.9'] }, CONSUMER, { type: 'subscribe', id: 's' }, { type: 'ping' });
    expect(peer.heard()).toEqual([
      { type: 'error', code: 'invalid-request', detail: expect.any(String) },
      { type: 'error', code: 'invalid-request', detail: expect.any(String) },
      { type: 'error', code: 'unauthorized', id: 's', detail: expect.any(String) },
      { type: 'pong' },
    ]);
    expect(peer.wire.closed).toBeUndefined();
  });
});

describe('what the endpoint declares', () => {
  it('states the facts of the hub, replay and roster among them [B-050, B-077, B-097, B-104]', async () => {
    const peer = machine({ hub: newHub({ hubOptions: { commands: createRouter(), experimental: { draws: ['up'] } }, buffer: { perSession: 7 } }) });
    await peer.say(CONSUMER);
    expect(peer.heard()).toMatchObject([{ capabilities: { replay: { buffer: 7, all: true }, roster: {}, experimental: { draws: ['up'] } } }]);
    expect(peer.hub.facts().capabilities).toMatchObject({ replay: { buffer: 7, all: true }, roster: {} });
  });

  it('states the identity it is given, and what the hub says of control', async () => {
    const hub = newHub({ hubOptions: { commands: createRouter(), control: { accepts: [], ack_window_ms: 5 } } });
    const peer = machine({ hub, binding: { identity: { agent: 'acme', instance: 'i' } } });
    await peer.say(CONSUMER);
    expect(peer.heard()).toMatchObject([{ identity: { agent: 'acme', instance: 'i' }, capabilities: { control: { accepts: [], ack_window_ms: 5 } } }]);
  });
});

describe('messages', () => {
  it('goes by the dot in the type [B-006]', async () => {
    const peer = await opened();
    await peer.say('{"type":"subscribe","id":"s"}', buildWire({ id: 'e' }).json, '{"type":"sub.scribe","id":"x"}');
    expect(peer.heard().map(({ type, id, code, cause }) => ({ type, id, code, cause }))).toEqual([
      { type: 'subscribed', id: 's' },
      { type: 'error', code: 'invalid-event', cause: 'x' },
      { type: 'tool.requested', id: 'e' },
    ]);
  });

  it.each(['later', 'subscribe2', 'HELLO', '', 'constructor', '__proto__', 'event'])('drops a frame of type %j without a word and goes on [B-008]', async (type) => {
    const peer = await opened();
    await peer.say({ type, id: 'x', code: 'y' }, { type: 'ping', t: 'after' });
    expect(peer.heard()).toEqual([{ type: 'pong', t: 'after' }]);
    expect(peer.wire.closed).toBeUndefined();
  });

  it('drops frames that only an endpoint sends', async () => {
    const peer = await opened();
    await peer.say(
      { type: 'subscribed', id: 's' },
      { type: 'unsubscribed', id: 's' },
      '{"type":"replay-exhausted","sub":"s","session":"s1","earliest":{"epoch":0,"seq":1}}',
      { type: 'error', code: 'x' },
      { type: 'pong', t: 1 },
      { type: 'ping' },
    );
    expect(peer.heard()).toEqual([{ type: 'pong' }]);
  });

  it('answers what cannot be read, and closes when there was too much of it', async () => {
    const peer = await opened({ binding: { maxFaults: 3 } });
    await peer.say('x', '[]', '{"type":7}');
    expect(peer.heard()).toEqual(Array.from({ length: 3 }, () => ({ type: 'error', code: 'invalid-message', detail: expect.any(String) })));
    await peer.say(BOTH, { type: 'unsubscribe' }, '{"type":"a.b"}');
    expect(peer.heard().map(({ code }) => code)).toEqual(['invalid-request', 'invalid-request', 'invalid-event']);
    await peer.say('x', { type: 'ping' });
    expect(peer.heard()).toMatchObject([{ type: 'error', code: 'too-many-faults' }, { type: 'closing', reason: 'too-many-faults', delivered: [] }]);
    expect(peer.wire.closed).toEqual({ code: 1008, reason: 'too-many-faults' });
  });

  it('refuses a binary message in its turn, never reads it, and closes [B-057]', async () => {
    const peer = await opened();
    peer.connection.text(new TextEncoder().encode('{"type":"ping","t":1}'));
    peer.connection.binary();
    peer.connection.text(new TextEncoder().encode('{"type":"ping","t":2}'));
    await settle();
    expect(peer.heard()).toEqual([
      { type: 'pong', t: 1 },
      { type: 'error', code: 'binary-unsupported', detail: expect.any(String) },
      { type: 'closing', reason: 'binary-unsupported', delivered: [] },
    ]);
    expect(peer.wire.closed).toEqual({ code: 1003, reason: 'binary-unsupported' });
    expect(peer.hub.stats().connections).toBe(0);
  });

  it.each([
    ['a number', '1'],
    ['more digits than a double has', '12345678901234567890123'],
    ['an object', '{"a":[1,{"b":null}]}'],
    ['null', 'null'],
    ['a text', '"a\\u0000b"'],
    ['a fraction', '0.1'],
    ['the other zero', '-0'],
  ])('copies %s back in the pong [B-063]', async (_, t) => {
    const peer = await opened();
    await peer.say(`{"type":"ping","t":${t}}`);
    expect(peer.wire.texts.at(-1)).toBe(`{"type":"pong","t":${t}}`);
  });

  it('sends no frame with a seq of its own [B-010]', async () => {
    const peer = machine({ buffer: { perSession: 2 }, hubOptions: { commands: createRouter() } });
    await peer.emit(...buildSession(6));
    await peer.say(BOTH, { type: 'ping' }, { type: 'roster', id: 'r' }, { type: 'subscribe', id: 's', from: [{ session: 's1', epoch: 0, seq: 0 }] }, { type: 'unsubscribe', id: 'x' }, 'odd');
    peer.connection.end('shutdown');
    const frames = peer.heard().filter(({ type }) => !type.includes('.'));
    expect(new Set(frames.map(({ type }) => type))).toEqual(new Set(['hello', 'pong', 'roster', 'subscribed', 'replay-exhausted', 'unsubscribed', 'error', 'closing']));
    for (const frame of frames) expect(frame).not.toHaveProperty('seq');
  });

  it('puts no frame into the history [B-009]', async () => {
    const peer = await opened();
    await peer.say({ type: 'ping', session: 's1', seq: 1 }, { type: 'closing', reason: 'x', delivered: [] }, { type: 'subscribe', id: 'all', from: 'all' }, { type: 'later', session: 's1', seq: 2 });
    expect(peer.heard().map(({ type }) => type)).toEqual(['pong', 'subscribed']);
    expect(peer.hub.stats()).toMatchObject({ admitted: 0, delivered: 0 });
  });
});

describe('ingest', () => {
  it('keeps an Event as it came, byte for byte', async () => {
    const peer = await opened();
    const text = EVENT.replace('{', '{ "big":12345678901234567890,"esc":"\\u0041", ');
    await peer.say({ type: 'subscribe', id: 's' }, ` ${text} `);
    expect(peer.wire.texts.at(-1)).toBe(text);
  });

  it('answers an Event that is none with invalid-event and its id as cause, and goes on', async () => {
    const peer = await opened();
    await peer.say('{"type":"tool.requested","id":"bad"}', '{"type":"tool.requested"}', '{"type":"tool.requested","id":"twice","id":"twice"}', EVENT);
    expect(peer.heard()).toEqual([
      { type: 'error', code: 'invalid-event', cause: 'bad', detail: expect.any(String) },
      { type: 'error', code: 'invalid-event', detail: expect.any(String) },
      { type: 'error', code: 'invalid-event', cause: 'twice', detail: expect.any(String) },
    ]);
    expect(peer.hub.stats().admitted).toBe(1);
  });

  it('refuses an Event above its limit alone', async () => {
    const peer = await opened({ binding: { maxEventBytes: 1_000 } });
    await peer.say(buildWire({ id: 'large', data: { text: 'é'.repeat(450) } }).json, buildWire({ id: 'fits' }).json);
    expect(peer.heard()).toEqual([{ type: 'error', code: 'invalid-event', cause: 'large', detail: expect.any(String) }]);
    expect(peer.hub.stats().admitted).toBe(1);
  });

  it('refuses every Event of a peer that may not emit', async () => {
    const peer = await opened({ principal: principal('observe'), hello: EMITTER });
    await peer.say(buildWire({ id: 'a' }).json, buildWire({ id: 'b' }).json, { type: 'ping' });
    expect(peer.heard()).toEqual([
      { type: 'error', code: 'unauthorized', cause: 'a', detail: expect.any(String) },
      { type: 'error', code: 'unauthorized', cause: 'b', detail: expect.any(String) },
      { type: 'pong' },
    ]);
    expect(peer.hub.stats().admitted).toBe(0);
  });

  it('takes Events from a consumer too, without a claim', async () => {
    const peer = await opened({ hello: CONSUMER, hubOptions: { commands: createRouter() } });
    await peer.say(EVENT, { type: 'roster', id: 'r' });
    expect(peer.heard()).toEqual([{ type: 'roster', id: 'r', entries: [] }]);
    expect(peer.hub.stats().admitted).toBe(1);
  });

  it('closes with 1013 when nothing can be stored, and sends no pong', async () => {
    const log = memoryLog(new ReplayBuffer({}));
    const peer = await opened({ hub: newHub({ hubOptions: { log: { ...log, mark: () => log.mark(), onCommit: (listener) => log.onCommit(listener), append: () => Promise.reject(new Error('disk full')) } } }) });
    await peer.say({ type: 'subscribe', id: 's' }, EVENT, { type: 'ping', t: 1 });
    expect(peer.heard()).toEqual([{ type: 'subscribed', id: 's' }, { type: 'closing', reason: 'unavailable', delivered: [] }]);
    expect(peer.wire.closed).toEqual({ code: 1013, reason: 'unavailable' });
  });
});

describe('commands', () => {
  const cancel = (id: string, session = 's1') =>
    wireEvent({ aep: '0.1', id, type: 'control.cancel', time: '2026-01-01T00:00:00Z', source: 'aep://test/agent/ops', agent: 'ops', session }).json;

  it('hands a command to the one claimant, as it came, and refuses it where there is none [B-211]', async () => {
    const hub = newHub({ hubOptions: { commands: createRouter() } });
    const target = await opened({ hub, hello: { ...EMITTER, capabilities: { control: { accepts: ['control.cancel'] } } } });
    const deaf = await opened({ hub, hello: { ...EMITTER, capabilities: { control: { accepts: ['control.pause'] } } } });
    const sender = await opened({ hub, hello: CONSUMER });
    await target.say(buildWire({ session: 's1', seq: 0 }).json);
    await deaf.say(buildWire({ session: 's2', source: 'aep://test/2', seq: 0 }).json);
    const spread = cancel('c1').replace('{', '{\r\n ');
    await sender.say(spread, cancel('c2', 's2'), cancel('c3', 's3'), { type: 'ping' });
    expect(target.wire.texts.at(-1)).toBe(spread);
    expect(deaf.heard()).toEqual([]);
    expect(sender.heard()).toEqual([
      { type: 'error', code: 'unsupported', cause: 'c2', detail: expect.any(String) },
      { type: 'error', code: 'no-route', cause: 'c3', detail: expect.any(String) },
      { type: 'pong' },
    ]);
  });

  it('refuses commands in their order among Events', async () => {
    const peer = await opened();
    await peer.say(cancel('c1'), buildWire({ id: 'e1' }).json, cancel('c2'), { type: 'ping', t: 1 });
    expect(peer.heard().map(({ type, cause }) => cause ?? type)).toEqual(['c1', 'c2', 'pong']);
    expect(peer.hub.stats().admitted).toBe(1);
  });

  it('does not hand a command to a peer that reads nothing', async () => {
    const hub = newHub({ hubOptions: { commands: createRouter() } });
    const target = await opened({ hub, hello: { ...EMITTER, capabilities: { control: { accepts: ['control.cancel'] } } } });
    const sender = await opened({ hub, hello: CONSUMER });
    await target.say(buildWire({ session: 's1', seq: 0 }).json);
    target.wire.buffered = 1024 * 1024;
    await sender.say(cancel('c1'));
    expect(target.heard()).toEqual([]);
    expect(sender.heard()).toMatchObject([{ type: 'error', code: 'no-route', cause: 'c1' }]);
    target.wire.buffered = 1024 * 1024 - 1;
    await sender.say(cancel('c1'));
    expect(ids(target.heard())).toEqual(['c1']);
    target.connection.end('idle-timeout');
    target.heard();
    await sender.say(cancel('c1'));
    expect(target.heard()).toEqual([]);
    expect(sender.heard()).toMatchObject([{ type: 'error', code: 'no-route', cause: 'c1' }]);
  });
});
