import type { CloseReason, Sink } from '@aepkit/hub';
import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { closingText } from '../src/closing-text.js';
import { BOTH, CONSUMER, ids, newHub, opened, settle } from './server-support.js';

describe('the end of a connection', () => {
  it('is announced with the reason and the positions, then closes [B-060, B-061]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 'a' }, { type: 'subscribe', id: 'b', filter: { session: 'two' } });
    await peer.emit(...buildSession(3), ...buildSession(2, { session: 'two', epoch: 4, first: 8 }));
    peer.heard();
    await peer.hub.close();
    const said = peer.heard();
    expect(said).toHaveLength(1);
    expect(Object.keys(said[0] ?? {})).toEqual(['type', 'reason', 'delivered']);
    expect(said[0]).toMatchObject({ type: 'closing', reason: 'shutdown' });
    expect(said[0]?.delivered).toEqual(
      expect.arrayContaining([
        { sub: 'a', session: 's1', epoch: 0, seq: 2 },
        { sub: 'a', session: 'two', epoch: 4, seq: 9 },
        { sub: 'b', session: 'two', epoch: 4, seq: 9 },
      ]),
    );
    expect(said[0]?.delivered).toHaveLength(3);
    expect(peer.wire.closed).toEqual({ code: 1001, reason: 'shutdown' });
  });

  it('lists nothing that still waits, and throws it away [B-061]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 'a' });
    peer.wire.stuck = true;
    await peer.emit(buildWire({ seq: 1, data: { text: 'x'.repeat(70_000) } }));
    peer.wire.stuck = false;
    await peer.emit(buildWire({ seq: 2 }));
    peer.heard();
    peer.connection.end('idle-timeout');
    expect(peer.heard()).toEqual([{ type: 'closing', reason: 'idle-timeout', delivered: [{ sub: 'a', session: 's1', epoch: 0, seq: 1 }] }]);
    peer.wire.buffered = 0;
    peer.connection.relieved();
    await peer.emit(buildWire({ seq: 3 }));
    expect(peer.heard()).toEqual([]);
  });

  it('takes the peer out of the hub at once, and destroys a socket that lets nothing out', async () => {
    const peer = await opened();
    peer.connection.end('idle-timeout');
    expect(peer.hub.stats().connections).toBe(0);
    expect(peer.calls).toEqual({ opened: 1, gone: 0 });
    await peer.clock.advance(9_999);
    expect(peer.wire.destroyed).toBe(false);
    await peer.clock.advance(1);
    expect(peer.wire.destroyed).toBe(true);
    peer.connection.gone();
    expect(peer.calls).toEqual({ opened: 1, gone: 1 });
    expect(peer.clock.pending()).toBe(0);
  });

  it('looks at nothing that still comes', async () => {
    const peer = await opened();
    peer.connection.end('shutdown');
    peer.heard();
    await peer.say(buildWire().json, { type: 'ping' });
    peer.connection.binary();
    await settle();
    expect(peer.heard()).toEqual([]);
    expect(peer.hub.stats().admitted).toBe(0);
    peer.connection.gone();
    expect(peer.clock.pending()).toBe(0);
  });

  it('follows the close of the peer', async () => {
    const peer = await opened();
    await peer.say({ type: 'subscribe', id: 's' });
    peer.connection.gone();
    peer.connection.gone();
    expect(peer.calls.gone).toBe(1);
    expect(peer.hub.stats()).toMatchObject({ connections: 0, subscriptions: 0, closed: { peer: 1 } });
    expect(peer.clock.pending()).toBe(0);
  });

  it('comes from the wire where the peer breaks the protocol', async () => {
    const peer = await opened();
    peer.connection.leaving();
    peer.connection.leaving();
    await settle();
    expect(peer.heard()).toEqual([]);
    expect(peer.hub.stats().connections).toBe(0);
    await peer.clock.advance(10_000);
    expect(peer.wire.destroyed).toBe(true);
  });

  it('starts with the close frame of the peer, behind the messages ahead of it, and waits for no answer', async () => {
    const peer = await opened({ binding: { maxBufferedBytes: 1_000 } });
    peer.wire.buffered = 2_000;
    peer.connection.text(new TextEncoder().encode(buildWire().json));
    peer.connection.text(new TextEncoder().encode(buildWire().json));
    peer.connection.leaving();
    peer.connection.text(new TextEncoder().encode(buildWire().json));
    await settle();
    expect(peer.hub.stats()).toMatchObject({ admitted: 2, connections: 0 });
    expect(peer.wire.closed).toBeUndefined();
    await peer.clock.advance(10_000);
    expect(peer.wire.destroyed).toBe(true);
    const { machine } = await import('./server-support.js');
    const early = machine();
    early.connection.leaving();
    await settle();
    expect(early.calls.opened).toBe(1);
    expect(early.heard()).toEqual([]);
  });

  it('goes on behind the closing of a peer, for a while', async () => {
    const peer = await opened();
    await peer.say({ type: 'closing', reason: 'bye', delivered: [] }, buildWire().json, { type: 'ping' });
    expect(peer.heard()).toEqual([{ type: 'pong' }]);
    expect(peer.hub.stats().admitted).toBe(1);
    await peer.clock.advance(10_000);
    expect(peer.wire.destroyed).toBe(true);
  });

  it('is a hang-up where nothing was said yet', async () => {
    const { machine } = await import('./server-support.js');
    const peer = machine();
    peer.connection.end('shutdown');
    expect(peer.heard()).toEqual([]);
    expect(peer.wire.closed).toEqual({ code: 1001, reason: 'shutdown' });
    expect(peer.calls.opened).toBe(1);
  });

  it.each<[CloseReason, number]>([
    ['shutdown', 1001],
    ['slow-consumer', 1008],
    ['replay-stalled', 1008],
    ['replay-evicted', 1008],
    ['unavailable', 1013],
    ['internal-error', 1011],
    ['replay-done', 1000],
  ])('by the hub as %s has the code %d', async (reason, code) => {
    const hub = newHub();
    let sink: Sink | undefined;
    const connect = hub.connect.bind(hub);
    hub.connect = (options) => {
      sink = options.sink;
      return connect(options);
    };
    const peer = await opened({ hub });
    sink?.close(reason, [{ sub: 's', session: 'x', epoch: 1, seq: 2 }]);
    expect(peer.heard()).toEqual([{ type: 'closing', reason, delivered: [{ sub: 's', session: 'x', epoch: 1, seq: 2 }] }]);
    expect(peer.wire.closed).toEqual({ code, reason });
    expect(sink?.write({ deliveries: [], encoded: () => new Uint8Array() })).toBe(false);
    await sink?.drained();
    sink?.exhausted({ session: 's', epoch: 0, seq: 0 }, 'x');
    sink?.close('shutdown', []);
    expect(peer.heard()).toEqual([]);
  });

  it('tells the app of a fault of this side and closes with 1011', async () => {
    const incidents: unknown[] = [];
    const peer = await opened({
      hub: Object.assign(newHub(), { ingest: () => Promise.reject(new Error('odd')) }),
      binding: {
        onIncident: (incident) => {
          incidents.push(incident);
          throw new Error('a log that fails');
        },
      },
    });
    await peer.say(buildWire().json, { type: 'ping' });
    expect(peer.heard()).toEqual([{ type: 'closing', reason: 'internal-error', delivered: [] }]);
    expect(peer.wire.closed?.code).toBe(1011);
    expect(incidents).toMatchObject([{ connection: peer.connection.id, error: { message: 'odd' } }]);
  });
});

