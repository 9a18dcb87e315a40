import { captureRank, captureOf, epochOf, parseEvent, severityOf, wireEvent, type AepEvent, type Severity, type WireEvent } from '@aepkit/envelope';
import { checkEmission, validatePayload } from '@aepkit/taxonomy';
import { manualClock, turn } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createEmitter, TransportError, type Emitter, type EmitterOptions, type Session } from '../src/index.js';
import { faults } from './support.js';

/** What happens next. */
type Step =
  | { readonly do: 'emit'; readonly session: number; readonly severity: Severity | undefined; readonly times: number }
  | { readonly do: 'ask' | 'end-run' | 'end'; readonly session: number }
  | { readonly do: 'fail'; readonly how: 'later' | 'half' | 'never' | 'one' }
  | { readonly do: 'recover' | 'wait' | 'flush' | 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('emit' as const), session: fc.nat(2), severity: fc.constantFrom(undefined, 'debug', 'info', 'notice', 'error'), times: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('ask' as const, 'end-run' as const, 'end' as const), session: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), how: fc.constantFrom('later' as const, 'half' as const, 'never' as const, 'one' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('recover' as const, 'wait' as const, 'flush' as const, 'restart' as const) }) },
);

/** All that an emitter may do, run against the simplest picture of it: a list of what was emitted, and one of what was lost. */
async function play(steps: readonly Step[], bounds: Pick<EmitterOptions, 'maxQueuedEvents' | 'maxBatchEvents' | 'ceiling'>): Promise<void> {
  const clock = manualClock(Date.UTC(2026, 5, 1));
  const arrived: WireEvent[] = [];
  const lost = { told: 0, named: new Set<string>() };
  const emitted = new Map<string, Severity>();
  let failing: 'later' | 'half' | 'never' | 'one' | undefined;
  const transport = {
    async send(batch: readonly WireEvent[]): Promise<void> {
      await turn();
      if (failing === 'later') throw new Error('down');
      if (failing === 'half') {
        arrived.push(...batch.slice(0, batch.length >> 1));
        throw new TransportError('half', { retryable: true, accepted: batch.length >> 1 });
      }
      // Taken, but nobody learns of it: what comes again is a redelivery.
      if (failing === 'never') {
        arrived.push(...batch);
        throw new Error('the answer was lost');
      }
      if (failing === 'one') {
        failing = undefined;
        throw new TransportError('no', { retryable: false, index: 0 });
      }
      arrived.push(...batch);
    },
  };
  // Time passes slowly enough for every batch to be answered.
  const pass = async <T>(promise: Promise<T>): Promise<T> => {
    const state = { over: false };
    void promise.then(() => { state.over = true; });
    while (!state.over) {
      await turn();
      await turn();
      await clock.advance(1);
    }
    return promise;
  };
  let epoch = 0;
  let sum = 0;
  const start = (): Emitter =>
    createEmitter({
      agent: 'agent',
      transport,
      redact: false,
      now: clock.now,
      timers: clock,
      random: () => 0.5,
      retryBaseMs: 10,
      retryMaxMs: 40,
      epochs: { open: (_name, source) => Promise.resolve({ epoch: (epoch += 1), source }) },
      onLoss: ({ count, events }) => {
        lost.told += count;
        for (const { id } of events) lost.named.add(id);
      },
      ...bounds,
    });
  let emitter = start();
  let life = 0;
  let sessions: (Session | undefined)[] = [];
  const session = async (at: number): Promise<Session> => (sessions[at] ??= await emitter.session(`s${String(life)}-${String(at)}`));
  const note = (id: string, severity: Severity): void => void emitted.set(id, severity);

  for (const next of steps) {
    switch (next.do) {
      case 'emit': {
        const to = await session(next.session);
        for (let count = 0; count < next.times; count += 1) {
          note(to.emit('progress.status', { ...(next.severity === undefined ? {} : { severity: next.severity }), data: { message: 'secret', percent: count } }), next.severity ?? 'info');
        }
        break;
      }
      case 'ask':
        note((await session(next.session)).emit('attention.requested', { data: { kind: 'input', prompt: 'secret' } }), 'notice');
        break;
      case 'end-run': {
        const run = `r${String(emitted.size)}`;
        note((await session(next.session)).emit('run.finished', { run, data: { summary: 'secret' } }), 'info');
        break;
      }
      case 'end': {
        const to = await session(next.session);
        const open = to.openRequests.length;
        note(to.end(), 'info');
        // The closings have ids that nobody was given.
        for (let count = 0; count < open; count += 1) note(`closing-${String(emitted.size)}`, 'notice');
        sessions[next.session] = undefined;
        life += 1;
        break;
      }
      case 'fail':
        failing = next.how;
        break;
      case 'recover':
        failing = undefined;
        break;
      case 'wait':
        await clock.advance(100);
        break;
      case 'flush': {
        const flushing = emitter.flush({ timeoutMs: 30 });
        await pass(flushing);
        break;
      }
      case 'restart': {
        const closing = emitter.close({ timeoutMs: 30 });
        const outcome = await pass(closing);
        sum += emitter.stats().sent + outcome.lost;
        expect(outcome.left).toBe(emitter.stats().lost.closed);
        emitter = start();
        // The same names go on.
        sessions = [];
        break;
      }
    }
    const { queued } = emitter.stats();
    expect(queued).toBeLessThanOrEqual(bounds.maxQueuedEvents!);
  }
  failing = undefined;
  const closing = emitter.close({ timeoutMs: 5000 });
  const outcome = await pass(closing);
  sum += emitter.stats().sent + outcome.lost;
  expect(outcome).toMatchObject({ done: true, left: 0 });
  expect(clock.pending()).toBe(0);

  // Every Event is accounted for: taken once, or lost and told.
  expect(sum).toBe(emitted.size);
  const ids = new Set(arrived.map(({ event }) => event.id));
  const firsts = [...ids].map((id) => arrived.find(({ event }) => event.id === id)!.event);
  for (const id of emitted.keys()) if (!id.startsWith('closing')) expect(ids.has(id) || lost.named.has(id) || lost.told > lost.named.size).toBe(true);

  // In order, once deduplicated; on no position twice; nothing above the ceiling; no content.
  const last = new Map<string, readonly [number, number]>();
  for (const event of firsts) {
    const at = [epochOf(event), event.seq!] as const;
    const before = last.get(event.session!);
    if (before !== undefined) expect(at[0] > before[0] || (at[0] === before[0] && at[1] > before[1])).toBe(true);
    last.set(event.session!, at);
    expect(captureRank(captureOf(event))).toBeLessThanOrEqual(captureRank(bounds.ceiling!));
    expect(validatePayload(event)).toEqual([]);
    const { json } = arrived.find((wire) => wire.event === event)!;
    expect([parseEvent(json).event, wireEvent(event).json]).toEqual([event, json]);
    expect(checkEmission(event).filter(({ severity }) => severity === 'error')).toEqual([]);
  }
  if (bounds.ceiling !== 'full') expect(arrived.some(({ json }) => json.includes('secret'))).toBe(false);
  const order = faults(firsts).map(({ code }) => code).filter((code) => code !== 'open-attention');
  expect(order).toEqual([]);
}

