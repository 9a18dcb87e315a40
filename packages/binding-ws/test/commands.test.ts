import { createRouter } from '@aepkit/control';
import { wireEvent } from '@aepkit/envelope';
import { buildWire } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { type Client, closeAll, CONSUMER, EMITTER, type Endpoint, endpoint, ids, TOKEN } from './server-support.js';

afterEach(closeAll);

const TARGET = { ...EMITTER, capabilities: { control: { accepts: ['control.cancel'] } } };
const command = (id: string, session = 's1', type = 'control.cancel'): string =>
  wireEvent({ aep: '0.1', id, type, time: '2026-01-01T00:00:00Z', source: 'aep://test/ops', agent: 'ops', session }).json;
const event = (session: string): string => buildWire({ session, source: `aep://test/${session}`, seq: 0 }).json;

interface Scene {
  readonly server: Endpoint;
  readonly target: Client;
  readonly sender: Client;
  readonly watcher: Client;
}

/** A target that claims `s1`, one that sends, and one that watches everything. */
async function scene({ token = true } = {}): Promise<Scene> {
  const server = await endpoint({
    hub: { commands: createRouter() },
    access: token ? { tokens: [{ name: 'all', token: TOKEN, scopes: ['emit', 'observe', 'control'] }] } : {},
  });
  const query = token ? `?access_token=${TOKEN}` : '';
  const target = await server.client({ hello: TARGET, query });
  const sender = await server.client({ hello: CONSUMER, query });
  const watcher = await server.client({ hello: CONSUMER, query });
  watcher.say({ type: 'subscribe', id: 'all' });
  await watcher.until(({ type }) => type === 'subscribed');
  target.say(event('s1'), { type: 'ping' });
  await target.until(({ type }) => type === 'pong');
  return { server, target, sender, watcher };
}

/** Waits until everything a peer sent so far is handled. */
async function flush(...peers: readonly Client[]): Promise<void> {
  for (const peer of peers) {
    const t = `flush ${String(peer.said.length)} ${String(Math.random())}`;
    peer.say({ type: 'ping', t });
    await peer.until((said) => said.type === 'pong' && said.t === t);
  }
}

const errors = (peer: Client): unknown[] => peer.said.filter(({ type }) => type === 'error');

describe('commands over the socket', () => {
  it('reach the one claimant with the bytes they had, and observers behind their commit [C-043, C-044, C-045]', async () => {
    const { server, target, sender, watcher } = await scene();
    const other = await server.client({ hello: TARGET, query: `?access_token=${TOKEN}` });
    other.say(event('s2'));
    await flush(other);
    const text = command('c1').replace('{', '{ \r\n\t').replace('"s1"', '"\\u00731"');
    sender.say(text);
    await watcher.until(({ id }) => id === 'c1');
    await flush(sender, target, other);
    expect(target.texts.filter((each) => each === text)).toHaveLength(1);
    expect(ids(other.said)).toEqual([]);
    expect(errors(sender)).toEqual([]);
    watcher.say({ type: 'subscribe', id: 'again', from: 'all', filter: { session: 's1' } });
    await watcher.until(({ type, id }) => type === 'subscribed' && id === 'again');
    await flush(watcher);
    await watcher.until(() => ids(watcher.said).filter((id) => id === 'c1').length === 2);
  });

  it('are refused to their sender alone, by a frame with their id as cause, and stand in no history [C-033, C-034, C-035, C-037]', async () => {
    const { target, sender, watcher } = await scene();
    sender.say(command('unrouted', 'unclaimed'), command('type', 's1', 'control.pause'));
    await flush(sender);
    expect(errors(sender)).toEqual([
      { type: 'error', cause: 'unrouted', code: 'no-route', detail: expect.any(String) },
      { type: 'error', cause: 'type', code: 'unsupported', detail: expect.any(String) },
    ]);
    watcher.say({ type: 'subscribe', id: 'again', from: 'all' });
    await flush(watcher, target);
    for (const peer of [target, watcher]) {
      expect(errors(peer)).toEqual([]);
      expect(peer.texts.join('')).not.toMatch(/"unrouted"|control\.pause"/);
    }
  });

  it('are refused on a connection without a token, and reach nobody [C-026, C-036]', async () => {
    const { target, sender, watcher } = await scene({ token: false });
    sender.say(command('c1'));
    await flush(sender, target, watcher);
    expect(errors(sender)).toEqual([{ type: 'error', cause: 'c1', code: 'unauthorized', detail: expect.any(String) }]);
    for (const peer of [target, watcher]) expect(peer.texts.join('')).not.toContain('"c1"');
  });

  it('are refused while two connections claim the session, and pass when one is gone [C-040, C-046]', async () => {
    const { server, target, sender } = await scene();
    const twin = await server.client({ hello: TARGET, query: `?access_token=${TOKEN}` });
    twin.say(event('s1'));
    await flush(twin);
    sender.say(command('c1'));
    await flush(sender, target, twin);
    expect(errors(sender)).toMatchObject([{ cause: 'c1', code: 'ambiguous' }]);
    expect([...ids(target.said), ...ids(twin.said)]).toEqual([]);
    twin.ws.terminate();
    while (server.hub.stats().connections > 3) await flush(sender);
    sender.say(command('c1'));
    await target.until(({ id }) => id === 'c1');
    expect(errors(sender)).toHaveLength(1);
  });

  it('are handed over again when they are sent again [C-048]', async () => {
    const { target, sender } = await scene();
    sender.say(command('c1'));
    await flush(sender);
    sender.say(command('c1'));
    await flush(sender, target);
    expect(ids(target.said)).toEqual(['c1', 'c1']);
  });
});
