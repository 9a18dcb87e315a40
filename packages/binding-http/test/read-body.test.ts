import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';

import { manualClock, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { ledger, openAccount } from '../src/ledger.js';
import { joinChunks } from '../src/line-segments.js';
import { readIncoming, readStream, type BodyBounds } from '../src/read-body.js';
import type { Refusal } from '../src/refusal.js';

const text = Buffer.from('{"a":"zwölf 漢字 👍 \u2028"}\n');

function bounds(overrides: Partial<BodyBounds> = {}): BodyBounds {
  return { maxBytes: Infinity, timeoutMs: Infinity, timers: manualClock(), account: openAccount(ledger(Infinity)), ...overrides };
}

/** A Node request, as far as the reader looks at it. */
function incoming(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { complete: false }) as unknown as PassThrough & IncomingMessage;
}

function web(chunks: readonly Uint8Array[], end: 'close' | 'error' | 'hang' = 'close'): { stream: ReadableStream<Uint8Array>; cancelled: () => boolean } {
  let cancelled = false;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[at];
      at += 1;
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new Error('reset'));
      else return new Promise(() => undefined);
      return undefined;
    },
    cancel() {
      cancelled = true;
    },
  });
  return { stream, cancelled: () => cancelled };
}

const cuts = Array.from({ length: text.length + 1 }, (_, at) => [text.subarray(0, at), text.subarray(at)]);
const bytewise = Array.from(text, (byte) => Buffer.from([byte]));

const joined = async (body: Promise<readonly Uint8Array[] | Refusal>): Promise<Buffer> => joinChunks((await body) as readonly Uint8Array[]);

describe('readIncoming', () => {
  it('joins a body at every split point and byte by byte', async () => {
    for (const chunks of [...cuts, bytewise, [text], []]) {
      const source = incoming();
      const body = readIncoming(source, bounds());
      for (const chunk of chunks) {
        source.write(chunk);
        await turn();
      }
      source.end();
      expect(await joined(body)).toEqual(Buffer.concat(chunks));
    }
  });

  it('takes as many bytes as allowed, and stops at the first one more', async () => {
    for (const [maxBytes, passes] of [
      [text.length + 1, true],
      [text.length, true],
      [text.length - 1, false],
    ] as const) {
      const source = incoming();
      const body = readIncoming(source, bounds({ maxBytes }));
      for (const chunk of bytewise) source.write(chunk);
      // Not ended: a refusal comes as soon as it is certain.
      if (passes) source.end();
      if (passes) expect(await joined(body)).toEqual(text);
      else expect(await body).toMatchObject({ status: 413, error: 'too-large' });
      if (!passes) expect(source.listenerCount('data')).toBe(0);
    }
  });

  it('gives way with 503 when all bodies together are too much', async () => {
    const source = incoming();
    const body = readIncoming(source, bounds({ account: openAccount(ledger(text.length - 1)) }));
    source.write(text);
    expect(await body).toMatchObject({ status: 503, error: 'overloaded', retry: true });
  });

  it('gives up on a body that does not come to its end in time, and forgets the timer of one that does', async () => {
    const clock = manualClock();
    const slow = incoming();
    const body = readIncoming(slow, bounds({ timeoutMs: 1_000, timers: clock }));
    await turn();
    slow.write(text);
    await clock.advance(999);
    slow.write(text);
    await clock.advance(1);
    expect(await body).toMatchObject({ status: 408, error: 'timeout' });
    const quick = incoming();
    const other = readIncoming(quick, bounds({ timeoutMs: 1_000, timers: clock }));
    await turn();
    expect(clock.pending()).toBe(1);
    quick.end();
    await other;
    expect(clock.pending()).toBe(0);
  });

  it('starts no timer when it is off', async () => {
    const clock = manualClock();
    void readIncoming(incoming(), bounds({ timers: clock }));
    await turn();
    expect(clock.pending()).toBe(0);
  });

  it('keeps nothing of a body that breaks off, before or while it is read', async () => {
    const source = incoming();
    const body = readIncoming(source, bounds());
    source.write(text);
    await turn();
    source.destroy(new Error('ECONNRESET'));
    expect(await body).toMatchObject({ code: 'body-aborted' });
    expect(await readIncoming(source, bounds())).toMatchObject({ code: 'body-aborted' });
  });
});

describe('readStream', () => {
  it('joins a body at every split point and byte by byte', async () => {
    for (const chunks of [...cuts, bytewise, [text], []]) {
      expect(await joined(readStream(web(chunks).stream, bounds()))).toEqual(Buffer.concat(chunks));
    }
    expect(await readStream(null, bounds())).toHaveLength(0);
  });

  it('takes as many bytes as allowed, and lets go of the rest', async () => {
    expect(await joined(readStream(web(bytewise).stream, bounds({ maxBytes: text.length })))).toEqual(text);
    const long = web(bytewise);
    expect(await readStream(long.stream, bounds({ maxBytes: text.length - 1 }))).toMatchObject({ status: 413 });
    expect(long.cancelled()).toBe(true);
    const full = web([text]);
    expect(await readStream(full.stream, bounds({ account: openAccount(ledger(1)) }))).toMatchObject({ status: 503 });
    expect(full.cancelled()).toBe(true);
  });

  it('gives up on a body that does not come to its end in time', async () => {
    const clock = manualClock();
    const body = readStream(web([text], 'hang').stream, bounds({ timeoutMs: 1_000, timers: clock }));
    await clock.advance(1_000);
    expect(await body).toMatchObject({ status: 408 });
    await readStream(web([text]).stream, bounds({ timeoutMs: 1_000, timers: clock }));
    expect(clock.pending()).toBe(0);
  });

  it('keeps nothing of a body that breaks off', async () => {
    expect(await readStream(web([text], 'error').stream, bounds())).toMatchObject({ code: 'body-aborted' });
  });
});
