import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { CONSUMER, EMITTER, machine, opened, settle } from './server-support.js';

describe('liveness', () => {
  it('pings every 30 s, by frame and by protocol [B-064]', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.clock.advance(29_999);
    expect(peer.heard()).toEqual([]);
    await peer.clock.advance(1);
    expect(peer.heard()).toEqual([{ type: 'ping', t: expect.any(Number) }]);
    expect(peer.wire.pings).toBe(1);
    peer.connection.alive();
    await peer.clock.advance(30_000);
    expect(peer.heard()).toHaveLength(1);
    expect(peer.wire.pings).toBe(2);
  });

  it('ends a peer that is silent for 90 s, and takes it out of the hub [B-064]', async () => {
    const peer = await opened({ hello: EMITTER });
    await peer.clock.advance(90_000);
    expect(peer.wire.closed).toBeUndefined();
    peer.heard();
    await peer.clock.advance(1);
    expect(peer.heard()).toEqual([{ type: 'closing', reason: 'idle-timeout', delivered: [] }]);
    expect(peer.wire.closed).toEqual({ code: 1008, reason: 'idle-timeout' });
    expect(peer.hub.stats().connections).toBe(0);
    await peer.clock.advance(10_000);
    expect(peer.wire.destroyed).toBe(true);
  });

  it('counts from the last thing that came in, whatever it was', async () => {
    const peer = await opened();
    await peer.clock.advance(80_000);
    peer.connection.alive();
    await peer.clock.advance(90_000);
    expect(peer.wire.closed).toBeUndefined();
    await peer.clock.advance(1);
    expect(peer.wire.closed?.reason).toBe('idle-timeout');
  });

  it('looks twice, as what came in while this process stood still is not read yet', async () => {
    const peer = await opened();
    for (let i = 0; i < 3; i++) {
      await peer.clock.advance(90_000);
      peer.connection.alive();
    }
    expect(peer.wire.closed).toBeUndefined();
    peer.connection.probe();
    await peer.clock.advance(5_000);
    peer.connection.alive();
    await peer.clock.advance(10);
    expect(peer.wire.closed).toBeUndefined();
  });

  it('does not take a peer for dead that it does not read', async () => {
    const hub = Object.assign(machine().hub, { ingest: () => new Promise<never>(() => undefined) });
    const peer = await opened({ hub, binding: { maxUncommittedBytes: 1_000 } });
    await peer.say(buildWire({ data: { text: 'x'.repeat(2_000) } }).json);
    expect(peer.wire.paused).toBe(true);
    await peer.clock.advance(300_000);
    expect(peer.wire.closed).toBeUndefined();
  });

  it('takes a peer for dead that neither reads nor writes', async () => {
    const peer = await opened();
    peer.wire.buffered = 2 * 1024 * 1024;
    await peer.say({ type: 'ping' });
    expect(peer.wire.paused).toBe(true);
    await peer.clock.advance(90_001);
    expect(peer.wire.closed?.reason).toBe('idle-timeout');
    expect(peer.wire.pings).toBe(0);
  });

  it('ends a message that takes too long, and lets a slow one be', async () => {
    const peer = await opened();
    peer.wire.unfinished = { bytes: 10, since: peer.clock.now() };
    for (let i = 0; i < 59; i++) {
      await peer.clock.advance(1_000);
      peer.connection.alive();
    }
    expect(peer.wire.closed).toBeUndefined();
    peer.wire.unfinished = { bytes: 10, since: peer.clock.now() };
    await peer.clock.advance(2_000);
    peer.connection.alive();
    expect(peer.wire.closed).toBeUndefined();
    for (let i = 0; i < 60; i++) {
      await peer.clock.advance(1_000);
      peer.connection.alive();
    }
    expect(peer.wire.closed).toEqual({ code: 1008, reason: 'message-timeout' });
  });

  it('can be switched off', async () => {
    const peer = await opened({ binding: { pingMs: Infinity, idleTimeoutMs: Infinity, messageTimeoutMs: Infinity, probeTimeoutMs: Infinity } });
    expect(peer.clock.pending()).toBe(0);
    peer.connection.probe();
    expect(peer.clock.pending()).toBe(0);
    const silent = machine({ binding: { helloTimeoutMs: Infinity } });
    expect(silent.clock.pending()).toBe(0);
  });
});

describe('a probe', () => {
  it('asks at once, and ends a peer that does not answer', async () => {
    const peer = await opened({ hello: EMITTER });
    peer.connection.probe();
    peer.connection.probe();
    expect(peer.heard()).toEqual([{ type: 'ping', t: expect.any(Number) }]);
    expect(peer.wire.pings).toBe(1);
    await peer.clock.advance(5_000);
    expect(peer.wire.closed).toBeUndefined();
    await peer.clock.advance(1);
    expect(peer.wire.closed?.reason).toBe('idle-timeout');
  });

  it('leaves a slow one that still reads, and ends one that does not', async () => {
    for (const [full, left, reason] of [[100_000, 100_000, 'idle-timeout'], [100_000, 99_999, undefined], [100, 0, 'idle-timeout']] as const) {
      const peer = await opened({ hello: EMITTER });
      peer.wire.buffered = full;
      peer.connection.probe();
      expect(peer.wire.pings).toBe(full > 65_536 ? 0 : 1);
      peer.wire.buffered = left;
      await peer.clock.advance(5_001);
      expect(peer.wire.closed?.reason).toBe(reason);
    }
  });

  it('leaves one that answers, even in the same millisecond, and may be repeated', async () => {
    const peer = await opened({ hello: EMITTER });
    for (let i = 0; i < 2; i++) {
      peer.connection.probe();
      peer.connection.alive();
      await peer.clock.advance(5_001);
      expect(peer.wire.closed).toBeUndefined();
    }
    peer.connection.end('shutdown');
    peer.heard();
    peer.connection.probe();
    await settle();
    expect(peer.heard()).toEqual([]);
  });
});
