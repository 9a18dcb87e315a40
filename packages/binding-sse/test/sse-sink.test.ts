import type { DeliveryBatch, Encoder } from '@aepkit/hub';
import { buildWire, manualClock, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { nodeOutlet } from '../src/node-outlet.js';
import { sseEncoder } from '../src/server.js';
import { sseSink } from '../src/sse-sink.js';
import { webOutlet } from '../src/web-outlet.js';

const decoder = new TextDecoder();

/** A response whose bytes leave only when the test says so; `write` always says that it is full. */
function fakeResponse(options: { readonly tellsCallbacks?: boolean; readonly chunkedEncoding?: boolean } = {}) {
  const listeners = new Map<string, (() => void)[]>();
  const waiting: { bytes: Uint8Array; written: (() => void) | undefined }[] = [];
  const state = { sent: '', ended: false, destroyed: false, writes: 0, headersSent: false };
  const tell = (event: string): void => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener();
  };
  const accept = (bytes: Uint8Array, written?: () => void): void => {
    if (state.ended || state.destroyed) throw new Error('write after the end');
    state.writes += 1;
    state.sent += decoder.decode(bytes);
    waiting.push({ bytes, written });
  };
  return {
    state,
    shouldKeepAlive: true,
    chunkedEncoding: options.chunkedEncoding ?? false,
    get headersSent() {
      return state.headersSent;
    },
    get destroyed() {
      return state.destroyed;
    },
    get writableLength() {
      return waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    },
    write(bytes: Uint8Array, written?: () => void) {
      accept(bytes, written);
      return false;
    },
    end(bytes?: Uint8Array) {
      if (state.ended) return;
      if (bytes !== undefined) accept(bytes);
      state.ended = true;
    },
    destroy() {
      if (state.destroyed) return;
      state.destroyed = true;
      waiting.length = 0;
      tell('close');
    },
    on(event: string, listener: () => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    once(event: string, listener: () => void) {
      this.on(event, () => {
        listeners.set(event, listeners.get(event)!.filter((each) => each !== listener));
        listener();
      });
    },
    /** What waits leaves. */
    drain() {
      for (const { written } of waiting.splice(0)) if (options.tellsCallbacks !== false) written?.();
      tell('drain');
      if (state.ended && !state.destroyed) this.destroy();
    },
  };
}

/** What the server does with a body: sends the head, writes what it reads, and waits for `drain` before it reads on. */
async function serveBody(body: ReadableStream<Uint8Array>, response: ReturnType<typeof fakeResponse>): Promise<void> {
  const reader = body.getReader();
  response.on('close', () => void reader.cancel().catch(() => undefined));
  response.state.headersSent = true;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!response.write(read.value)) await new Promise<void>((resolve) => response.once('drain', resolve));
  }
  response.end();
}

