import { manualClock, turn } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { createEmitter, memoryTransport, type CommandHandler } from '../src/index.js';
import { ACCEPTS, acks, target } from './command-target.js';
import { faults } from './support.js';

describe('an emitter that takes commands', () => {
  it('states what it accepts, and within which time it answers [C-061, E-114]', async () => {
    const { peer } = await target(() => ({ type: 'accepted' }), { ackWindowMs: 5_000 });
    expect(peer).toMatchObject({ agent: 'agent', control: { accepts: ACCEPTS, ack_window_ms: 5_000 } });
    expect((await target(() => ({ type: 'accepted' }))).peer.control?.ack_window_ms).toBe(10_000);
  });

  it('states nothing where it takes none', () => {
    const attach = vi.fn();
    createEmitter({ agent: 'a', transport: { ...memoryTransport(), attach } });
    expect(attach.mock.calls).toEqual([[{ agent: 'a' }]]);
  });

  it.each([
    [{ accepts: ACCEPTS }],
    [{ onCommand: () => ({ type: 'accepted' }) as const }],
    [{ accepts: ['tool.requested'], onCommand: () => ({ type: 'accepted' }) as const }],
    [{ accepts: ACCEPTS, onCommand: () => ({ type: 'accepted' }) as const, transport: memoryTransport() }],
  ])('refuses options that do not go together: %o', (options) => {
    expect(() => createEmitter({ agent: 'a', transport: { ...memoryTransport(), attach: () => undefined }, ...options })).toThrow(TypeError);
  });

  it('acks with the next position of its session, and links what comes of it [C-007, C-013, C-016, C-017, C-054, C-058]', async () => {
    const { session, command, deliver, events } = await target(() => ({
      type: 'accepted',
      execute: (linked, ack) => {
        linked.emit('progress.status', { data: { phase: 'paused' } });
        linked.emit('progress.status', { data: { phase: 'later' }, cause: ack.id });
      },
    }));
    session.emit('progress.status', { data: { phase: 'working' } });
    await deliver(command());
    session.emit('progress.status', { data: { phase: 'resumed' } });
    await deliver();
    expect(events().map(({ type, seq, cause }) => [type, seq, cause])).toEqual([
      ['progress.status', 0, undefined],
      ['control.accepted', 1, 'c1'],
      ['progress.status', 2, 'c1'],
      ['progress.status', 3, events()[1]!.id],
      ['progress.status', 4, undefined],
    ]);
    expect(events()[1]).not.toHaveProperty('data');
    expect(faults([command().event, ...events()])).toEqual([]);
  });

  it('cancels a run, and the session [C-053]', async () => {
    const { session, command, deliver, events } = await target((asked) => ({
      type: 'accepted',
      execute: (linked) => {
        linked.emit('run.cancelled', { run: 'r1' });
        if (asked.data?.scope === 'session') linked.end();
      },
    }));
    session.emit('run.started', { run: 'r1' });
    await deliver(command({ type: 'control.cancel', data: { scope: 'session' } }));
    expect(events().map(({ type, cause }) => [type, cause])).toEqual([
      ['run.started', undefined],
      ['control.accepted', 'c1'],
      ['run.cancelled', 'c1'],
      ['session.ended', 'c1'],
    ]);
    // A sender that lost the ack asks again, when the session is over.
    await deliver(command({ type: 'control.cancel', data: { scope: 'session' } }), command({ id: 'c2' }));
    expect(acks(events()).map(({ type, id, data }) => [type, id, data])).toEqual([
      ['control.accepted', events()[1]!.id, undefined],
      ['control.accepted', events()[1]!.id, undefined],
      ['control.rejected', expect.any(String), { reason: 'invalid' }],
    ]);
  });

  it('answers a request for attention: answered, then resolved, with subject and cause [C-051, C-060]', async () => {
    const { session, command, deliver, events } = await target((asked) => ({
      type: 'accepted',
      execute: (linked) => {
        linked.emit('attention.answered', { subject: asked.subject!, data: { answer: { option: 'yes' } } });
        linked.emit('attention.resolved', { subject: asked.subject!, data: { resolution: 'answered' } });
      },
    }));
    const request = session.emit('attention.requested', { data: { kind: 'permission', prompt: 'Go on?', options: [{ id: 'yes', label: 'Yes' }] } });
    const respond = command({ type: 'control.attention.respond', subject: request, cause: request, data: { answer: { option: 'yes' } } });
    await deliver(respond);
    expect(events().map(({ type, subject, cause }) => [type, subject, cause])).toEqual([
      ['attention.requested', undefined, undefined],
      ['control.accepted', undefined, 'c1'],
      ['attention.answered', request, 'c1'],
      ['attention.resolved', request, 'c1'],
    ]);
    expect(faults([events()[0]!, respond.event, ...events().slice(1)])).toEqual([]);
  });

  it.each(['refused', 'busy', 'unauthorized', 'invalid'] as const)('declines with reason %s, without more [C-011, C-014, C-015, C-042, E-115]', async (reason) => {
    const { command, deliver, events } = await target(() => ({ type: 'rejected', reason, detail: 'secret words' }));
    await deliver(command());
    expect(events()).toMatchObject([{ type: 'control.rejected', cause: 'c1', data: { reason } }]);
    expect(events()[0]!.data).toEqual({ reason });
  });

  it('says more where content is let through, redacted', async () => {
    const redact = (text: string): string => text.replaceAll('secret', '[REDACTED:secret]');
    const { command, deliver, events } = await target(() => ({ type: 'rejected', reason: 'refused', detail: 'no secret' }), { ceilings: { control: 'redacted' }, redact });
    await deliver(command());
    expect(events()).toMatchObject([{ type: 'control.rejected', capture: 'redacted', data: { reason: 'refused', detail: 'no [REDACTED:secret]' } }]);
  });

  it('does not ask about what it does not accept [C-029, C-056, E-115]', async () => {
    const decide = vi.fn<CommandHandler>(() => ({ type: 'accepted' }));
    const { command, deliver, events } = await target(decide);
    await deliver(command({ type: 'control.resume' }), command({ id: 'c2', type: 'x.acme.control.shred' }));
    expect(events().map(({ type, data }) => [type, data])).toEqual([
      ['control.rejected', { reason: 'unsupported' }],
      ['control.rejected', { reason: 'unsupported' }],
    ]);
    expect(decide).not.toHaveBeenCalled();
    await deliver(command({ id: 'c3', type: 'x.acme.control.reboot' }));
    expect(events().at(-1)?.type).toBe('control.accepted');
  });

  it('sends the recorded ack again, byte for byte, and executes once [C-010, C-019, C-020, C-021, C-022]', async () => {
    const execute = vi.fn();
    const { promise, resolve } = Promise.withResolvers<{ type: 'accepted'; execute: () => void }>();
    const decide = vi.fn<CommandHandler>(() => promise);
    const { session, command, deliver, wires } = await target(decide);
    await deliver(command(), command());
    expect(wires).toEqual([]);
    resolve({ type: 'accepted', execute });
    await deliver();
    session.emit('progress.status', { data: { phase: 'between' } });
    await deliver(command(), command());
    const texts = wires.filter(({ event }) => event.type === 'control.accepted').map(({ json }) => json);
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(1);
    expect([decide.mock.calls.length, execute.mock.calls.length]).toEqual([1, 1]);
    session.emit('progress.status', { data: { phase: 'after' } });
    await deliver();
    expect(wires.at(-1)!.event.seq).toBe(2);
  });

  it('takes one id of two sources for two commands [C-009]', async () => {
    const decide = vi.fn<CommandHandler>(() => ({ type: 'accepted' }));
    const { command, deliver, events } = await target(decide);
    await deliver(command(), command({ source: 'x:other' }));
    expect(decide).toHaveBeenCalledTimes(2);
    expect(events().map(({ type, seq, cause }) => [type, seq, cause])).toEqual([
      ['control.accepted', 0, 'c1'],
      ['control.accepted', 1, 'c1'],
    ]);
  });

  it('leaves alone what is for a session it does not own [C-067]', async () => {
    const decide = vi.fn<CommandHandler>(() => ({ type: 'accepted' }));
    const { emitter, command, deliver, events } = await target(decide);
    const released = await emitter.session();
    released.release();
    await deliver(command({ session: 'elsewhere' }), command({ id: 'c2', session: released.name }));
    expect([decide.mock.calls.length, events()]).toEqual([0, []]);
  });

  it('answers busy where no decision comes in time, or none that can be used [C-018, E-116]', async () => {
    const clock = manualClock();
    const { promise, resolve } = Promise.withResolvers<{ type: 'accepted'; execute: () => void }>();
    const execute = vi.fn();
    const answers: (() => unknown)[] = [
      () => promise,
      () => {
        throw new Error('decide');
      },
      () => Promise.reject(new Error('later')),
      () => undefined,
    ];
    const { command, deliver, events, troubles, emitter } = await target(() => answers.shift()!() as ReturnType<CommandHandler>, { timers: clock });
    await deliver(command({ id: 'slow' }), command({ id: 'throws' }), command({ id: 'rejects' }), command({ id: 'nothing' }));
    await clock.advance(8_000);
    resolve({ type: 'accepted', execute });
    await turn();
    await emitter.flush();
    expect(new Map(acks(events()).map(({ cause, data }) => [cause, data?.reason]))).toEqual(new Map([['throws', 'busy'], ['nothing', 'busy'], ['rejects', 'busy'], ['slow', 'busy']]));
    expect(execute).not.toHaveBeenCalled();
    expect(troubles.map(({ type }) => type)).toEqual(['command', 'command', 'command']);
  });

  it('tells of an execution that fails', async () => {
    const { command, deliver, troubles, events } = await target(() => ({
      type: 'accepted',
      execute: (session) => {
        session.emit('run.started', { run: 'r' });
        throw new Error('half way');
      },
    }));
    await deliver(command());
    expect(troubles).toEqual([{ type: 'command', error: new Error('half way') }]);
    expect(events().map(({ type }) => type)).toEqual(['control.accepted', 'run.started']);
  });

  it('acks nothing any more when it is closed', async () => {
    const { emitter, command, deliver, events } = await target(() => ({ type: 'accepted' }));
    await emitter.close();
    await deliver(command());
    expect(events()).toEqual([]);
  });

  it('gives each command one distinct ack, whatever comes how often [C-016, C-020]', async () => {
    const delivery = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      source: fc.constantFrom('x:1', 'x:2'),
      type: fc.constantFrom('control.pause', 'control.resume'),
      settle: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 30 }), async (deliveries) => {
        const waiting: (() => void)[] = [];
        const decided: string[] = [];
        const { command, deliver, wires } = await target(({ id, source }) => {
          decided.push(`${id} ${source}`);
          return new Promise((resolve) => waiting.push(() => resolve(id === 'b' ? { type: 'rejected', reason: 'refused' } : { type: 'accepted' })));
        });
        for (const { settle, ...each } of deliveries) {
          await deliver(command(each));
          if (settle) waiting.shift()?.();
        }
        for (const settle of waiting) settle();
        await deliver();
        const commands = new Set(deliveries.map(({ id, source }) => `${id} ${source}`));
        const distinct = new Set(wires.map(({ json }) => json));
        expect(distinct.size).toBe(commands.size);
        expect(new Set(decided).size).toBe(decided.length);
        expect(new Set(wires.map(({ event }) => event.seq)).size).toBe(distinct.size);
      }),
      { numRuns: 40 },
    );
  });
});
