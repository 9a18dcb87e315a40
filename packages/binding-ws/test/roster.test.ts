import { createRouter } from '@aepkit/control';
import { wireEvent } from '@aepkit/envelope';
import type { Commands, Hub } from '@aepkit/hub';
import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { rosterText } from '../src/roster-text.js';
import { BOTH, CONSUMER, EMITTER, type Machine, newHub, opened, principal } from './server-support.js';

const routed = (): Hub => newHub({ hubOptions: { commands: createRouter() } });
const entries = async (peer: Machine, id = 'r'): Promise<unknown> => {
  await peer.say({ type: 'roster', id });
  const said = peer.heard();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({ type: 'roster', id });
  return said[0]?.entries;
};
const event = (session: string, seq = 0) => buildWire({ session, source: `aep://test/${session}`, agent: 'other', seq }).json;

describe('the roster', () => {
  it('answers a request with its id, and an empty list where nobody claims anything [B-080, B-081]', async () => {
    const hub = routed();
    for (const hello of [CONSUMER, BOTH]) {
      const peer = await opened({ hub, hello });
      await peer.say({ type: 'roster', id: 'r-1' });
      expect(peer.heard()).toEqual([{ type: 'roster', id: 'r-1', entries: [] }]);
    }
  });

  it('lists every live pair of connection and session, and no other [B-083, B-084, B-086, B-091]', async () => {
    const hub = routed();
    const [one, two, peer] = [await opened({ hub, hello: EMITTER }), await opened({ hub, hello: BOTH }), await opened({ hub, hello: CONSUMER })];
    await one.say(event('a'), event('a', 1), event('b'));
    await two.say(event('a', 2));
    await peer.emit(...buildSession(2, { session: 'posted' }));
    await peer.say(event('of-a-consumer'));
    const sessions = async () => ((await entries(peer)) as { session: string }[]).map(({ session }) => session).toSorted();
    expect(await sessions()).toEqual(['a', 'a', 'b']);
    one.connection.gone();
    expect(await sessions()).toEqual(['a']);
    two.connection.end('idle-timeout');
    expect(await sessions()).toEqual([]);
  });

  it('takes what it says from the hello, to the digit, and adds nothing [B-087, B-088, B-089, B-090, B-095]', async () => {
    const hub = routed();
    const control = '{"accepts":["control.cancel"],"ack_window_ms":10000,"unknown":{"big":12345678901234567890,"none":null}}';
    const full = `{"type":"hello","versions":["0.1"],"role":"emitter","identity":{"agent":"declared","instance":"i9","card":null},"capabilities":{"control":${control},"emits":["run","x"],"capture":["none"],"secret":1}}`;
    const peer = await opened({ hub, hello: CONSUMER });
    const rich = await opened({ hub, hello: EMITTER });
    rich.connection.gone();
    const raw = await openedRaw(hub, full);
    await raw.say(event('s'));
    const bare = await opened({ hub, hello: { ...EMITTER, identity: { agent: 'bare' } } });
    await bare.say(event('t'));
    await peer.say({ type: 'subscribe', id: 'low', capture: 'none' }, { type: 'roster', id: 'r' });
    expect(peer.wire.texts.at(-1)).toBe(
      `{"type":"roster","id":"r","entries":[{"session":"s","agent":"declared","instance":"i9","control":${control},"emits":["run","x"]},{"session":"t","agent":"bare"}]}`,
    );
  });

  it('is refused to an emitter, and to who may not observe, and the connection stays [B-081, B-082]', async () => {
    const hub = routed();
    for (const peer of [await opened({ hub, hello: EMITTER }), await opened({ hub, hello: CONSUMER, principal: principal('emit') })]) {
      await peer.say({ type: 'roster', id: 'r' }, { type: 'ping' });
      expect(peer.heard()).toEqual([{ type: 'error', id: 'r', code: 'unauthorized', detail: expect.any(String) }, { type: 'pong' }]);
    }
  });

  it('is a fresh snapshot each time, and comes only when asked for [B-093, B-094]', async () => {
    const hub = routed();
    const [peer, emitter] = [await opened({ hub, hello: CONSUMER }), await opened({ hub, hello: EMITTER })];
    expect(await entries(peer, '1')).toEqual([]);
    await emitter.say(event('a'));
    emitter.connection.gone();
    const next = await opened({ hub, hello: EMITTER });
    await next.say(event('b'));
    expect(peer.heard()).toEqual([]);
    expect(await entries(peer, '2')).toMatchObject([{ session: 'b' }]);
    expect(await entries(peer, '3')).toMatchObject([{ session: 'b' }]);
  });

  it('changes nothing about commands [B-092]', async () => {
    const answers = async (ask: boolean): Promise<unknown> => {
      const hub = routed();
      const [peer, target] = [await opened({ hub, hello: CONSUMER }), await opened({ hub, hello: { ...EMITTER, capabilities: { control: { accepts: ['control.cancel'] } } } })];
      await target.say(event('s1'));
      if (ask) await entries(peer);
      const command = (id: string, type: string, session: string) =>
        wireEvent({ aep: '0.1', id, type, time: '2026-01-01T00:00:00Z', source: 'aep://test/ops', agent: 'ops', session }).json;
      await peer.say(command('1', 'control.cancel', 's1'), command('2', 'control.pause', 's1'), command('3', 'control.cancel', 's2'));
      return [peer.heard(), target.heard()];
    };
    expect(await answers(true)).toEqual(await answers(false));
  });

  it('goes unanswered where it is not announced', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'roster', id: 'r' }, { type: 'roster' }, { type: 'ping' });
    expect(peer.heard().map(({ type }) => type)).toEqual(['error', 'pong']);
    expect(peer.hub.facts().capabilities.roster).toBeUndefined();
    const emitter = await opened({ hello: EMITTER });
    await emitter.say({ type: 'roster', id: 'r' }, { type: 'ping' });
    expect(emitter.heard()).toEqual([{ type: 'pong' }]);
  });

  it('needs an id', async () => {
    const peer = await opened({ hub: routed(), hello: CONSUMER });
    await peer.say({ type: 'roster' }, { type: 'roster', id: 1 }, { type: 'roster', id: '' });
    expect(peer.heard()).toEqual(Array.from({ length: 3 }, () => ({ type: 'error', code: 'invalid-request', detail: expect.any(String) })));
  });

  it('is refused whole where it is larger than its limit', async () => {
    const commands: Commands = { ...createRouter(), roster: () => Array.from({ length: 50 }, (_, i) => ({ session: `s${String(i)}`, agent: 'x'.repeat(40) })) };
    const hub = newHub({ hubOptions: { commands } });
    const peer = await opened({ hub, hello: CONSUMER, binding: { maxRosterBytes: 2_000 } });
    await peer.say({ type: 'roster', id: 'r' });
    expect(peer.heard()).toEqual([{ type: 'error', id: 'r', code: 'limit-exceeded', detail: expect.stringContaining('2000') }]);
  });

  it('counts its bytes', () => {
    const text = rosterText('é', [{ session: 'é' }, { session: 'b' }], 1_000) ?? '';
    const bytes = Buffer.byteLength(text);
    expect(rosterText('é', [{ session: 'é' }, { session: 'b' }], bytes)).toBe(text);
    expect(rosterText('é', [{ session: 'é' }, { session: 'b' }], bytes - 1)).toBeUndefined();
  });
});

async function openedRaw(hub: Hub, hello: string): Promise<Machine> {
  const { machine } = await import('./server-support.js');
  const made = machine({ hub });
  await made.say(hello);
  return made;
}
