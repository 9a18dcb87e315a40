import { wireEvent, type WireEvent } from '@aepkit/envelope';
import { HubError, type Ingress, type IngestReceipt } from '@aepkit/hub';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type Machine, newHub, opened, settle } from './server-support.js';

interface Batch {
  readonly ids: readonly string[];
  readonly from: Ingress;
  kept(): void;
  failed(error: unknown): void;
}

/** A peer at a hub whose commits happen when a test says so. */
async function slow(options: Parameters<typeof opened>[0] = {}): Promise<Machine & { readonly batches: Batch[]; readonly state: { room: boolean; refusals: number } }> {
  const hub = newHub();
  const batches: Batch[] = [];
  const state = { room: true, refusals: 0 };
  Object.assign(hub, {
    ingest: (events: readonly WireEvent[], from: Ingress): Promise<IngestReceipt> => {
      if (!state.room || state.refusals-- > 0) return Promise.reject(new HubError('overloaded', 'no room'));
      return new Promise((resolve, reject) => {
        batches.push({ ids: events.map(({ event }) => event.id), from, kept: () => resolve({ admissions: [] }), failed: reject });
      });
    },
  });
  return { ...(await opened({ hub, ...options })), batches, state };
}

const event = (id: string, size = 0): string => buildWire({ id, data: { text: 'x'.repeat(size) } }).json;
const command = (id: string): string =>
  wireEvent({ aep: '0.1', id, type: 'control.cancel', time: '2026-01-01T00:00:00Z', source: 'aep://test/ops', agent: 'ops', session: 's1' }).json;
const PING = (t: unknown): object => ({ type: 'ping', t });

describe('the way in', () => {
  it('takes consecutive Events of a turn as one batch, a command alone, all in order', async () => {
    const peer = await slow();
    await peer.say(event('1'), event('2'), command('c1'), command('c2'), event('3'), { type: 'later' }, event('4'));
    expect(peer.batches.map(({ ids }) => ids)).toEqual([['1', '2'], ['c1'], ['c2'], ['3'], ['4']]);
    expect(peer.batches[0]?.from).toMatchObject({ via: 'connection', connection: { id: peer.connection.id, role: 'both', agent: 'a1', instance: 'i1' } });
  });

  it('does not wait for the commit of one batch ahead of the next', async () => {
    const peer = await slow();
    await peer.say(event('1'));
    await peer.say(event('2'));
    expect(peer.batches.map(({ ids }) => ids)).toEqual([['1'], ['2']]);
  });

  it('bounds a batch by count and size', async () => {
    const peer = await slow();
    await peer.say(...Array.from({ length: 1_500 }, (_, i) => event(String(i))));
    expect(peer.batches.map(({ ids }) => ids.length).every((length) => length <= 1_000)).toBe(true);
    expect(peer.batches.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 1_500 }, (_, i) => String(i)));
    peer.batches.length = 0;
    await peer.say(...Array.from({ length: 5 }, (_, i) => event(String(i), 200_000)));
    expect(peer.batches.map(({ ids }) => ids.length)).toEqual([2, 2, 1]);
  });

  it('answers a ping when the Events ahead of it are kept, and not before', async () => {
    const peer = await slow();
    await peer.say(PING('at once'), event('1'), PING('a'), event('2'), PING('b'), PING('c'));
    expect(peer.heard()).toEqual([{ type: 'pong', t: 'at once' }]);
    const [first, second] = peer.batches;
    second?.kept();
    await settle();
    expect(peer.heard()).toEqual([]);
    first?.kept();
    await settle();
    expect(peer.heard()).toEqual(['a', 'b', 'c'].map((t) => ({ type: 'pong', t })));
  });

  it('never answers a ping behind an Event that was not kept', async () => {
    for (const code of ['unavailable', 'closing'] as const) {
      const peer = await slow();
      await peer.say(event('1'), PING('a'), event('2'), PING('b'));
      peer.batches[0]?.failed(new HubError(code, 'no'));
      await settle();
      peer.batches[1]?.kept();
      await peer.say(PING('c'), event('3'));
      expect(peer.batches).toHaveLength(2);
      expect(peer.heard().filter(({ type }) => type === 'pong')).toEqual([]);
      expect(peer.wire.closed?.code).toBe(code === 'unavailable' ? 1013 : undefined);
    }
  });

  it('keeps the order of its answers: what comes behind a ping waits for the pong', async () => {
    const peer = await slow();
    await peer.say(event('1'), PING('a'), { type: 'subscribe', id: 's' }, event('2'), command('c'), 'odd');
    expect(peer.heard()).toEqual([]);
    expect(peer.batches.map(({ ids }) => ids)).toEqual([['1']]);
    peer.batches[0]?.kept();
    await settle();
    peer.batches[2]?.failed(new HubError('command-refused', 'no', { index: 0, refusal: { type: 'refused', code: 'no-route', detail: 'none' } }));
    await settle();
    expect(peer.heard().map(({ type, cause, code }) => cause ?? code ?? type)).toEqual(['pong', 'subscribed', 'invalid-message', 'c']);
    expect(peer.batches.map(({ ids }) => ids)).toEqual([['1'], ['2'], ['c']]);
  });

  it('lets nothing overtake a batch for which there is no room', async () => {
    const peer = await slow();
    peer.state.room = false;
    await peer.say(event('1'), command('c'));
    await peer.say(event('2'), PING('a'));
    expect(peer.batches).toEqual([]);
    await peer.clock.advance(100);
    expect(peer.batches).toEqual([]);
    peer.state.room = true;
    await peer.clock.advance(20);
    expect(peer.batches.map(({ ids }) => ids)).toEqual([['1'], ['c'], ['2']]);
    for (const { kept } of peer.batches) kept();
    await settle();
    expect(peer.heard()).toEqual([{ type: 'pong', t: 'a' }]);
  });

  it('lets nothing overtake one that is refused for once either', async () => {
    for (const together of [true, false]) {
      const peer = await slow();
      // The hub has room again for the very next call.
      peer.state.refusals = 1;
      await peer.say(event('1'), ...(together ? [command('c')] : []));
      if (!together) await peer.say(command('c'));
      expect(peer.batches).toEqual([]);
      await peer.clock.advance(20);
      expect(peer.batches.map(({ ids }) => ids)).toEqual([['1'], ['c']]);
    }
  });

  it('gives up where there is no room for too long', async () => {
    const peer = await slow();
    peer.state.room = false;
    await peer.say(event('1'), PING('a'));
    await peer.clock.advance(9_980);
    expect(peer.wire.closed).toBeUndefined();
    await peer.clock.advance(40);
    expect(peer.heard()).toEqual([{ type: 'closing', reason: 'unavailable', delivered: [] }]);
    expect(peer.wire.closed?.code).toBe(1013);
    peer.connection.gone();
    expect(peer.clock.pending()).toBe(0);
  });

  it('waits no longer when the peer is gone', async () => {
    const peer = await slow();
    peer.state.room = false;
    await peer.say(event('1'));
    peer.connection.gone();
    expect(peer.clock.pending()).toBe(0);
  });
});