function setUp(
  options: { readonly tellsCallbacks?: boolean; readonly heartbeatMs?: number; readonly highWaterMarkBytes?: number; readonly chunkedEncoding?: boolean } = {},
) {
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
    (events) => nodeOutlet(response, events),
  );
  const begin = (...comments: string[]): void => {
    sink.start(comments, () => {
      disconnects += 1;
    });
    void serveBody(sink.body, response);
  };
  /** Until the head and the first comments are out, and the server waits. */
  const start = async (...comments: string[]): Promise<void> => {
    begin(...comments);
    await turn();
    response.drain();
    await turn();
    response.state.sent = '';
  };
  return { clock, response, sink, begin, start, disconnects: () => disconnects };
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
  it('sends the head and the first comments at once [B-220]', async () => {
    const { response, begin } = setUp();
    begin('stream', 'last-event-id-ignored');
    await turn();
    expect(response.state.sent).toBe(': stream\n\n: last-event-id-ignored\n\n');
    expect(response.shouldKeepAlive).toBe(false);
  });

  it('says that it is full when bytes wait, and took the batch all the same', async () => {
    const { response, sink, start } = setUp();
    await start();
    const batch = batchOf(500);
    expect(sink.write(batch)).toBe(true);
    expect(sink.write(batch)).toBe(false);
    expect(response.state.sent).toBe(batch.text.repeat(2));
  });

  it.each([true, false])('waits until a full response drains, and sends nothing a second time (write callbacks: %s)', async (tellsCallbacks) => {
    const { response, sink, start } = setUp({ tellsCallbacks });
    await start();
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
    await start();
    sink.write(batchOf(2_000));
    const drained = sink.drained();
    response.destroy();
    expect(await settled(drained)).toBe(true);
    expect(disconnects()).toBe(1);
  });

  it('has nothing to wait for where it is not full', async () => {
    const { sink, start } = setUp();
    await start();
    expect(await settled(sink.drained())).toBe(true);
  });

  it('writes nothing behind a disconnect, and leaves no timer', async () => {
    const { clock, response, sink, start, disconnects } = setUp();
    await start('stream');
    response.destroy();
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
    await start();
    sink.close('shutdown', []);
    const { sent } = response.state;
    expect(sink.write(batchOf())).toBe(false);
    sink.exhausted({ session: 's1', epoch: 0, seq: 1 }, 'stream');
    sink.close('slow-consumer', []);
    await clock.advance(1_000);
    expect(response.state.sent).toBe(sent);
  });

  it('writes the marker as a comment [B-045]', async () => {
    const { response, sink, start } = setUp();
    await start();
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
  ] as const)('says goodbye for %s and ends', async (reason, text) => {
    const { clock, response, sink, start } = setUp();
    await start();
    sink.close(reason, []);
    expect(response.state.sent).toBe(`: ${text}\n\n`);
    expect(response.state.ended).toBe(true);
    response.drain();
    expect(clock.pending()).toBe(0);
  });

  it('destroys a response that does not get its end out in time [B-181, B-226]', async () => {
    const { clock, response, sink, start, disconnects } = setUp();
    await start();
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
    await start();
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
      await start();
      await clock.advance(14_999);
      expect(response.state.sent).toBe('');
      await clock.advance(1);
      expect(response.state.sent).toBe(': ping\n\n');
      await clock.advance(15_000);
      expect(response.state.sent).toBe(': ping\n\n'.repeat(2));
    });

    it('counts from the last write', async () => {
      const { clock, response, sink, start } = setUp({ highWaterMarkBytes: 1_000_000 });
      await start();
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
      await start();
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
      await start();
      expect(clock.pending()).toBe(0);
      await clock.advance(1);
    });
  });

  it('takes a response that is gone before it started for a disconnect', () => {
    const { response, sink, begin, disconnects } = setUp();
    response.state.destroyed = true;
    begin('stream');
    expect(disconnects()).toBe(1);
    expect(sink.over).toBe(true);
  });

  it('lets what comes before the head is out take the way of the server, in order', async () => {
    const { response, sink, begin } = setUp({ highWaterMarkBytes: 1_000_000 });
    begin('stream');
    const batches = [1, 2, 3, 4].map((size) => batchOf(size));
    sink.write(batches[0]!);
    sink.write(batches[1]!);
    await turn();
    for (let drains = 0; drains < 4; drains += 1) {
      response.drain();
      await turn();
      if (drains === 1) sink.write(batches[2]!);
    }
    sink.write(batches[3]!);
    expect(response.state.sent).toBe(`: stream\n\n${batches.map(({ text }) => text).join('')}`);
  });

  it('frames the chunks of HTTP/1.1 itself once it writes directly', async () => {
    const { response, sink, start } = setUp({ chunkedEncoding: true, highWaterMarkBytes: 1_000_000 });
    await start('stream');
    const batch = batchOf();
    sink.write(batch);
    sink.close('shutdown', []);
    const size = Buffer.byteLength(batch.text).toString(16);
    expect(response.state.sent).toBe(`${size}\r\n${batch.text}\r\n11\r\n: shutting-down\n\n\r\n0\r\n\r\n`);
    expect(response.chunkedEncoding).toBe(false);
    expect(response.state.ended).toBe(true);
  });

  it('leaves the framing to Node while Node holds chunks that it has not framed', async () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const written: string[] = [];
    const response = { ...fakeResponse(), headersSent: true, destroyed: false, chunkedEncoding: true, writableLength: 9 };
    response.write = (chunk) => written.push(decoder.decode(chunk)) > 0;
    const outlet = nodeOutlet(response, { relieved: () => undefined, gone: () => undefined });
    const reader = outlet.body.getReader();
    const first = reader.read();
    await turn();
    outlet.write(bytes('a'));
    expect([response.chunkedEncoding, written]).toEqual([true, []]);
    expect(decoder.decode((await first).value)).toBe('a');
    void reader.read();
    await turn();
    response.writableLength = 0;
    outlet.write(bytes('b'));
    expect([response.chunkedEncoding, written]).toEqual([false, ['1\r\nb\r\n']]);
  });

  it('ends in good order while the first bytes are still on their way', async () => {
    const { clock, response, sink, begin, disconnects } = setUp({ chunkedEncoding: true });
    begin('stream');
    sink.close('replay-done', []);
    for (let drains = 0; drains < 4; drains += 1) {
      await turn();
      response.drain();
    }
    expect(response.state.sent).toBe(': stream\n\n: replay-done\n\n');
    expect(response.state.ended).toBe(true);
    expect(disconnects()).toBe(1);
    expect(clock.pending()).toBe(0);
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
    outlet.write(bytes('a'));
    outlet.write(bytes('bcd'));
    expect(outlet.buffered()).toBe(4);
    outlet.end(bytes('g'));
    expect(await new Response(outlet.body).text()).toBe('abcdg');
    expect(outlet.buffered()).toBe(0);
  });

  it('tells when bytes have left, and once that it is over', async () => {
    const { outlet, told, bytes } = setUpWeb();
    outlet.write(bytes('a'));
    outlet.write(bytes('b'));
    const reader = outlet.body.getReader();
    await reader.read();
    expect(outlet.buffered()).toBe(1);
    expect(outlet.awaited()).toBe(false);
    await reader.read();
    const read = reader.read();
    await turn();
    expect(outlet.awaited()).toBe(true);
    expect(told).toContain('relieved');
    await reader.cancel();
    expect(await read).toMatchObject({ done: true });
    outlet.destroy();
    expect(told.filter((event) => event === 'gone')).toHaveLength(1);
    outlet.write(bytes('c'));
    expect(outlet.buffered()).toBe(0);
  });

  it('breaks the stream off when it is destroyed with bytes waiting', async () => {
    const { outlet, told, bytes } = setUpWeb();
    outlet.write(bytes('a'));
    outlet.end(bytes('c'));
    expect(told).not.toContain('gone');
    outlet.destroy();
    expect(told).toContain('gone');
    await expect(new Response(outlet.body).text()).rejects.toThrow();
  });
});
