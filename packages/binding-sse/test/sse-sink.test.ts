import type { DeliveryBatch, Encoder } from '@aepkit/hub';
import { buildWire, manualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import type { NodeOutgoing } from '../src/node-outlet.js';
import { nodeOutlet } from '../src/node-outlet.js';
import { sseEncoder } from '../src/server.js';
import { sseSink } from '../src/sse-sink.js';
import { webOutlet } from '../src/web-outlet.js';

const decoder = new TextDecoder();

/** A response whose bytes leave only when the test says so. */
function fakeResponse(options: { readonly tellsCallbacks?: boolean } = {}) {
  const listeners = new Map<string, (() => void)[]>();
  const waiting: { bytes: Uint8Array; written: (() => void) | undefined }[] = [];
  const state = { sent: '', head: undefined as Record<string, unknown> | undefined, ended: false, destroyed: false, writes: 0 };
  const tell = (event: string): void => {
    for (const listener of listeners.get(event) ?? []) listener();
  };
  const accept = (bytes: Uint8Array, written?: () => void): void => {
    if (state.ended || state.destroyed) throw new Error('write after the end');
    state.writes += 1;
    state.sent += decoder.decode(bytes);
    waiting.push({ bytes, written });
  };
  const outgoing: NodeOutgoing & { readonly state: typeof state; drain(): void; disconnect(): void } = {
    state,
    headersSent: false,
    shouldKeepAlive: true,
    get destroyed() {
      return state.destroyed;
    },
    get writableLength() {
      return waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    },
    writeHead(status, headers) {
      state.head = { status, ...headers };
    },
    write(bytes, written) {
      accept(bytes, written);
      return false;
    },
    end(bytes) {
      accept(bytes);
      state.ended = true;
    },
    destroy() {
      if (state.destroyed) return;
      state.destroyed = true;
      waiting.length = 0;
      tell('close');
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    drain() {
      for (const { written } of waiting.splice(0)) if (options.tellsCallbacks !== false) written?.();
      tell('drain');
      if (state.ended && !state.destroyed) this.destroy();
    },
    disconnect() {
      this.destroy();
    },
  };
  return outgoing;
}

function setUp(options: { readonly tellsCallbacks?: boolean; readonly heartbeatMs?: number; readonly highWaterMarkBytes?: number } = {}) {
  const clock = manualClock();
  const response = fakeResponse(options);
  let disconnects = 0;
  const sink = sseSink(
    {
      heartbeatMs: options.heartbeatMs ?? 15_000,
      highWaterMarkBytes: options.highWaterMarkBytes ?? 1_000,
      closeGraceMs: 2_000,
      drainMs: 30_000,
      now: () => clock.now(),
      timers: { setTimeout: (callback, ms) => clock.setTimeout(callback, ms), clearTimeout: (timer) => clock.clearTimeout(timer as number) },
    },
    (events) => nodeOutlet(response, { 'Content-Type': 'text/event-stream' }, events),
  );
  const start = (...comments: string[]): void =>
    sink.start(comments, () => {
      disconnects += 1;
    });
  return { clock, response, sink, start, disconnects: () => disconnects };
}

/** A batch of one Event of about `size` bytes. */
function batchOf(size = 100): DeliveryBatch & { text: string } {
  const event = buildWire({ seq: 1, data: { text: 'x'.repeat(size) } });
  const bytes = sseEncoder(event);
  return { deliveries: [{ event }], encoded: (encoder: Encoder) => (encoder === sseEncoder ? bytes : encoder(event)), text: decoder.decode(bytes) };
}

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  return done;
};

describe('sseSink', () => {
  it('sends the head and the first comments at once [B-220]', () => {
    const { response, start } = setUp();
    start('stream', 'last-event-id-ignored');
    expect(response.state.head).toEqual({ status: 200, 'Content-Type': 'text/event-stream' });
    expect(response.state.sent).toBe(': stream\n\n: last-event-id-ignored\n\n');
    expect(response.shouldKeepAlive).toBe(false);
  });

  it('says that it is full when bytes wait, and took the batch all the same', () => {
    const { response, sink, start } = setUp();
    start();
    response.drain();
    const batch = batchOf(500);
    expect(sink.write(batch)).toBe(true);
    expect(sink.write(batch)).toBe(false);
    expect(response.state.sent).toBe(batch.text.repeat(2));
  });

  it.each([true, false])('waits until a full response drains, and sends nothing a second time (write callbacks: %s)', async (tellsCallbacks) => {
    const { response, sink, start } = setUp({ tellsCallbacks });
    start();
    const batch = batchOf(2_000);
    expect(sink.write(batch)).toBe(false);
    const drained = sink.drained();
    expect(sink.drained()).toBe(drained);
    expect(await settled(drained)).toBe(false);
    response.drain();
    expect(await settled(drained)).toBe(true);
    expect(response.state.sent).toBe(batch.text);
  });

  it('does not wait for ever when a full response closes instead of draining', async () => {
    const { response, sink, start, disconnects } = setUp();
    start();
    sink.write(batchOf(2_000));
    const drained = sink.drained();
    response.disconnect();
    expect(await settled(drained)).toBe(true);
    expect(disconnects()).toBe(1);
  });

  it('has nothing to wait for where it is not full', async () => {
    const { sink, start } = setUp();
    start();
    expect(await settled(sink.drained())).toBe(true);
  });

  it('writes nothing behind a disconnect, and leaves no timer', async () => {
    const { clock, response, sink, start, disconnects } = setUp();
    start('stream');
    response.disconnect();
    const { writes } = response.state;
    expect(sink.write(batchOf())).toBe(false);
    sink.exhausted({ session: 's1', epoch: 0, seq: 1 }, 'stream');
    sink.close('shutdown', []);
    await clock.advance(120_000);
    expect(response.state.writes).toBe(writes);
    expect(clock.pending()).toBe(0);
    expect(disconnects()).toBe(1);
    expect(sink.over).toBe(true);
  });

  it('writes nothing behind a close', async () => {
    const { clock, response, sink, start } = setUp();
    start();
    sink.close('shutdown', []);
    const { sent } = response.state;
    expect(sink.write(batchOf())).toBe(false);
    sink.exhausted({ session: 's1', epoch: 0, seq: 1 }, 'stream');
    sink.close('slow-consumer', []);
    await clock.advance(1_000);
    expect(response.state.sent).toBe(sent);
  });

  it('writes the marker as a comment [B-045]', () => {
    const { response, sink, start } = setUp();
    start();
    sink.exhausted({ session: 'a b\n', epoch: 3, seq: 17 }, 'stream');
    expect(response.state.sent).toBe(': replay-exhausted a b%0A 3:17\n\n');
  });

  it.each([
    ['shutdown', 'shutting-down'],
    ['slow-consumer', 'slow-consumer'],
    ['replay-stalled', 'replay-stalled'],
    ['replay-evicted', 'replay-evicted'],
    ['unavailable', 'unavailable'],
    ['replay-done', 'replay-done'],
    ['internal-error', 'internal-error'],
  ] as const)('says goodbye for %s and ends', (reason, text) => {
    const { clock, response, sink, start } = setUp();
    start();
    response.drain();
    sink.close(reason, []);
    expect(response.state.sent).toBe(`: ${text}\n\n`);
    expect(response.state.ended).toBe(true);
    response.drain();
    expect(clock.pending()).toBe(0);
  });

  it('destroys a response that does not get its end out in time [B-181, B-226]', async () => {
    const { clock, response, sink, start, disconnects } = setUp();
    start();
    sink.write(batchOf(2_000));
    sink.close('slow-consumer', []);
    await clock.advance(1_999);
    expect(response.state.destroyed).toBe(false);
    await clock.advance(1);
    expect(response.state.destroyed).toBe(true);
    expect(disconnects()).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('gives the rest of a complete replay more time', async () => {
    const { clock, response, sink, start } = setUp();
    start();
    sink.write(batchOf(2_000));
    sink.close('replay-done', []);
    await clock.advance(29_999);
    expect(response.state.destroyed).toBe(false);
    await clock.advance(1);
    expect(response.state.destroyed).toBe(true);
  });

  describe('heartbeat', () => {
    it('pings a silent stream, and never lets the silence grow beyond the interval [B-046]', async () => {
      const { clock, response, start } = setUp();
      start();
      response.drain();
      await clock.advance(14_999);
      expect(response.state.sent).toBe('');
      await clock.advance(1);
      expect(response.state.sent).toBe(': ping\n\n');
      await clock.advance(15_000);
      expect(response.state.sent).toBe(': ping\n\n'.repeat(2));
    });

    it('counts from the last write', async () => {
      const { clock, response, sink, start } = setUp({ highWaterMarkBytes: 1_000_000 });
      start();
      const batch = batchOf();
      await clock.advance(10_000);
      sink.write(batch);
      await clock.advance(14_999);
      expect(response.state.sent).toBe(batch.text);
      await clock.advance(1);
      expect(response.state.sent).toBe(`${batch.text}: ping\n\n`);
    });

    it('adds nothing to a full response', async () => {
      const { clock, response, sink, start } = setUp();
      start();
      sink.write(batchOf(2_000));
      const { writes } = response.state;
      await clock.advance(120_000);
      expect(response.state.writes).toBe(writes);
      response.drain();
      await clock.advance(15_000);
      expect(response.state.sent.endsWith(': ping\n\n')).toBe(true);
    });

    it('can be switched off', async () => {
      const { clock, start } = setUp({ heartbeatMs: Infinity });
      start();
      expect(clock.pending()).toBe(0);
      await clock.advance(1);
    });
  });

  it('takes a response that is gone before it started for a disconnect', () => {
    const { response, start, disconnects } = setUp();
    response.state.destroyed = true;
    start('stream');
    expect(disconnects()).toBe(1);
    expect(response.state.head).toBeUndefined();
  });
});

describe('webOutlet', () => {
  const setUpWeb = () => {
    const told: string[] = [];
    const outlet = webOutlet({ relieved: () => void told.push('relieved'), gone: () => void told.push('gone') });
    const bytes = (text: string) => new TextEncoder().encode(text);
    return { outlet, told, bytes };
  };

  it('hands out the bytes it was given, and counts those that wait', async () => {
    const { outlet, bytes } = setUpWeb();
    outlet.start(bytes('a'));
    outlet.write(bytes('bcd'));
    outlet.write(bytes('ef'));
    // One chunk lies in the stream itself.
    expect(outlet.buffered()).toBe(5);
    outlet.end(bytes('g'));
    expect(await new Response(outlet.body).text()).toBe('abcdefg');
  });

  it('tells when bytes have left, and once that it is over', async () => {
    const { outlet, told, bytes } = setUpWeb();
    outlet.start(bytes('a'));
    outlet.write(bytes('b'));
    const reader = outlet.body.getReader();
    await reader.read();
    expect(outlet.buffered()).toBe(0);
    expect(told).toContain('relieved');
    await reader.cancel();
    outlet.destroy();
    expect(told.filter((event) => event === 'gone')).toHaveLength(1);
    outlet.write(bytes('c'));
    expect(outlet.buffered()).toBe(0);
  });

  it('breaks the stream off when it is destroyed with bytes waiting', async () => {
    const { outlet, told, bytes } = setUpWeb();
    outlet.start(bytes('a'));
    outlet.write(bytes('b'));
    outlet.end(bytes('c'));
    expect(told).not.toContain('gone');
    outlet.destroy();
    expect(told).toContain('gone');
    await expect(new Response(outlet.body).text()).rejects.toThrow();
  });
});
