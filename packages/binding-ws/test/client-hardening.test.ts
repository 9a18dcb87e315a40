import { buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { scripted, takeAll, turn } from './scripted-socket.js';

const emitter = { role: 'both' as const, identity: { agent: 'a1' } };

describe('a hostile endpoint', () => {
  const id = fc.constantFrom('s-1', 's-2', 'r-1', 'e0', 'c1', '', '__proto__');
  const frame = fc.oneof(
    fc.record({ type: fc.constantFrom('hello', 'subscribed', 'unsubscribed', 'subscribe', 'roster', 'closing', 'ping', 'pong', 'nonsense'), id, t: fc.constantFrom('kept-1', 'kept-2', 'alive', null) }),
    fc.record({ type: fc.constant('error'), code: fc.constantFrom('invalid-filter', 'limit-exceeded', 'unauthorized', '', 'x'), id, cause: id }),
    fc.record({ type: fc.constant('replay-exhausted'), sub: id, session: fc.constantFrom('s1', '__proto__'), earliest: fc.record({ epoch: fc.nat(3), seq: fc.nat(9) }) }),
    fc.record({ type: fc.constant('roster'), id, entries: fc.array(fc.record({ session: fc.string() }), { maxLength: 2 }) }),
  );
  const event = fc.record({ seq: fc.nat(5), epoch: fc.nat(2), session: fc.constantFrom('s1', 's2', '__proto__'), capture: fc.constantFrom('metadata', 'full') });
  const message = fc.oneof(
    fc.json(),
    fc.string(),
    frame.map((value) => JSON.stringify(value)),
    frame.map((value) => JSON.stringify(value).slice(0, -1)),
    event.map((value) => buildWire({ ...value, id: `e-${String(value.seq)}` }).json),
  );

  it('makes nothing throw and nothing grow, whatever it says and whenever it goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: fc.constantFrom('CUT', 'WAIT') }), { maxLength: 60 }), async (messages) => {
        const { client, sockets, socket, clock } = scripted({ ...emitter, minBackoffMs: 10, maxBackoffMs: 10, maxReceivedBytes: 50_000, maxQueuedBytes: 5_000 });
        const subscriptions = [client.subscribe({ sessions: ['s1'], from: 'all' }), client.subscribe({ sessions: ['s2'] }), client.subscribe({ match: () => true })];
        const calls = [client.send([buildWire({ id: 'e0' })]), client.command(buildWire({ id: 'c1', type: 'control.pause', seq: undefined, data: undefined })), client.roster()];
        const settled = Promise.allSettled(calls);
        socket().greet();
        for (const each of messages) {
          if (each === 'CUT') socket().end();
          else if (each === 'WAIT') {
            await clock.advance(10);
            if (!socket().isOpen && socket().closedWith === undefined) socket().greet();
          } else if (socket().isOpen) socket().say(each);
        }
        await turn();
        expect(sockets.length).toBeLessThanOrEqual(3 * (1 + messages.length));
        expect(client.stats().queuedBytes).toBeLessThanOrEqual(5_000);
        for (const subscription of subscriptions) subscription.close();
        await client.close();
        await settled;
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('cannot fill the queue of a subscription with messages that are none', async () => {
    const { client, sockets, socket } = scripted({ maxReceivedBytes: 20_000 });
    client.subscribe();
    socket().greet();
    takeAll(socket());
    const first = socket();
    for (let i = 0; i < 1_000 && first.closedWith === undefined; i += 1) first.say('no JSON');
    expect(first.frames('closing')).toEqual([{ type: 'closing', reason: 'overrun', delivered: [] }]);
    expect(client.stats().invalid).toBeLessThan(60);
    expect(sockets).toHaveLength(1);
    await client.close();
  });

  it('cannot fill it with markers either, whatever sessions these name', async () => {
    const { client, socket } = scripted({ maxReceivedBytes: 100_000 });
    client.subscribe();
    socket().greet();
    takeAll(socket());
    const first = socket();
    const marker = { type: 'replay-exhausted', sub: 's-1', session: 's'.repeat(20_000), earliest: { epoch: 0, seq: 1 } };
    let said = 0;
    for (; said < 1_000 && first.closedWith === undefined; said += 1) first.say(marker);
    expect(first.frames('closing')).toEqual([{ type: 'closing', reason: 'overrun', delivered: [] }]);
    expect(said).toBeLessThan(5);
    await client.close();
  });

  it('cannot fill the socket with answers that it does not read', async () => {
    const { client, socket } = scripted();
    socket().greet();
    socket().bufferedAmount = 1_048_577;
    socket().say({ type: 'ping', t: 1 });
    expect(socket().frames('pong')).toEqual([]);
    socket().bufferedAmount = 1_048_576;
    socket().say({ type: 'ping', t: 2 });
    expect(socket().frames('pong')).toEqual([{ type: 'pong', t: 2 }]);
    await client.close();
  });

  it('cannot keep a client trying at full speed', async () => {
    const { client, sockets, socket, clock } = scripted();
    client.subscribe();
    const end = clock.now() + 600_000;
    while (clock.now() < end) {
      if (!socket().isOpen && socket().closedWith === undefined) socket().greet();
      socket().end(1011);
      await clock.advance(1_000);
    }
    // Doubling up to half a minute, half of it by chance.
    expect(sockets.length).toBeLessThan(60);
    await client.close();
  });
});