const bounds = fc.record({
  maxQueuedEvents: fc.constantFrom(3, 10, 1000),
  maxBatchEvents: fc.constantFrom(1, 4, 100),
  ceiling: fc.constantFrom('none' as const, 'metadata' as const, 'redacted' as const, 'full' as const),
});

describe('whatever happens', () => {
  it('order holds, nothing stands above its ceiling, and every Event is taken or counted as lost [E-070, E-071, B-148, B-183, B-184]', { timeout: 300_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), bounds, play), { numRuns: 400 });
  });

  it('nothing of notice and above is lost while the bounds hold [B-183]', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom<Severity>('debug', 'info', 'notice', 'warning', 'error', 'critical'), { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), async (severities, room) => {
        const transport = { down: true, taken: [] as AepEvent[], async send(batch: readonly WireEvent[]) { if (this.down) throw new Error('down'); this.taken.push(...batch.map(({ event }) => event)); } };
        const emitter = createEmitter({ agent: 'a', transport, maxQueuedEvents: room, batchDelayMs: 1000 });
        const session = await emitter.session();
        const kept: string[] = [];
        let weights: { id: string; severity: Severity }[] = [];
        for (const severity of severities) {
          const id = session.emit('progress.status', { severity });
          // The model: the least severe class goes first, the oldest of it ahead; what is lightest itself gives way.
          weights.push({ id, severity });
          if (weights.length > room) {
            const light = (['debug', 'info'] as const).find((level) => weights.some((entry) => entry.severity === level));
            const victim = light === undefined || (severity === 'debug' && !weights.slice(0, -1).some((entry) => entry.severity === 'debug')) ? weights.length - 1 : weights.findIndex((entry) => entry.severity === light);
            weights = weights.toSpliced(victim, 1);
          }
        }
        kept.push(...weights.map(({ id }) => id));
        transport.down = false;
        await emitter.close();
        expect(transport.taken.map(({ id }) => id)).toEqual(kept);
        const heavy = severities.filter((severity) => severity !== 'debug' && severity !== 'info').length;
        if (heavy <= room) expect(transport.taken.filter((event) => !['debug', 'info'].includes(severityOf(event)))).toHaveLength(heavy);
        expect(emitter.stats().lost['queue-full']).toBe(severities.length - kept.length);
      }),
      { numRuns: 300 },
    );
  });
});
