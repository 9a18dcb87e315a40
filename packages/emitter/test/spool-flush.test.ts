import { wireEvent, type WireEvent } from '@aepkit/envelope';
import { openSpool } from '@aepkit/spool';
import { buildEvent, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { httpTransport } from '../src/http.js';
import { memoryTransport, TransportError, type Transport } from '../src/index.js';
import { spoolTransport, type SpoolTransportOptions } from '../src/spool.js';
import { collect } from './support.js';

// Pauses that no test waits for: whatever goes out does so over a flush.
const PAUSES = { retryBaseMs: 1_000_000, retryMaxMs: 1_000_000 };

async function program(path: string, inner: Transport, more: Partial<SpoolTransportOptions> = {}) {
  const transport = await spoolTransport({ path, transport: inner, ...PAUSES, ...more });
  const { emitter } = collect({ transport, epochs: 'clock' });
  const session = await emitter.session();
  return { transport, emitter, emit: (count = 1) => { for (let at = 0; at < count; at += 1) session.emit('progress.status', { severity: 'notice' }); } };
}

describe('a flush over a spool', () => {
  it('delivers what lies on the disk as soon as the other side answers, and tells it apart from what was sent', async () => {
    await using dir = await tempDir();
    const inner = memoryTransport();
    const { emitter, emit } = await program(dir.file('spool'), inner);
    emit();
    expect(await emitter.flush()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    inner.fail(true);
    emit(2);
    expect(await emitter.flush()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 2, lost: 0, trouble: { code: 'failed', detail: 'told to fail' } });
    expect(emitter.stats()).toMatchObject({ emitted: 3, sent: 1, spooled: 2, queued: 0 });
    inner.fail(undefined);
    emit();
    expect(await emitter.flush()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    expect(emitter.stats()).toMatchObject({ emitted: 4, sent: 4, spooled: 0 });
    expect(inner.events.map(({ event }) => event.seq)).toEqual([0, 1, 2, 3]);
    await emitter.close();
  });

  it('of a program that lives for moments delivers what the one before left, and its own, in one run', async () => {
    await using dir = await tempDir();
    const inner = memoryTransport();
    inner.fail(true);
    const first = await program(dir.file('spool'), inner);
    first.emit(3);
    expect(await first.emitter.close()).toMatchObject({ done: true, spooled: 3 });
    const second = await program(dir.file('spool'), inner);
    second.emit(2);
    expect(await second.emitter.flush()).toMatchObject({ done: true, spooled: 5 });
    // Nothing of its own is out yet.
    expect(second.emitter.stats()).toMatchObject({ sent: 0, spooled: 5 });
    expect(await second.emitter.close()).toMatchObject({ done: true, spooled: 5, trouble: { code: 'failed' } });
    inner.fail(undefined);
    const third = await program(dir.file('spool'), inner);
    third.emit(1);
    expect(await third.emitter.close()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    expect(inner.events).toHaveLength(6);
  });

  it('ends with the first refused connection, long before its deadline', async () => {
    await using dir = await tempDir();
    let calls = 0;
    const inner: Transport = { send: () => { calls += 1; return Promise.reject(new Error('refused')); } };
    const { emitter, emit } = await program(dir.file('spool'), inner, { directTimeoutMs: 1_000_000 });
    emit();
    expect(await emitter.close({ timeoutMs: 1_000_000 })).toMatchObject({ done: true, spooled: 1 });
    expect(calls).toBe(2);
  });

  it('does not wait twice for a transport that hangs', async () => {
    await using dir = await tempDir();
    const inner: Transport = { send: (_batch, { signal }) => new Promise((_resolve, reject) => { signal.addEventListener('abort', () => { setTimeout(() => { reject(new Error('given up')); }, 50); }); }) };
    const { emitter, emit } = await program(dir.file('spool'), inner, { directTimeoutMs: 5 });
    emit();
    expect(await emitter.close({ timeoutMs: 1_000_000 })).toMatchObject({ done: true, spooled: 1, trouble: { code: 'timeout', detail: 'the transport took too long' } });
  });

  it('gives up a delivery out of the spool that hangs, and keeps what it holds', async () => {
    await using dir = await tempDir();
    const down = memoryTransport();
    down.fail(true);
    const first = await program(dir.file('spool'), down);
    first.emit(2);
    await first.emitter.close();
    const inner: Transport = { send: (_batch, { signal }) => new Promise((_resolve, reject) => { signal.addEventListener('abort', () => { reject(new Error('given up')); }); }) };
    const { emitter, emit } = await program(dir.file('spool'), inner, { directTimeoutMs: 5 });
    emit();
    expect(await emitter.close({ timeoutMs: 1_000_000 })).toMatchObject({ done: true, spooled: 3, trouble: { code: 'timeout' } });
    const spool = await openSpool({ path: dir.file('spool') });
    expect(await spool.stats()).toMatchObject({ lines: 3 });
  });

  it('ends at its deadline while deliveries go on, and says what is still on the disk', async () => {
    await using dir = await tempDir();
    const down = memoryTransport();
    down.fail(true);
    const first = await program(dir.file('spool'), down);
    first.emit(3);
    await first.emitter.close();
    const gate = Promise.withResolvers<undefined>();
    let calls = 0;
    const inner: Transport = { send: () => { calls += 1; return calls === 1 ? Promise.resolve() : gate.promise; } };
    const { emitter } = await program(dir.file('spool'), inner, { maxBatchEvents: 1, directTimeoutMs: 1_000_000 });
    const outcome = await emitter.flush({ timeoutMs: 200 });
    expect(outcome).toMatchObject({ done: true, trouble: { code: 'timeout' } });
    expect(outcome.spooled).toBeGreaterThan(0);
    gate.resolve(undefined);
    expect(await emitter.flush({ timeoutMs: 1_000_000 })).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
    await emitter.close();
  });

  it('tells of a wrong path or token, which no program would see otherwise', async () => {
    await using dir = await tempDir();
    for (const [status, code] of [[404, 'refused'], [401, 'unauthorized'], [403, 'forbidden']] as const) {
      const inner = httpTransport({ url: 'http://127.0.0.1:1/wrong', fetch: () => Promise.resolve(new Response('', { status })) });
      const { emitter, emit } = await program(dir.file(`spool${String(status)}`), inner);
      emit();
      expect(await emitter.close()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 1, lost: 0, trouble: { code, detail: `the endpoint answered ${String(status)}` } });
    }
  });

  it('tells of an Event out of the spool that is refused for good', async () => {
    await using dir = await tempDir();
    let down = true;
    const inner: Transport = { send: () => Promise.reject(down ? new Error('down') : new TransportError('not this one', { retryable: false, code: 'invalid-event' })) };
    const { emitter, emit } = await program(dir.file('spool'), inner);
    emit();
    await emitter.flush();
    down = false;
    expect(await emitter.flush()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0, trouble: { code: 'invalid-event', detail: 'not this one' } });
    await emitter.close();
  });

  it('comes back from a disk that takes nothing', async () => {
    await using dir = await tempDir();
    const inner = memoryTransport();
    const transport = await spoolTransport({ path: dir.file('spool'), transport: inner, maxLineBytes: 10, retryBaseMs: 1, retryMaxMs: 2 });
    const { signal } = new AbortController();
    const wire: WireEvent = wireEvent({ ...buildEvent(), severity: 'notice' });
    inner.fail(true);
    await expect(transport.send([wire], { signal })).rejects.toThrow();
    inner.fail(undefined);
    expect(await transport.drained(50_000)).toBe(true);
    await transport.send([wire], { signal });
    expect(inner.events).toHaveLength(1);
    expect(transport.pending()).toBe(0);
    await transport.close();
    await transport.flush({ signal });
  });
});

describe('a transport of one\'s own', () => {
  it('may say nonsense about what it keeps, hang in its flush, and ignore the signal', async () => {
    for (const pending of [() => -1, () => Number.NaN, () => { throw new Error('x'); }]) {
      const { emitter } = collect({ transport: { send: () => Promise.resolve(), pending, flush: () => new Promise(() => undefined) } });
      (await emitter.session()).emit('progress.status');
      expect(await emitter.flush({ timeoutMs: 5 })).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 });
      expect(emitter.stats()).toMatchObject({ sent: 1, spooled: 0 });
    }
  });
});
