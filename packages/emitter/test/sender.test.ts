import type { WireEvent } from '@aepkit/envelope';
import { manualClock, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { createEmitter, memoryTransport, TransportError, type EmitterOptions, type Loss, type Transport, type TransportFailure } from '../src/index.js';
import { collect } from './support.js';

const phases = (events: readonly WireEvent[]): unknown[] => events.map(({ event }) => event.data?.phase);

/** A transport whose answers are scripted: an error, or undefined for taken. */
function scripted(script: (batch: readonly WireEvent[], call: number) => Error | undefined): Transport & { calls: string[][]; taken: string[] } {
  const calls: string[][] = [];
  const taken: string[] = [];
  return {
    calls,
    taken,
    send(batch) {
      const names = phases(batch) as string[];
      calls.push(names);
      const error = script(batch, calls.length);
      if (error === undefined) taken.push(...names);
      else {
        if (error instanceof TransportError) taken.push(...names.slice(0, error.accepted));
        return Promise.reject(error);
      }
      return Promise.resolve();
    },
  };
}

async function emitterOn(transport: Transport, options: Partial<EmitterOptions> = {}) {
  const clock = manualClock(Date.UTC(2026, 5, 1));
  const failures: TransportFailure[] = [];
  const losses: Loss[] = [];
  const emitter = createEmitter({ agent: 'a', transport, now: clock.now, timers: clock, random: () => 1, onError: (failure) => failures.push(failure), onLoss: (loss) => losses.push(loss), ...options });
  const session = await emitter.session();
  const emit = (...names: string[]): void => {
    for (const phase of names) session.emit('progress.status', { data: { phase } });
  };
  return { clock, emitter, session, emit, failures, losses };
}

describe('batches', () => {
  it('go when an Event has waited for company, and hold what came meanwhile, in order', async () => {
    const transport = memoryTransport();
    const { clock, emit } = await emitterOn(transport, { batchDelayMs: 20 });
    emit('a', 'b');
    await clock.advance(19);
    emit('c');
    expect(transport.events).toEqual([]);
    await clock.advance(1);
    expect(phases(transport.events)).toEqual(['a', 'b', 'c']);
    expect(transport.batches).toEqual([3]);
    expect(clock.pending()).toBe(0);
  });

  it('go at once when they are full, by count or by bytes', async () => {
    const transport = memoryTransport();
    const { emit } = await emitterOn(transport, { maxBatchEvents: 2 });
    emit('a', 'b', 'c', 'd', 'e');
    await turn();
    expect(transport.batches).toEqual([2, 2]);
    const small = memoryTransport();
    const bytes = await emitterOn(small, { maxBatchBytes: 600 });
    bytes.emit('a', 'b', 'c', 'd');
    await turn();
    expect(small.batches.length).toBeGreaterThan(1);
    expect(phases(small.events)).toEqual(['a', 'b', 'c', 'd'].slice(0, small.events.length));
  });

  it('never leave in the turn of the emit', async () => {
    const transport = memoryTransport();
    const { emit } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'b');
    expect(transport.events).toEqual([]);
    await turn();
    expect(transport.batches).toEqual([2]);
  });
});

