import { type AepEvent, wireEvent, type WireEvent } from '@aepkit/envelope';
import { checkEmission, StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { buildWire, manualClock, turn } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type AckDraft, createInbox, type Decision, type InboxIncident, type InboxOptions } from '../src/index.js';
import { commandOf, CORE } from './support.js';

/** A target that owns the session `s1`, numbers its Events and keeps what it sends. */
function bench(options: Partial<InboxOptions> = {}) {
  const clock = manualClock(0);
  const sent: WireEvent[] = [];
  const incidents: InboxIncident[] = [];
  const asked: AepEvent[] = [];
  const executed: string[] = [];
  let seq = 0;
  const mint = (draft: AckDraft | Record<string, unknown>): WireEvent =>
    wireEvent({ aep: '0.1', id: `t-${String(seq)}`, time: new Date(clock.now()).toISOString(), source: 'aep://test/agent/a1/session/s1', agent: 'a1', seq: seq++, ...draft } as AepEvent);
  const inbox = createInbox({
    accepts: CORE,
    owns: (session) => session === 's1',
    decide: (command): Decision | Promise<Decision> => {
      asked.push(command);
      return { type: 'accepted', execute: () => void executed.push(command.id) };
    },
    mint,
    emit: (ack) => void sent.push(ack),
    onIncident: (incident) => incidents.push(incident),
    now: clock.now,
    timers: clock,
    ...options,
  });
  return { inbox, clock, sent, incidents, asked, executed, mint };
}

type Bench = ReturnType<typeof bench>;

const acks = (sent: readonly WireEvent[]) => sent.map(({ event }) => [event.type, event.cause, event.data?.reason]);

describe('a command', () => {
  it('that is taken is acked with control.accepted, cause and position, and executed once, behind the ack [C-007, C-013, C-017, C-016]', () => {
    const order: string[] = [];
    const it = bench({
      emit: () => void order.push('ack'),
      decide: () => ({ type: 'accepted', execute: (ack) => void order.push(`execute ${ack.event.id}`) }),
    });
    expect(it.inbox.receive(commandOf({ id: 'c1' }))).toBe('decided');
    expect(order).toEqual(['ack', 'execute t-0']);
    const other = bench();
    other.inbox.receive(commandOf({ id: 'c1' }));
    expect(other.sent[0]?.event).toEqual({
      aep: '0.1',
      id: 't-0',
      time: '1970-01-01T00:00:00.000Z',
      source: 'aep://test/agent/a1/session/s1',
      agent: 'a1',
      session: 's1',
      seq: 0,
      type: 'control.accepted',
      cause: 'c1',
    });
  });

  it.each(['unauthorized', 'busy', 'refused', 'invalid'] as const)('can be declined as %s, and is not executed then [C-011, C-014]', (reason) => {
    const it = bench({ decide: () => ({ type: 'rejected', reason }) });
    it.inbox.receive(commandOf({ id: 'c1' }));
    expect(acks(it.sent)).toEqual([['control.rejected', 'c1', reason]]);
    expect(it.sent.flatMap(({ event }) => [...validatePayload(event), ...checkEmission(event)])).toEqual([]);
  });

  it.each(['control.resume', 'x.acme.control.go', 'control.restart'])('of type %s, which is not listed, is nacked unsupported, and nobody is asked [C-029, C-066, C-056, E-115]', (type) => {
    const it = bench({ accepts: ['control.pause', 'x.acme.control.stop'] });
    const command = type === 'control.restart' ? buildWire({ id: 'c1', type, data: undefined }) : commandOf({ id: 'c1', type });
    it.inbox.receive(command);
    expect(acks(it.sent)).toEqual([['control.rejected', 'c1', 'unsupported']]);
    expect([it.asked, it.executed]).toEqual([[], []]);
  });

  it('of a type that is listed is never nacked unsupported [C-030]', () => {
    const it = bench({ accepts: [...CORE, 'x.acme.control.go'] });
    const all = [
      commandOf({ type: 'control.pause' }),
      commandOf({ type: 'control.resume', data: { x: 1 } }),
      commandOf({ type: 'control.cancel', data: {} }),
      commandOf({ type: 'control.attention.respond', data: { answer: { option: 'gone' } }, subject: 'nobody-knows' }),
      commandOf({ type: 'x.acme.control.go' }),
    ];
    for (const each of all) it.inbox.receive(each);
    expect(acks(it.sent).map(([, , reason]) => reason)).toEqual([undefined, undefined, 'invalid', undefined, undefined]);
  });

  it.each([
    ['no data', 'control.attention.respond', { subject: 'r' }],
    ['no answer', 'control.attention.respond', { subject: 'r', data: {} }],
    ['an empty answer', 'control.attention.respond', { subject: 'r', data: { answer: {} } }],
    ['an answer with nothing known in it', 'control.attention.respond', { subject: 'r', data: { answer: { toString: 'x' } } }],
    ['no subject', 'control.attention.respond', { data: { answer: { option: 'a' } } }],
    ['no scope', 'control.cancel', {}],
    ['another scope', 'control.cancel', { data: { scope: 'all' } }],
    ['a run that is not named', 'control.cancel', { data: { scope: 'run' } }],
  ])('with %s is nacked invalid, and nobody is asked', (_, type, overrides) => {
    const it = bench();
    it.inbox.receive(commandOf({ id: 'c1', type, ...overrides }));
    expect(acks(it.sent)).toEqual([['control.rejected', 'c1', 'invalid']]);
    expect(it.asked).toEqual([]);
  });

  it('with members that nobody knows, or a run beside scope session, is taken', () => {
    const it = bench();
    it.inbox.receive(commandOf({ data: { reason: 'lunch' } }));
    it.inbox.receive(commandOf({ type: 'control.cancel', run: 'r', data: { scope: 'session', extra: 1 } }));
    expect(it.executed).toHaveLength(2);
  });

  it.each([
    ['denies', () => false],
    ['fails', () => { throw new Error('down'); }],
  ])('is nacked unauthorized where the policy of the target %s [C-042, C-064, E-115]', (_, authorize) => {
    const it = bench({ authorize });
    it.inbox.receive(commandOf({ id: 'c1' }));
    expect(acks(it.sent)).toEqual([['control.rejected', 'c1', 'unauthorized']]);
    expect(it.asked).toEqual([]);
  });

  it('for a session of others is neither acked nor executed [C-067]', () => {
    const it = bench();
    expect(it.inbox.receive(commandOf({ session: 's2' }))).toBe('not-owned');
    expect([it.sent, it.asked, it.inbox.remembered]).toEqual([[], [], 0]);
  });

  it.each([{ type: 'control.accepted', data: undefined }, { type: 'tool.requested' }, { type: 'agent.idle', session: undefined, seq: undefined, data: undefined }])('is not what %j is', (overrides) => {
    const it = bench();
    expect(it.inbox.receive(buildWire(overrides))).toBe('not-a-command');
    expect(it.sent).toEqual([]);
  });
});

