import { wireEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';
import { openSpool } from '@aepkit/spool';
import { buildEvent, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { memoryTransport, TransportError, type Transport } from '../src/index.js';
import { spoolTransport, type SpoolTransportOptions } from '../src/spool.js';
import { collect, faults } from './support.js';

const signal = new AbortController().signal;
const seqs = (events: readonly WireEvent[]): (number | undefined)[] => events.map(({ event }) => event.seq);
const wire = (seq: number, more: Partial<AepEvent> = {}): WireEvent => wireEvent({ ...buildEvent(), id: `id-${String(seq)}`, session: 's', seq, ...more });

async function spooled(path: string, more: Partial<SpoolTransportOptions> = {}) {
  const inner = memoryTransport();
  const transport = await spoolTransport({ path, transport: inner, retryBaseMs: 1, retryMaxMs: 2, ...more });
  return { inner, transport, send: (...batch: WireEvent[]) => transport.send(batch, { signal }) };
}

describe('with a spool', () => {
  it('Events go straight through while they can, and nothing touches the disk', async () => {
    await using dir = await tempDir();
    const { inner, transport, send } = await spooled(dir.file('spool'));
    await send(wire(0), wire(1));
    await send(wire(2));
    expect(inner.batches).toEqual([2, 1]);
    const spool = await openSpool({ path: dir.file('spool') });
    expect(await spool.stats()).toMatchObject({ lines: 0 });
    await transport.close();
    expect(inner.closed).toBe(true);
  });

  it('what is not delivered waits on the disk, and order holds while it goes out and new ones come', async () => {
    await using dir = await tempDir();
    const { inner, transport, send } = await spooled(dir.file('spool'), { maxBatchEvents: 3 });
    inner.fail(true);
    for (let seq = 0; seq < 20; seq += 2) await send(wire(seq), wire(seq + 1));
    expect(inner.events).toEqual([]);
    inner.fail(undefined);
    for (let seq = 20; seq < 60; seq += 1) await send(wire(seq));
    expect(await transport.drained(50_000)).toBe(true);
    await send(wire(60));
    expect(seqs(inner.events)).toEqual(Array.from({ length: 61 }, (_, seq) => seq));
    await transport.close();
  });

  it('what an earlier process left goes out first', async () => {
    await using dir = await tempDir();
    const first = await spooled(dir.file('spool'));
    first.inner.fail(true);
    await first.send(wire(0), wire(1, { severity: 'error' }));
    await first.transport.close();
    const second = await spooled(dir.file('spool'));
    await second.send(wire(2));
    expect(await second.transport.drained(50_000)).toBe(true);
    expect(seqs(second.inner.events)).toEqual([0, 1, 2]);
    expect(second.inner.events[1]!.json).toBe(wire(1, { severity: 'error' }).json);
    await second.transport.close();
  });

  it('a part that was taken does not go to the disk', async () => {
    await using dir = await tempDir();
    const { inner, transport, send } = await spooled(dir.file('spool'));
    inner.fail(new TransportError('half', { retryable: true, accepted: 2 }));
    await send(wire(0), wire(1), wire(2));
    inner.fail(undefined);
    await transport.drained(50_000);
    expect(seqs(inner.events)).toEqual([2]);
    await transport.close();
  });

  it('a refusal for good is passed on, and one out of the spool costs that Event alone', async () => {
    await using dir = await tempDir();
    const refused: unknown[] = [];
    const taken: (number | undefined)[] = [];
    let down = true;
    const inner: Transport = {
      async send(batch) {
        if (down) throw new Error('down');
        const index = batch.findIndex(({ event }) => event.seq === 1);
        if (index >= 0) throw new TransportError('no', { retryable: false, ...(batch.length % 2 === 0 ? { index } : {}) });
        taken.push(...seqs(batch));
      },
    };
    for (const count of [3, 4]) {
      down = true;
      const { transport, send } = await spooled(dir.file(`spool${String(count)}`), { transport: inner, onRefused: (events) => refused.push(events) });
      await send(...Array.from({ length: count }, (_, seq) => wire(seq)));
      down = false;
      expect(await transport.drained(50_000)).toBe(true);
      await expect(send(wire(1))).rejects.toMatchObject({ retryable: false });
      await transport.close();
    }
    expect(refused).toEqual([1, 1]);
    expect(taken).toEqual([0, 2, 0, 2, 3]);
  });

  it('a transport that hangs is not waited for, and comes no second time while it hangs', async () => {
    await using dir = await tempDir();
    let calls = 0;
    let release: (() => void) | undefined;
    const taken: (number | undefined)[] = [];
    const inner: Transport = {
      async send(batch) {
        calls += 1;
        if (calls === 1) await new Promise<void>((resolve) => { release = resolve; });
        taken.push(...seqs(batch));
      },
    };
    const { transport, send } = await spooled(dir.file('spool'), { transport: inner, directTimeoutMs: 10 });
    await send(wire(0));
    await send(wire(1));
    expect(calls).toBe(1);
    release!();
    expect(await transport.drained(50_000)).toBe(true);
    // The one that hung arrived after all: its second copy is a redelivery.
    expect(taken).toEqual([0, 0, 1]);
    await transport.close();
  });

  it('where the disk is full, debug and info are dropped and told, and the rest stays with the emitter [B-183, B-184]', async () => {
    await using dir = await tempDir();
    let dropped = 0;
    const { inner, transport, send } = await spooled(dir.file('spool'), { maxBytes: 3 * 4096, onDropped: (events) => { dropped += events; } });
    inner.fail(true);
    await send(wire(0));
    await send(wire(1, { severity: 'error' }));
    await send(wire(2, { severity: 'debug' }));
    await send(wire(3));
    expect(dropped).toBe(1);
    await send(wire(4, { severity: 'notice' }));
    expect(dropped).toBe(2);
    await send(wire(5, { severity: 'notice' }));
    expect(dropped).toBe(3);
    await expect(send(wire(6, { severity: 'notice' }))).rejects.toMatchObject({ retryable: true, accepted: 0 });
    expect(dropped).toBe(3);
    inner.fail(undefined);
    await transport.drained(50_000);
    expect(seqs(inner.events)).toEqual([1, 4, 5]);
    await transport.close();
  });

  it('an emitter loses nothing of notice and above while endpoint and disk are gone, and keeps the order', async () => {
    await using dir = await tempDir();
    const inner = memoryTransport();
    inner.fail(true);
    const transport = await spoolTransport({ path: dir.file('spool'), transport: inner, maxBytes: 4096, retryBaseMs: 1, retryMaxMs: 2 });
    const { emitter } = collect({ transport, retryBaseMs: 1, retryMaxMs: 2, maxBatchEvents: 5 });
    const session = await emitter.session();
    for (let count = 0; count < 50; count += 1) session.emit('progress.status', { severity: 'notice' });
    expect(await emitter.flush({ timeoutMs: 100 })).toMatchObject({ done: false, lost: 0 });
    inner.fail(undefined);
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
    expect(await transport.drained(50_000)).toBe(true);
    const events = inner.events.map(({ event }) => event);
    expect([...new Set(events.map(({ seq }) => seq))]).toEqual(Array.from({ length: 50 }, (_, seq) => seq));
    expect(faults(events)).toEqual([]);
    await emitter.close();
  });

  it('two processes share a folder: each keeps its own order, and nothing is lost', async () => {
    await using dir = await tempDir();
    const [a, b] = [await spooled(dir.file('spool')), await spooled(dir.file('spool'))];
    a.inner.fail(true);
    b.inner.fail(true);
    for (let seq = 0; seq < 10; seq += 1) {
      await a.send(wire(seq, { id: `a${String(seq)}`, session: 'a' }));
      await b.send(wire(seq, { id: `b${String(seq)}`, session: 'b' }));
    }
    b.inner.fail(undefined);
    expect(await b.transport.drained(50_000)).toBe(true);
    expect(await a.transport.drained(50_000)).toBe(true);
    for (const name of ['a', 'b']) expect(b.inner.events.filter(({ event }) => event.session === name).map(({ event }) => event.seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await a.transport.close();
    await b.transport.close();
  });

  it('lines that are no Events are told and passed over', async () => {
    await using dir = await tempDir();
    const spool = await openSpool({ path: dir.file('spool') });
    await spool.append([{ text: 'nonsense' }, { text: wire(0).json }]);
    await spool.close();
    const refused: unknown[] = [];
    const { inner, transport } = await spooled(dir.file('spool'), { onRefused: (_events, error) => refused.push(error) });
    expect(await transport.drained(50_000)).toBe(true);
    expect(seqs(inner.events)).toEqual([0]);
    expect(refused).toHaveLength(1);
    await transport.close();
  });

  it('hooks that throw change nothing, and a close ends a drain that fails', async () => {
    await using dir = await tempDir();
    const boom = (): never => { throw new Error('hook'); };
    const { inner, transport, send } = await spooled(dir.file('spool'), { onError: boom, onDropped: boom, onRefused: boom });
    inner.fail(true);
    await send(wire(0));
    expect(await transport.drained(20)).toBe(false);
    await transport.close();
    const spool = await openSpool({ path: dir.file('spool') });
    expect(await spool.stats()).toMatchObject({ lines: 1 });
  });
});