describe('a failure that may pass', () => {
  it('is tried again with the same Events in the same order, after pauses that double [B-030]', async () => {
    const transport = scripted((_batch, call) => (call < 4 ? new Error('down') : undefined));
    const { clock, emit, failures, losses } = await emitterOn(transport, { batchDelayMs: 0, retryBaseMs: 100, retryMaxMs: 250 });
    emit('a', 'b');
    await clock.advance(0);
    emit('c');
    await clock.advance(1000);
    expect(transport.calls).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['c']]);
    expect(failures.map(({ attempt, delayMs, events }) => [attempt, delayMs, events])).toEqual([[1, 100, 2], [2, 200, 2], [3, 250, 2]]);
    expect(losses).toEqual([]);
  });

  it('repeats the very texts, ids included [B-030]', async () => {
    const seen: string[][] = [];
    let down = true;
    const transport: Transport = {
      send: (batch) => {
        seen.push(batch.map(({ json }) => json));
        return down ? Promise.reject(new Error('down')) : Promise.resolve();
      },
    };
    const { clock, emit } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'b');
    await clock.advance(10);
    down = false;
    await clock.advance(10_000);
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen.map((texts) => texts.join('\n'))).size).toBe(1);
  });

  it('draws the pause, waits at least as long as it is told, and begins anew after a success', async () => {
    let failing = true;
    const transport = scripted(() => (failing ? new TransportError('busy', { retryable: true, retryAfterMs: 5000 }) : undefined));
    const { clock, emit, failures } = await emitterOn(transport, { batchDelayMs: 0, retryBaseMs: 100, random: () => 0 });
    emit('a');
    await clock.advance(0);
    expect(failures.at(-1)!.delayMs).toBe(5000);
    failing = false;
    await clock.advance(5000);
    expect(transport.taken).toEqual(['a']);
    failing = true;
    emit('b');
    await clock.advance(0);
    expect(failures.at(-1)!.attempt).toBe(1);
    const plain = await emitterOn(scripted(() => new Error('down')), { batchDelayMs: 0, retryBaseMs: 100, random: () => 0 });
    plain.emit('a');
    await plain.clock.advance(0);
    expect(plain.failures[0]!.delayMs).toBe(50);
  });

  it('sends only the rest after a part was taken', async () => {
    const transport = scripted((_batch, call) => (call === 1 ? new TransportError('half', { retryable: true, accepted: 2 }) : undefined));
    const { clock, emit, emitter } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'b', 'c');
    await clock.advance(1000);
    expect(transport.calls).toEqual([['a', 'b', 'c'], ['c']]);
    expect(emitter.stats()).toMatchObject({ sent: 3, queued: 0 });
  });

  it.each([Number.NaN, -3, 1.5, Infinity])('may say nonsense about what was taken (%d), and costs nothing but another attempt', async (accepted) => {
    const transport = scripted((_batch, call) => (call === 1 ? new TransportError('x', { retryable: true, accepted }) : undefined));
    const { clock, emit, emitter } = await emitterOn(transport, { batchDelayMs: 0, maxAttempts: 2 });
    emit('a', 'b');
    await clock.advance(1000);
    expect(transport.calls).toEqual([['a', 'b'], ['a', 'b']]);
    expect(emitter.stats()).toMatchObject({ sent: 2, queued: 0 });
  });

  it('is given up after so many attempts, and what is lost is told', async () => {
    const transport = scripted((batch) => (phases(batch).includes('a') ? new Error('down') : undefined));
    const { clock, emit, losses, emitter } = await emitterOn(transport, { batchDelayMs: 0, maxAttempts: 3, maxBatchEvents: 2 });
    emit('a', 'b', 'c');
    await clock.advance(60_000);
    expect(transport.taken).toEqual(['c']);
    expect(losses).toMatchObject([{ reason: 'gave-up', count: 2, error: { message: 'down' } }]);
    expect(emitter.stats().lost).toEqual({ 'queue-full': 0, refused: 0, 'gave-up': 2, closed: 0 });
  });

  it('never reaches the program, whatever is thrown and whoever throws', async () => {
    for (const error of [new Error('x'), undefined, null, 'text', 5, Object.freeze({})]) {
      const transport: Transport = { send: () => { throw error as Error; } };
      const { clock, emit, emitter } = await emitterOn(transport, { batchDelayMs: 0, onError: () => { throw new Error('hook'); }, onLoss: () => { throw new Error('hook'); }, maxQueuedEvents: 1 });
      emit('a', 'b');
      await clock.advance(100);
      const closing = emitter.close({ timeoutMs: 10 });
      await clock.advance(2000);
      expect(await closing).toMatchObject({ done: false, left: 1, lost: 2 });
    }
  });
});

describe('a refusal', () => {
  it('is known by its name, also from another copy of this package', async () => {
    class Foreign extends Error {
      override readonly name = 'TransportError';
      readonly retryable = false;
      readonly index = 1;
    }
    const transport = scripted((batch) => (batch.length === 3 ? new Foreign('x') : undefined));
    const { clock, emit, losses } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'b', 'c');
    await clock.advance(100);
    expect(transport.taken).toEqual(['a', 'c']);
    expect(losses).toMatchObject([{ reason: 'refused', count: 1 }]);
  });

  it('costs the Event that is named, and no other', async () => {
    const transport = scripted((batch) => {
      const index = phases(batch).indexOf('bad');
      return index < 0 ? undefined : new TransportError('bad', { retryable: false, index });
    });
    const { clock, emit, losses } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'bad', 'b', 'bad', 'c');
    await clock.advance(1000);
    expect(transport.taken).toEqual(['a', 'b', 'c']);
    expect(losses.map(({ reason, count }) => [reason, count])).toEqual([['refused', 1], ['refused', 1]]);
  });

  it('that names nobody is found out one by one', async () => {
    const transport = scripted((batch) => (phases(batch).includes('bad') ? new TransportError('one of them', { retryable: false }) : undefined));
    const { clock, emit, emitter, losses } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'bad', 'b');
    await clock.advance(1000);
    emit('c', 'd');
    await clock.advance(1000);
    expect(transport.taken).toEqual(['a', 'b', 'c', 'd']);
    expect(transport.calls.at(-1)).toEqual(['c', 'd']);
    expect(losses).toMatchObject([{ reason: 'refused', count: 1, events: [{ type: 'progress.status', severity: 'info' }] }]);
    expect(emitter.stats()).toMatchObject({ sent: 4, queued: 0 });
  });

  it.each([-1, 7, 1.5, Number.NaN])('that names nonsense (%d) is found out one by one', async (index) => {
    const transport = scripted((batch) => (phases(batch).includes('bad') ? new TransportError('x', { retryable: false, index }) : undefined));
    const { clock, emit } = await emitterOn(transport, { batchDelayMs: 0 });
    emit('a', 'bad', 'b');
    await clock.advance(1000);
    expect(transport.taken).toEqual(['a', 'b']);
  });
});