describe('a slow consumer', () => {
  it('loses debug and info, is closed with its positions for the rest, and resumes exactly [B-181, B-226]', async () => {
    const hub = newHub({ hubOptions: { maxQueueBytes: 20_000 } });
    const peer = await opened({ hub, hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 's' });
    const session = buildSession(40, { severity: 'notice', data: { text: 'x'.repeat(2_000) } });
    await peer.emit(...session.slice(0, 2));
    peer.wire.stuck = true;
    peer.wire.buffered = 70_000;
    await peer.emit(...session.slice(2, 4));
    expect(ids(peer.heard())).toEqual(session.slice(0, 4).map(({ event }) => event.id));
    for (const wire of session.slice(4)) await peer.emit(wire);
    const said = peer.heard();
    expect(said).toEqual([{ type: 'closing', reason: 'slow-consumer', delivered: [{ sub: 's', session: 's1', epoch: 0, seq: 3 }] }]);
    expect(peer.wire.closed).toEqual({ code: 1008, reason: 'slow-consumer' });

    const again = await opened({ hub, hello: CONSUMER });
    const { session: name, epoch, seq } = (said[0]?.delivered as { session: string; epoch: number; seq: number }[])[0] ?? {};
    await again.say({ type: 'subscribe', id: 's', from: [{ session: name, epoch, seq }] });
    await settle(20);
    expect(ids(again.heard())).toEqual(session.slice(4).map(({ event }) => event.id));
  });

  it('costs no more than its bound of Events that may be dropped, and keeps its connection', async () => {
    const hub = newHub({ hubOptions: { maxQueueBytes: 20_000 } });
    const peer = await opened({ hub, hello: BOTH });
    await peer.say({ type: 'subscribe', id: 's' });
    peer.wire.buffered = 70_000;
    await peer.emit(...buildSession(1));
    for (const wire of buildSession(40, { data: { text: 'x'.repeat(2_000) } })) await peer.emit(wire);
    expect(peer.wire.closed).toBeUndefined();
    expect(hub.stats().queuedBytes).toBeLessThanOrEqual(20_000);
    expect(hub.stats().dropped).toBeGreaterThan(20);
  });

  it('keeps nobody waiting for room when it is gone', async () => {
    const hub = newHub();
    let sink: Sink | undefined;
    const connect = hub.connect.bind(hub);
    hub.connect = (options) => {
      sink = options.sink;
      return connect(options);
    };
    const peer = await opened({ hub });
    peer.wire.buffered = 70_000;
    let settled = 0;
    const wait = async (): Promise<void> => {
      await sink?.drained();
      settled++;
    };
    const waiting = [wait(), wait()];
    await settle();
    expect(settled).toBe(0);
    peer.connection.gone();
    await Promise.all(waiting);
    expect(settled).toBe(2);
  });

  it('is written to again when half of its mark has left', async () => {
    const peer = await opened({ hello: CONSUMER, binding: { highWaterMarkBytes: 1_000 } });
    await peer.say({ type: 'subscribe', id: 's' });
    peer.heard();
    peer.wire.buffered = 1_000;
    await peer.emit(buildWire({ id: '1' }));
    await peer.emit(buildWire({ id: '2' }));
    expect(ids(peer.heard())).toEqual(['1']);
    peer.wire.buffered = 501;
    peer.connection.relieved();
    await settle();
    expect(ids(peer.heard())).toEqual([]);
    peer.wire.buffered = 500;
    peer.connection.relieved();
    await settle();
    expect(ids(peer.heard())).toEqual(['2']);
  });
});

describe('the text of a closing', () => {
  it('keeps the order and stays below a bound', () => {
    const delivered = Array.from({ length: 200 }, (_, seq) => ({ sub: 's', session: `${String(seq)}${'x'.repeat(1_000)}`, epoch: 0, seq }));
    const text = closingText('shutdown', delivered);
    expect(text.length).toBeLessThan(66_000);
    const listed = (JSON.parse(text) as { delivered: { seq: number }[] }).delivered;
    expect(listed.length).toBeGreaterThan(50);
    expect(listed).toEqual(delivered.slice(0, listed.length));
    expect(closingText('x', [{ ...delivered[0], sub: 'a', session: 'b', epoch: 1, seq: 2, extra: 1 } as never])).toBe(
      '{"type":"closing","reason":"x","delivered":[{"sub":"a","session":"b","epoch":1,"seq":2}]}',
    );
  });
});