describe('a hello', () => {
  it('states the types that are taken and the window [C-061, E-114]', () => {
    expect(bench().inbox.control).toEqual({ accepts: [...CORE], ack_window_ms: 10_000 });
    expect(bench({ accepts: ['control.pause', 'control.pause'], ackWindowMs: 500 }).inbox.control).toEqual({ accepts: ['control.pause'], ack_window_ms: 500 });
  });

  it.each(['control.*', 'control.restart', 'tool.requested', ''])('does not state %j', (type) => {
    expect(() => bench({ accepts: [type] })).toThrow(TypeError);
  });
});

describe('a second delivery', () => {
  it('of an acked command draws the recorded ack byte for byte, and no second decision [C-019, C-020, C-010, C-016]', async () => {
    const it = bench();
    const command = commandOf();
    it.inbox.receive(command);
    await it.clock.advance(5_000);
    for (let i = 0; i < 3; i++) expect(it.inbox.receive(command)).toBe('repeated');
    expect(new Set(it.sent.map(({ json }) => json)).size).toBe(1);
    expect(it.sent).toHaveLength(4);
    expect([it.asked.length, it.executed.length]).toEqual([1, 1]);
  });

  it('of a nacked command draws the recorded nack, though it would be taken now [C-019, C-020]', () => {
    let willing = false;
    const it = bench({ decide: () => (willing ? { type: 'accepted' } : { type: 'rejected', reason: 'busy' }) });
    const command = commandOf();
    it.inbox.receive(command);
    willing = true;
    it.inbox.receive(command);
    expect(it.sent[1]?.json).toBe(it.sent[0]?.json);
    expect(acks(it.sent)[1]?.[2]).toBe('busy');
  });

  it('is told by source and id together [C-009]', () => {
    const it = bench();
    const one = commandOf({ id: 'same', source: 'aep://one/agent/x' });
    it.inbox.receive(one);
    expect(it.inbox.receive(commandOf({ id: 'same', source: 'aep://two/agent/x' }))).toBe('decided');
    expect(it.inbox.receive(commandOf({ id: 'same', source: 'aep://one/agent/x', data: { other: 'bytes' } }))).toBe('repeated');
    expect(it.executed).toHaveLength(2);
    expect(new Set(it.sent.map(({ event }) => event.id)).size).toBe(2);
  });

  it('while the decision is pending draws nothing; the one ack answers all [C-021]', async () => {
    const decision = Promise.withResolvers<Decision>();
    let asked = 0;
    const it = bench({ decide: () => (asked++, decision.promise) });
    const command = commandOf();
    expect([1, 2, 3].map(() => it.inbox.receive(command))).toEqual(['pending', 'pending', 'pending']);
    expect([it.sent, it.inbox.pending]).toEqual([[], 1]);
    decision.resolve({ type: 'accepted' });
    await turn();
    expect(it.sent).toHaveLength(1);
    expect([asked, it.inbox.pending, it.clock.pending()]).toEqual([1, 0, 0]);
  });

  it('after the session has ended draws the recorded ack all the same [C-019]', () => {
    let owned = true;
    const it = bench({ owns: () => owned });
    const command = commandOf();
    it.inbox.receive(command);
    owned = false;
    expect(it.inbox.receive(command)).toBe('repeated');
    expect(it.sent).toHaveLength(2);
    expect(it.inbox.receive(commandOf())).toBe('not-owned');
  });

  it('within the execution of the first finds its ack recorded [C-010]', () => {
    const it: Bench = bench({
      decide: (command) => ({
        type: 'accepted',
        execute: () => {
          expect(it.inbox.receive(commandOf({ id: command.id, source: command.source }))).toBe('repeated');
        },
      }),
    });
    it.inbox.receive(commandOf());
    expect(it.sent).toHaveLength(2);
    expect(it.sent[0]?.json).toBe(it.sent[1]?.json);
  });
});