describe('answers', () => {
  it('to the messages of one turn leave together', async () => {
    const peer = await opened();
    peer.wire.writes = 0;
    await peer.say(PING(1), PING(2), 'odd', { type: 'subscribe', id: 's' }, PING(3));
    expect(peer.heard()).toHaveLength(5);
    expect(peer.wire).toMatchObject({ writes: 0, corks: 0 });
    await peer.say(event('e'));
    expect(peer.wire).toMatchObject({ writes: 1, corks: 0 });
  });
});

describe('reading', () => {
  it('stops while too much waits for its commit, and goes on at half of it', async () => {
    const peer = await slow({ binding: { maxUncommittedBytes: 10_000 } });
    await peer.say(event('1', 4_000));
    expect(peer.wire.paused).toBe(false);
    await peer.say(event('2', 4_000), event('3', 4_000));
    expect(peer.wire.paused).toBe(true);
    expect(peer.connection.pendingBytes).toBeGreaterThanOrEqual(12_000);
    peer.batches[0]?.kept();
    await settle();
    expect(peer.wire.paused).toBe(true);
    peer.batches[1]?.kept();
    await settle();
    expect(peer.wire.paused).toBe(false);
    expect(peer.connection.pendingBytes).toBe(0);
    expect(peer.wire.pauses).toBe(1);
  });

  it('stops while messages wait behind a pong', async () => {
    const peer = await slow({ binding: { maxUncommittedBytes: 10_000 } });
    await peer.say(event('1'), PING('a'), { type: 'later' });
    await peer.say(...Array.from({ length: 10 }, (_, i) => event(`w${String(i)}`, 1_000)));
    expect(peer.wire.paused).toBe(true);
    peer.batches[0]?.kept();
    await settle();
    for (const { kept } of peer.batches) kept();
    await settle();
    expect(peer.wire.paused).toBe(false);
  });

  it('stops while too many answers wait to leave, and none is made', async () => {
    const peer = await opened({ binding: { maxBufferedBytes: 1_000 } });
    peer.wire.stuck = true;
    await peer.say(...Array.from({ length: 500 }, (_, i) => ({ type: 'ping', t: i })));
    expect(peer.wire.paused).toBe(true);
    const said = peer.heard();
    expect(said.length).toBeLessThan(60);
    peer.wire.stuck = false;
    peer.wire.buffered = 999;
    peer.connection.relieved();
    await settle();
    expect(peer.heard()).toEqual(Array.from({ length: 500 - said.length }, (_, i) => ({ type: 'pong', t: said.length + i })));
    expect(peer.wire.paused).toBe(true);
    peer.wire.buffered = 500;
    peer.connection.relieved();
    expect(peer.wire.paused).toBe(false);
  });

  it('goes on with the end, whose close frame has to be read', async () => {
    const peer = await slow({ binding: { maxUncommittedBytes: 1_000 } });
    await peer.say(event('1', 2_000));
    expect(peer.wire.paused).toBe(true);
    peer.connection.end('shutdown');
    expect(peer.wire.paused).toBe(false);
  });
});