describe('flush', () => {
  it('goes ahead of delay and pause, and resolves when everything before it is delivered', async () => {
    let down = true;
    const transport = scripted(() => (down ? new Error('down') : undefined));
    const { clock, emit, emitter } = await emitterOn(transport, { batchDelayMs: 10_000, retryBaseMs: 100_000, retryMaxMs: 100_000 });
    emit('a');
    const first = emitter.flush({ timeoutMs: 50 });
    await clock.advance(50);
    expect(await first).toEqual({ done: false, left: 1, leftBytes: expect.any(Number), spooled: 0, lost: 0, trouble: { code: 'failed', detail: 'down' } });
    down = false;
    expect(await emitter.flush()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    expect(transport.taken).toEqual(['a']);
    expect(await emitter.flush()).toMatchObject({ done: true });
  });

  it('looks again within a second while it waits, however long the pauses have become', async () => {
    let down = true;
    const transport = scripted(() => (down ? new Error('down') : undefined));
    const { clock, emit, emitter } = await emitterOn(transport, { batchDelayMs: 0, retryBaseMs: 60_000, retryMaxMs: 60_000 });
    emit('a');
    await clock.advance(10);
    const flushing = emitter.flush({ timeoutMs: 5000 });
    await clock.advance(1500);
    down = false;
    await clock.advance(1000);
    expect(await flushing).toMatchObject({ done: true });
    expect(transport.calls).toHaveLength(4);
  });

  it('does not wait for what is emitted after it', async () => {
    const transport = memoryTransport();
    const { emit, emitter } = await emitterOn(transport, { maxBatchEvents: 1, batchDelayMs: 0 });
    emit('a');
    const flushed = emitter.flush();
    const more = setInterval(() => { emit('more'); }, 1);
    expect((await flushed).done).toBe(true);
    clearInterval(more);
  });

  it('refuses a time that is none', async () => {
    const { emitter } = collect();
    for (const timeoutMs of [-1, Number.NaN, 2 ** 31]) await expect(emitter.flush({ timeoutMs })).rejects.toThrow(RangeError);
    expect((await emitter.flush({ timeoutMs: Infinity })).done).toBe(true);
    await expect(emitter.flush({ timeout: 5 } as object)).rejects.toMatchObject({ code: 'unknown-name', message: '$.timeout: is no option of flush and close, did you mean timeoutMs?' });
  });
});

describe('close', () => {
  it('delivers what waits, closes the transport, and takes nothing more', async () => {
    const { emitter, transport } = collect({ batchDelayMs: 1000 });
    const session = await emitter.session();
    session.emit('progress.status');
    const closing = emitter.close();
    expect(() => session.emit('progress.status')).toThrow(expect.objectContaining({ code: 'closed' }));
    expect(() => emitter.emitAgent('agent.idle')).toThrow(expect.objectContaining({ code: 'closed' }));
    await expect(emitter.session()).rejects.toMatchObject({ code: 'closed' });
    expect(await closing).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    expect(await emitter.close()).toEqual(await closing);
    expect([transport.closed, transport.events.length]).toEqual([true, 1]);
  });

  it('with a time that is none closes nothing', async () => {
    const { emitter } = collect();
    await expect(emitter.close({ timeoutMs: -1 })).rejects.toThrow(RangeError);
    expect((await emitter.session()).emit('progress.status')).toBeTypeOf('string');
    expect(await emitter.close()).toMatchObject({ done: true });
  });

  it('comes by itself at the end of a scope', async () => {
    const transport = memoryTransport();
    {
      await using emitter = createEmitter({ agent: 'a', transport, batchDelayMs: 1000 });
      (await emitter.session()).emit('progress.status');
    }
    expect([transport.closed, transport.events.length]).toEqual([true, 1]);
  });

  it('ends although a transport hangs, tells what is left, and leaves no timer', async () => {
    const aborted: boolean[] = [];
    const transport: Transport = {
      send: (_batch, { signal }) => new Promise(() => { signal.addEventListener('abort', () => aborted.push(true)); }),
      close: () => new Promise(() => undefined),
    };
    const { clock, emit, emitter, losses } = await emitterOn(transport, { maxBatchEvents: 1 });
    emit('a', 'b');
    const closing = emitter.close({ timeoutMs: 100 });
    await clock.advance(5000);
    expect(await closing).toMatchObject({ done: false, left: 2, lost: 2 });
    expect(losses).toMatchObject([{ reason: 'closed', count: 2 }]);
    expect(aborted).toEqual([true]);
    expect(clock.pending()).toBe(0);
  });
});