describe('a decision that is confirmed when the ack is made', () => {
  it.each([
    ['stands where nothing speaks against it', () => undefined, 'control.accepted', undefined],
    ['gives way to a rejection', () => ({ type: 'rejected', reason: 'invalid' }) as const, 'control.rejected', 'invalid'],
    ['is busy where that cannot be told', () => { throw new Error('down'); }, 'control.rejected', 'busy'],
  ])('%s', async (_, confirm, type, reason) => {
    for (const later of [false, true]) {
      let executed = 0;
      const accepted = { type: 'accepted', confirm, execute: () => { executed++; } } as const;
      const it = bench({ decide: () => (later ? Promise.resolve(accepted) : accepted) });
      it.inbox.receive(commandOf({ id: 'c1' }));
      await turn();
      expect(acks(it.sent)).toEqual([[type, 'c1', reason]]);
      expect(executed).toBe(type === 'control.accepted' ? 1 : 0);
      expect(it.incidents.map((incident) => incident.type)).toEqual(reason === 'busy' ? ['decide-failed'] : []);
    }
  });
});

describe('the window', () => {
  it('ends with a nack busy ahead of its time where the decision takes longer; what comes then has no effect [C-018, C-016, E-116]', async () => {
    const decision = Promise.withResolvers<Decision>();
    let executed = 0;
    const it = bench({ decide: () => decision.promise });
    const command = commandOf();
    it.inbox.receive(command);
    await it.clock.advance(7_999);
    expect(it.sent).toEqual([]);
    await it.clock.advance(1);
    expect(acks(it.sent)).toEqual([['control.rejected', command.event.id, 'busy']]);
    decision.resolve({ type: 'accepted', execute: () => { executed++; } });
    await turn();
    it.inbox.receive(command);
    expect([it.sent.length, executed]).toEqual([2, 0]);
    expect(it.sent[0]?.json).toBe(it.sent[1]?.json);
  });

  it('is the one that was declared', async () => {
    const it = bench({ ackWindowMs: 100, decide: () => new Promise(() => undefined) });
    it.inbox.receive(commandOf());
    await it.clock.advance(99);
    expect(it.sent).toHaveLength(1);
  });

  it('cannot be off', () => {
    expect(() => bench({ ackWindowMs: Infinity })).toThrow(RangeError);
  });
});

