import { severityOf } from '@aepkit/envelope';
import { turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { createEmitter, DROPS_ATTRIBUTE, memoryTransport, type EmitterOptions, type Loss } from '../src/index.js';
import { collect, faults, refusal, rejection } from './support.js';

const request = { kind: 'input', prompt: 'p' } as const;

describe('sessions', () => {
  it('without a name are new ones, each with a name of its own [E-045, E-076]', async () => {
    const { emitter } = collect();
    const names = await Promise.all(Array.from({ length: 50 }, async () => (await emitter.session()).name));
    expect(new Set(names).size).toBe(50);
    const again = collect();
    expect(names).not.toContain((await again.emitter.session()).name);
  });

  it('by name need something that remembers epochs; without it a restart cannot go on with an old one [E-076]', async () => {
    const { emitter, events } = collect();
    expect(await rejection(emitter.session('s'))).toBe('no-epoch-memory');
    expect(await events()).toEqual([]);
  });

  it('by one name are one session, also when asked for at the same time and after the end [E-045]', async () => {
    const { emitter, events } = collect({ epochs: 'clock' });
    const [a, b] = await Promise.all([emitter.session('s'), emitter.session('s')]);
    expect(a).toBe(b);
    a.end();
    expect(await emitter.session('s')).toBe(a);
    expect(refusal(() => a.end())).toBe('second-terminal');
    expect(await events()).toHaveLength(1);
  });

  it('are not given a name that was given before [E-045]', async () => {
    const { emitter } = collect({ createId: () => 'same' });
    const session = await emitter.session();
    expect(await rejection(emitter.session())).toBe('invalid-identifier');
    session.release();
    expect(await rejection(emitter.session())).toBe('invalid-identifier');
  });

  it('are let go of by release, and go on under a higher epoch [E-074, E-075]', async () => {
    const { emitter, events } = collect({ epochs: 'clock' });
    const first = await emitter.session('s');
    first.emit('progress.status');
    first.release();
    expect(refusal(() => first.emit('progress.status'))).toBe('closed');
    const second = await emitter.session('s');
    second.emit('progress.status');
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect(faults(await events())).toEqual([]);
  });

  it('are bounded: so many open, so many ended ones remembered', async () => {
    const { emitter } = collect({ maxSessions: 2, epochs: 'clock' });
    const a = await emitter.session('a');
    const b = await emitter.session('b');
    expect(await rejection(emitter.session('c'))).toBe('too-many-sessions');
    a.end();
    b.end();
    (await emitter.session('c')).end();
    expect(await emitter.session('b')).toBe(b);
    expect(await emitter.session('a')).not.toBe(a);
    expect(emitter.stats().sessions).toBe(1);
  });

  it('that cannot be opened leave no trace', async () => {
    let fails = true;
    const { emitter } = collect({ epochs: { open: () => (fails ? Promise.reject(new Error('disk')) : Promise.resolve({ epoch: 1 })) } });
    await expect(emitter.session('s')).rejects.toThrow('disk');
    fails = false;
    expect((await emitter.session('s')).epoch).toBe(1);
  });

  it('with arbitrary names have a source that is a valid URI [E-131, E-017]', async () => {
    const { emitter, events } = collect({ epochs: 'clock', agent: 'my agent/1', host: 'höst' });
    (await emitter.session('a/b?c#d %2F ü')).emit('progress.status');
    const [event] = await events();
    expect(event!.source).toBe('aep://h%C3%B6st/agent/my%20agent%2F1/session/a%2Fb%3Fc%23d%20%252F%20%C3%BC');
    expect(new URL(event!.source).protocol).toBe('aep:');
    expect(event!.session).toBe('a/b?c#d %2F ü');
  });
});

describe('a full queue', () => {
  it('drops debug and info first, tells each one, and keeps the rest in order [B-182, B-183, B-184]', async () => {
    const losses: Loss[] = [];
    const { emitter, transport } = collect({ maxQueuedEvents: 6, onLoss: (loss) => losses.push(loss) });
    transport.fail(true);
    const session = await emitter.session();
    const emit = (severity: 'debug' | 'info' | 'notice' | 'error'): string => session.emit('progress.status', { severity });
    const ids = { debug: emit('debug'), info: emit('info'), notice: emit('notice'), info2: emit('info'), error: emit('error'), debug2: emit('debug') };
    emit('notice');
    emit('notice');
    emit('notice');
    await turn();
    expect(losses).toMatchObject([{ reason: 'queue-full', count: 3, events: [{ id: ids.debug }, { id: ids.debug2 }, { id: ids.info }] }]);
    expect(emitter.stats()).toMatchObject({ queued: 6, emitted: 9, lost: { 'queue-full': 3 }, lostBySeverity: { debug: 2, info: 1, notice: 0 } });
    transport.fail(undefined);
    await emitter.flush();
    expect(transport.events.map(({ event }) => severityOf(event))).toEqual(['notice', 'info', 'error', 'notice', 'notice', 'notice']);
  });

  it('counts on the wire what was dropped from a session, also when the Event that said so is dropped [B-184]', async () => {
    const { emitter, transport } = collect({ maxQueuedEvents: 2 });
    transport.fail(true);
    const [session, other] = [await emitter.session(), await emitter.session()];
    for (let count = 0; count < 10; count += 1) session.emit('progress.status');
    await turn();
    transport.fail(undefined);
    await emitter.flush();
    for (const from of [session, session, other]) {
      from.emit('progress.status');
      await emitter.flush();
    }
    // Those that were left say how many were gone when they were made; what was lost with them is in the next one.
    expect(transport.events.map(({ event }) => event[DROPS_ATTRIBUTE])).toEqual([6, 7, 8, undefined, undefined]);
    expect(emitter.stats().lost['queue-full']).toBe(8);
  });

  it('loses what is never dropped only when there is nothing else, and says so [B-183]', async () => {
    const losses: Loss[] = [];
    const { emitter, transport } = collect({ maxQueuedEvents: 2, onLoss: (loss) => losses.push(loss) });
    transport.fail(true);
    const session = await emitter.session();
    session.emit('progress.status', { severity: 'error' });
    session.emit('control.accepted', { cause: 'c1' });
    const lost = session.emit('attention.requested', { data: request });
    const ack = session.emit('control.rejected', { cause: 'c2', data: { reason: 'busy' } });
    await turn();
    expect(losses).toMatchObject([{ reason: 'queue-full', count: 2, events: [{ id: lost, severity: 'notice' }, { id: ack, severity: 'info' }] }]);
    transport.fail(undefined);
    await emitter.flush();
    expect(transport.events.map(({ event }) => event.type)).toEqual(['progress.status', 'control.accepted']);
    session.emit('progress.status');
    await emitter.flush();
    expect(transport.events.at(-1)!.event).toMatchObject({ seq: 4, [DROPS_ATTRIBUTE]: 2 });
  });

  it('throws instead where that is wanted, as if nothing had been emitted', async () => {
    const { emitter, transport } = collect({ maxQueuedEvents: 1, whenFull: 'throw' });
    transport.fail(true);
    const session = await emitter.session();
    session.emit('progress.status', { severity: 'notice' });
    expect(refusal(() => session.emit('run.finished', { run: 'r', severity: 'notice' }))).toBe('queue-full');
    // What may be dropped is dropped all the same.
    session.emit('progress.status');
    transport.fail(undefined);
    await emitter.flush();
    session.emit('run.finished', { run: 'r', severity: 'notice' });
    await emitter.flush();
    expect(transport.events.map(({ event }) => event.seq)).toEqual([0, 2]);
  });

  it('takes a flood with a dead transport in bounded memory, and counts every one [B-182, B-184]', async () => {
    const { emitter, transport } = collect({ maxQueuedEvents: 100 });
    transport.fail(true);
    const session = await emitter.session();
    session.emit('attention.requested', { data: request });
    const total = 5_000;
    for (let count = 0; count < total; count += 1) session.emit('progress.status', { data: { phase: 'x' } });
    const { queued, queuedBytes, lost } = emitter.stats();
    expect(queued).toBe(100);
    expect(queuedBytes).toBeLessThan(100 * 2048);
    expect(lost['queue-full']).toBe(total + 1 - 100);
    transport.fail(undefined);
    await emitter.flush();
    expect(transport.events[0]!.event.type).toBe('attention.requested');
    expect(transport.events.slice(1).map(({ event }) => event.seq)).toEqual(Array.from({ length: 99 }, (_, at) => total - 98 + at));
  });
});

describe('options', () => {
  const base = { agent: 'a', transport: memoryTransport() };
  it.each([
    [{ maxQueuedEvents: 0 }, RangeError],
    [{ maxQueuedBytes: 1.5 }, RangeError],
    [{ maxBatchEvents: -1 }, RangeError],
    [{ maxBatchBytes: Number.NaN }, RangeError],
    [{ batchDelayMs: Infinity }, RangeError],
    [{ batchDelayMs: 2 ** 31 }, RangeError],
    [{ retryBaseMs: -1 }, RangeError],
    [{ maxAttempts: 0 }, RangeError],
    [{ ceiling: 'everything' }, TypeError],
    [{ ceilings: { attentoin: 'none' } }, TypeError],
    [{ ceilings: { attention: 'all' } }, TypeError],
    [{ whenFull: 'wait' }, TypeError],
    [{ epochs: 'file' }, TypeError],
    [{ epochs: { path: './epochs' } }, TypeError],
    [{ transport: {} }, TypeError],
    [{ transport: undefined }, TypeError],
  ])('that cannot be used are refused at once: %j', (options, error) => {
    expect(() => createEmitter({ ...base, ...options } as unknown as EmitterOptions)).toThrow(error);
  });

  it('have an off for every bound', async () => {
    const off = { maxQueuedEvents: Infinity, maxQueuedBytes: Infinity, maxBatchEvents: Infinity, maxBatchBytes: Infinity, maxAttempts: Infinity, maxEventBytes: Infinity, maxPayloadUnits: Infinity, maxSessions: Infinity, maxRequests: Infinity, maxUnits: Infinity };
    const { emitter, events } = collect({ ...off, ceiling: 'full' });
    const session = await emitter.session();
    session.emit('run.started', { run: 'r', data: { prompt: 'x'.repeat(2 ** 21) } });
    session.emit('run.finished', { run: 'r' });
    session.end();
    expect(await events()).toHaveLength(3);
  });

  it.each(['', '  ', 'a\nb', '\ud800', 'x'.repeat(513), 5, undefined])('need an agent with a usable name, not %j [E-020]', (agent) => {
    expect(refusal(() => createEmitter({ ...base, agent } as unknown as EmitterOptions))).toBe('invalid-identifier');
    if (agent !== undefined) expect(refusal(() => createEmitter({ ...base, host: agent } as unknown as EmitterOptions))).toBe('invalid-identifier');
  });
});