describe('memory', () => {
  it('of decision and ack ends together; the command is a new one then [C-022, C-023]', async () => {
    const it = bench({ maxDecisions: 2, ackWindowMs: 100 });
    const [one, two, three] = [commandOf(), commandOf(), commandOf()];
    it.inbox.receive(one);
    it.inbox.receive(two);
    expect(it.inbox.receive(three)).toBe('overloaded');
    await it.clock.advance(600);
    expect(it.inbox.receive(three)).toBe('decided');
    expect(it.inbox.receive(two)).toBe('repeated');
    expect(it.inbox.receive(one)).toBe('decided');
    expect(it.executed).toEqual([one, two, three, one].map(({ event }) => event.id));
    expect(new Set(it.sent.map(({ event }) => event.id)).size).toBe(4);
    expect(it.inbox.remembered).toBe(2);
  });

  it('that is full of young decisions takes nothing: silence, where an early forgetting could execute twice [C-010]', async () => {
    const it = bench({ maxDecisions: 1 });
    it.inbox.receive(commandOf());
    await it.clock.advance(59_999);
    expect(it.inbox.receive(commandOf())).toBe('overloaded');
    expect([it.sent.length, it.executed.length]).toEqual([1, 1]);
  });

  it('is bounded in length as well', () => {
    const it = bench({ maxDecisionLength: 1_000 });
    it.inbox.receive(commandOf());
    expect(it.inbox.receive(commandOf({ id: 'x'.repeat(1_000) }))).toBe('overloaded');
    expect(it.executed).toHaveLength(1);
  });

  it('of what is pending is bounded: one more is nacked busy', () => {
    const it = bench({ maxPending: 2, decide: () => new Promise(() => undefined) });
    expect([1, 2, 3].map(() => it.inbox.receive(commandOf()))).toEqual(['pending', 'pending', 'decided']);
    expect(acks(it.sent).map(([, , reason]) => reason)).toEqual(['busy']);
  });

  it('of an ack that nobody could keep can be given up: the command is a new one then [C-022, C-023]', () => {
    const it = bench();
    const command = commandOf();
    it.inbox.receive(command);
    it.inbox.forget(command);
    it.inbox.forget(commandOf());
    expect([it.inbox.receive(command), it.inbox.remembered, it.executed.length]).toEqual(['decided', 1, 2]);
    expect(new Set(it.sent.map(({ event }) => event.id)).size).toBe(2);
  });

  it('of a pending decision cannot be given up [C-016]', async () => {
    const decision = Promise.withResolvers<Decision>();
    const it = bench({ decide: () => decision.promise });
    const command = commandOf();
    it.inbox.receive(command);
    it.inbox.forget(command);
    expect(it.inbox.receive(command)).toBe('pending');
    decision.resolve({ type: 'accepted' });
    await turn();
    expect(it.sent).toHaveLength(1);
  });

  it('ends with close: no ack, no effect, no timer', async () => {
    const decision = Promise.withResolvers<Decision>();
    const it = bench({ decide: () => decision.promise });
    it.inbox.receive(commandOf());
    it.inbox.close();
    decision.resolve({ type: 'accepted' });
    await turn();
    expect([it.sent, it.clock.pending(), it.inbox.receive(commandOf())]).toEqual([[], 0, 'closed']);
  });
});

describe('failures', () => {
  const boom = (): never => { throw new Error('boom'); };

  it.each([
    ['throws', boom],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('of a decision that %s are a nack busy', async (_, decide) => {
    const it = bench({ decide: decide });
    it.inbox.receive(commandOf());
    await turn();
    expect(acks(it.sent).map(([, , reason]) => reason)).toEqual(['busy']);
    expect(it.incidents.map(({ type }) => type)).toEqual(['decide-failed']);
  });

  it('of minting leave no decision: nothing is executed, and the next delivery gets one [C-016]', () => {
    let broken = true;
    const { mint } = bench();
    const it = bench({ mint: (draft) => (broken ? boom() : mint(draft)) });
    const command = commandOf();
    it.inbox.receive(command);
    expect([it.sent, it.executed]).toEqual([[], []]);
    broken = false;
    expect(it.inbox.receive(command)).toBe('decided');
    expect([it.sent.length, it.executed.length]).toEqual([1, 1]);
    expect(it.incidents.map(({ type }) => type)).toEqual(['mint-failed']);
  });

  it.each([
    ['throws', boom],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('of sending that %s leave the record, so that a retry brings the ack', async (_, fail) => {
    let broken = true;
    const sent: WireEvent[] = [];
    const it = bench({ emit: (ack) => (broken ? (fail as () => Promise<void>)() : void sent.push(ack)) });
    const command = commandOf();
    it.inbox.receive(command);
    await turn();
    broken = false;
    expect(it.inbox.receive(command)).toBe('repeated');
    expect([sent.length, it.executed.length]).toEqual([1, 1]);
    expect(it.incidents.map(({ type }) => type)).toEqual(['emit-failed']);
  });

  it('of the execution are told', async () => {
    const it = bench({ decide: () => ({ type: 'accepted', execute: () => Promise.reject(new Error('boom')) }) });
    it.inbox.receive(commandOf({ id: 'c1' }));
    await turn();
    expect(it.incidents).toEqual([{ type: 'execute-failed', command: 'c1', error: new Error('boom') }]);
  });
});

describe('the detail of a nack', () => {
  const decide = (): Decision => ({ type: 'rejected', reason: 'refused', detail: 'hunter2' });

  it.each([
    [undefined, undefined, undefined, undefined],
    ['metadata', undefined, undefined, undefined],
    ['redacted', undefined, undefined, undefined],
    ['full', undefined, 'full', 'hunter2'],
    ['redacted', (): string => '***', 'redacted', '***'],
    ['metadata', (): string => '***', undefined, undefined],
  ] as const)('at ceiling %s is what that level allows [C-015]', (capture, redact, level, detail) => {
    const it = bench({ decide, ...(capture === undefined ? {} : { capture }), ...(redact === undefined ? {} : { redact }) });
    it.inbox.receive(commandOf());
    expect(it.sent[0]?.event.capture).toBe(level);
    expect(it.sent[0]?.event.data).toEqual(detail === undefined ? { reason: 'refused' } : { reason: 'refused', detail });
    expect(checkEmission(it.sent[0]!.event)).toEqual([]);
  });

  it('goes with all data at none, in either ack', () => {
    const it = bench({ decide, capture: 'none' });
    it.inbox.receive(commandOf());
    expect(it.sent[0]?.event).toMatchObject({ type: 'control.rejected', capture: 'none' });
    expect('data' in it.sent[0]!.event).toBe(false);
    const other = bench({ capture: 'none' });
    other.inbox.receive(commandOf());
    expect(other.sent[0]?.event).toMatchObject({ type: 'control.accepted', capture: 'none' });
    expect(checkEmission(other.sent[0]!.event)).toEqual([]);
  });
});

describe('whatever is delivered, in any order, how often ever', () => {
  const act = fc.oneof(
    fc.record({ do: fc.constant('deliver' as const), id: fc.nat(4), source: fc.nat(1), type: fc.constantFrom('control.pause', 'control.resume', 'x.acme.control.go') }),
    fc.record({ do: fc.constant('decide' as const), at: fc.nat(9), yes: fc.boolean() }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 900) }),
  );

  it('there is one ack Event and at most one execution per command, and the stream is valid [C-016, C-018, C-019, C-020, C-021, C-025]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        const open: ((decision: Decision) => void)[] = [];
        const executed = new Map<string, number>();
        const it = bench({
          accepts: ['control.pause', 'x.acme.control.go'],
          ackWindowMs: 1_000,
          decide: (command) =>
            new Promise((resolve) => {
              open.push((decision) => {
                resolve(decision.type === 'accepted' ? { type: 'accepted', execute: () => void executed.set(command.id, (executed.get(command.id) ?? 0) + 1) } : decision);
              });
            }),
        });
        const delivered = new Map<string, { wire: WireEvent; at: number }>();
        for (const each of acts) {
          if (each.do === 'deliver') {
            const id = `${String(each.id)}-${String(each.source)}-${each.type}`;
            const known = delivered.get(id) ?? { wire: commandOf({ id, source: `aep://h${String(each.source)}/agent/x`, type: each.type }), at: it.clock.now() };
            delivered.set(id, known);
            it.inbox.receive(known.wire);
          } else if (each.do === 'decide') {
            open[each.at]?.(each.yes ? { type: 'accepted' } : { type: 'rejected', reason: 'refused' });
            await turn();
          } else {
            await it.clock.advance(each.ms);
          }
          // Within its window every command has its ack.
          for (const [id, { at }] of delivered) {
            if (it.clock.now() - at >= 1_000) expect(it.sent.some(({ event }) => event.cause === id)).toBe(true);
          }
        }
        for (const id of delivered.keys()) {
          const mine = it.sent.filter(({ event }) => event.cause === id);
          expect(new Set(mine.map(({ json }) => json)).size).toBeLessThanOrEqual(1);
          const accepted = mine[0]?.event.type === 'control.accepted';
          expect(executed.get(id) ?? 0).toBe(accepted ? 1 : 0);
          expect(mine[0]?.event.data?.reason).not.toBe('timeout');
          expect(mine[0]?.event.data?.reason === 'unsupported').toBe(mine.length > 0 && id.endsWith('resume'));
        }
        const validator = new StreamValidator();
        const issues = [...delivered.values()].flatMap(({ wire }) => validator.push(wire.event));
        expect([...issues, ...it.sent.flatMap(({ event }) => validator.push(event))].filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
