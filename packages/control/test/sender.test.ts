import { type AepEvent, parseEvent } from '@aepkit/envelope';
import { buildEvent, manualClock, turn } from '@aepkit/testkit';
import { checkEmission, validatePayload } from '@aepkit/taxonomy';
import { describe, expect, it } from 'vitest';

import { type CommandOutcome, ControlError, createSender, REJECT_REASONS, type Sender, type SenderOptions, type SendRequest } from '../src/index.js';
import { CORE, requestOf } from './support.js';

const SOURCE = 'aep://desk/agent/desk';
const TARGET = 'aep://test/agent/a1/session/s1';

function bench(options: Partial<SenderOptions> = {}) {
  const clock = manualClock();
  let count = 0;
  const sender = createSender({ source: SOURCE, agent: 'desk', now: clock.now, timers: clock, createId: () => `c-${String(++count)}`, ...options });
  return { clock, sender };
}

function ack(cause: string, overrides: Record<string, unknown> = {}): AepEvent {
  return buildEvent({ type: 'control.accepted', cause, source: TARGET, data: undefined, ...overrides });
}

/** What a promise has come to, `undefined` while it is pending. */
async function now(outcome: Promise<CommandOutcome>): Promise<CommandOutcome | undefined> {
  let found: CommandOutcome | undefined;
  void outcome.then((value) => (found = value));
  await turn();
  return found;
}

const pause = (sender: Sender, request: Partial<SendRequest> = {}) => sender.command('control.pause', { session: 's1', ...request });

describe('a command', () => {
  it('is an ordinary Event of its sender, addressed to a session, without a position [C-003, C-004, C-005, C-006]', () => {
    const { sender } = bench();
    const { wire, id } = sender.command('control.cancel', { session: 's1', run: 'r1', cause: 'why', data: { scope: 'run' } });
    expect(wire.event).toEqual({
      aep: '0.1',
      id: 'c-1',
      type: 'control.cancel',
      time: '2026-01-01T00:00:00.000Z',
      source: SOURCE,
      agent: 'desk',
      session: 's1',
      run: 'r1',
      cause: 'why',
      data: { scope: 'run' },
    });
    expect(id).toBe('c-1');
    expect(parseEvent(wire.json).event).toEqual(wire.event);
    expect('seq' in wire.event || 'epoch' in wire.event).toBe(false);
  });

  it.each(['control.accepted', 'control.restart', 'tool.requested', 'x.acme.tool.go', 'x.acme.control', 'control', ''])('is not of type %j [C-003, C-056]', (type) => {
    const { sender } = bench();
    expect(() => sender.command(type, { session: 's1' })).toThrow(expect.objectContaining({ code: 'not-a-command' }));
    expect(sender.pending).toBe(0);
  });

  it.each([
    ['an answer without subject', 'control.attention.respond', { session: 's1', data: { answer: { option: 'a' } } }],
    ['an answer without answer', 'control.attention.respond', { session: 's1', subject: 'r', data: {} }],
    ['an answer without data', 'control.attention.respond', { session: 's1', subject: 'r' }],
    ['a cancel without scope', 'control.cancel', { session: 's1', data: {} }],
    ['a cancel without data', 'control.cancel', { session: 's1' }],
    ['a cancel of another scope', 'control.cancel', { session: 's1', data: { scope: 'all' } }],
    ['a cancel of a run that is not named', 'control.cancel', { session: 's1', data: { scope: 'run' } }],
    ['one without session', 'control.pause', {} as SendRequest],
    ['one with an empty session', 'control.pause', { session: '' }],
    ['one whose text is broken', 'control.pause', { session: 's1', data: { x: '\ud800' } }],
  ])('is refused before it is sent: %s [C-049, C-052, C-004]', (_, type, request) => {
    const { sender, clock } = bench();
    expect(() => sender.command(type, request as SendRequest)).toThrow(expect.objectContaining({ name: 'ControlError', code: 'invalid-command' }));
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
  });

  it('of each type satisfies its schema', () => {
    const { sender } = bench();
    const made = [
      sender.command('control.cancel', { session: 's1', data: { scope: 'session' } }),
      sender.command('control.pause', { session: 's1' }),
      sender.command('control.resume', { session: 's1', data: {} }),
      sender.respond(requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] }).event, { option: 'allow' }),
      sender.command('x.acme.control.rewind', { session: 's1', data: { steps: 3 } }),
    ];
    for (const { wire } of made) expect([...validatePayload(wire.event), ...checkEmission(wire.event)].filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(new Set(made.map(({ wire }) => wire.event.type))).toEqual(new Set([...CORE, 'x.acme.control.rewind']));
  });
});

describe('an answer to a request', () => {
  it('names session, subject and cause of the request [C-049, C-057]', () => {
    const { sender } = bench();
    const request = requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] }).event;
    const { wire } = sender.respond(request, { option: 'allow' });
    expect(wire.event).toMatchObject({ type: 'control.attention.respond', session: 's1', subject: request.id, cause: request.id, data: { answer: { option: 'allow' } } });
  });

  it('is not made for anything else', () => {
    const { sender } = bench();
    expect(() => sender.respond(buildEvent(), { option: 'a' })).toThrow(expect.objectContaining({ code: 'invalid-command' }));
  });

  const form = requestOf({ kind: 'form', fields: [{ id: 'env', type: 'select', label: 'Where', choices: [{ id: 'prod', label: 'Production' }], other: true }, { id: 'n', type: 'number', label: 'How many' }] }).event;

  it.each([
    ['an option', { option: 'allow' }, undefined],
    ['numbers', { values: { n: 3 } }, undefined],
    ['ids of choices', { values: { env: 'prod' } }, undefined],
    ['text', { text: 'because' }, 'full'],
    ['text in a form', { values: { env: 'elsewhere' } }, 'full'],
  ])('with %s goes out at the level that it needs [C-050]', (_, answer, capture) => {
    const { sender } = bench();
    const { wire } = sender.respond(form, answer);
    expect(wire.event.capture).toBe(capture);
    expect(wire.event.data).toEqual({ answer });
    expect(checkEmission(wire.event)).toEqual([]);
  });

  it('with text goes out at redacted, text changed and ids not, where the sender can redact [C-050]', () => {
    const { sender } = bench({ redact: (text) => text.replace('hunter2', '***') });
    const { wire } = sender.respond(form, { option: 'hunter2', text: 'it is hunter2', values: { env: 'prod', m: ['hunter2'], n: 4 } });
    expect(wire.event).toMatchObject({ capture: 'redacted', data: { answer: { option: 'hunter2', text: 'it is ***', values: { env: 'prod', m: ['***'], n: 4 } } } });
    const cancel = sender.command('control.cancel', { session: 's1', data: { scope: 'session', reason: 'hunter2' } });
    expect(cancel.wire.event).toMatchObject({ capture: 'redacted', data: { scope: 'session', reason: '***' } });
  });

  it('with text does not go out below redacted, nor at redacted where nobody can redact [C-050, C-052]', () => {
    const { sender } = bench();
    for (const capture of ['none', 'metadata', 'redacted'] as const) {
      expect(() => sender.respond(form, { text: 'secret' }, { capture })).toThrow(expect.objectContaining({ code: 'content-above-capture' }));
      expect(() => sender.command('control.cancel', { session: 's1', capture, data: { scope: 'session', reason: 'secret' } })).toThrow(
        expect.objectContaining({ code: 'content-above-capture' }),
      );
    }
    expect(sender.respond(form, { text: 'secret' }, { capture: 'full' }).wire.event.capture).toBe('full');
  });
});

describe('an ack', () => {
  it.each([undefined, {}])('control.accepted with data %j settles the command as accepted and no more [C-013, C-002]', async (data) => {
    const { sender, clock } = bench();
    const { id, outcome } = pause(sender);
    const event = ack(id, { data });
    expect(sender.observe(event)).toEqual({ type: 'ack', command: id, outcome: { type: 'accepted', ack: event }, late: false });
    expect(await now(outcome)).toEqual({ type: 'accepted', ack: event });
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
  });

  it.each(REJECT_REASONS)('control.rejected with reason %s is an outcome, not an error [C-012, C-014]', async (reason) => {
    const { sender } = bench();
    const { id, outcome } = pause(sender);
    const event = ack(id, { type: 'control.rejected', data: { reason, detail: 'later' } });
    sender.observe(event);
    expect(await now(outcome)).toEqual({ type: 'rejected', reason, detail: 'later', ack: event });
  });

  it.each([undefined, {}, { reason: 'timeout' }, { reason: 7 }, Object.create({ reason: 'busy' })])('control.rejected with data %j is a rejection without reason [C-025]', async (data) => {
    const { sender } = bench();
    const { id, outcome } = pause(sender);
    sender.observe({ ...ack(id, { type: 'control.rejected', capture: 'none' }), data });
    expect(await now(outcome)).toMatchObject({ type: 'rejected', reason: undefined });
  });

  it('from another session or another source than the one addressed is misrouted, and no answer [C-047]', async () => {
    const { sender } = bench();
    const { id, outcome } = pause(sender, { target: TARGET });
    expect(sender.observe(ack(id, { session: 's2' }))).toEqual({ type: 'misrouted', command: id });
    expect(sender.observe(ack(id, { source: 'aep://else/agent/x' }))).toEqual({ type: 'misrouted', command: id });
    expect(await now(outcome)).toBeUndefined();
  });

  it('behind the first is no answer either, whatever it says [C-047]', async () => {
    const { sender } = bench();
    const { id, outcome } = pause(sender);
    const first = ack(id);
    sender.observe(first);
    expect(sender.observe(ack(id, { type: 'control.rejected', data: { reason: 'busy' } }))).toEqual({ type: 'misrouted', command: id });
    expect(sender.observe(first)).toEqual({ type: 'repeated', command: id });
    expect(await now(outcome)).toMatchObject({ type: 'accepted' });
    expect(sender.outcome(id)).toMatchObject({ type: 'accepted' });
  });

  it('of somebody else’s command is none of ours', () => {
    const { sender } = bench();
    expect(sender.observe(ack('theirs'))).toBeUndefined();
    expect(sender.observe(buildEvent({ type: 'control.accepted', data: undefined }))).toBeUndefined();
  });
});

describe('silence', () => {
  it('beyond the window is a local timeout, and nothing is sent for it [C-024, C-025]', async () => {
    const { sender, clock } = bench();
    const { outcome, id } = pause(sender);
    await clock.advance(9_999);
    expect(await now(outcome)).toBeUndefined();
    await clock.advance(1);
    expect(await now(outcome)).toEqual({ type: 'timeout' });
    expect(sender.outcome(id)).toEqual({ type: 'timeout' });
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
  });

  it('counts from the last copy, by the window that the target declares', async () => {
    const { sender, clock } = bench();
    const { id, outcome } = pause(sender, { ackWindowMs: 100 });
    await clock.advance(99);
    expect(sender.retry(id).outcome).toBe(outcome);
    await clock.advance(99);
    expect(await now(outcome)).toBeUndefined();
    await clock.advance(1);
    expect(await now(outcome)).toEqual({ type: 'timeout' });
  });

  it('lasts where the window is off', async () => {
    const { sender, clock } = bench({ ackWindowMs: Infinity });
    const { outcome } = pause(sender);
    await clock.advance(1e9);
    expect(await now(outcome)).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  it('ends late: the ack is adopted and told', async () => {
    const late: unknown[] = [];
    const { sender, clock } = bench({ onLate: (...all) => late.push(all) });
    const { id, outcome } = pause(sender);
    await clock.advance(10_000);
    const event = ack(id);
    expect(sender.observe(event)).toEqual({ type: 'ack', command: id, outcome: { type: 'accepted', ack: event }, late: true });
    expect(await now(outcome)).toEqual({ type: 'timeout' });
    expect(late).toEqual([[id, { type: 'accepted', ack: event }]]);
    expect(sender.outcome(id)).toEqual({ type: 'accepted', ack: event });
  });
});

describe('a retry', () => {
  it('has the same id, source and bytes, and an outcome of its own after a timeout [C-008]', async () => {
    const { sender, clock } = bench();
    const first = pause(sender);
    await clock.advance(10_000);
    const again = sender.retry(first.id);
    expect(again.wire).toBe(first.wire);
    expect(again.wire.event).toMatchObject({ id: 'c-1', source: SOURCE });
    expect(await now(again.outcome)).toBeUndefined();
    sender.observe(ack(first.id));
    expect(await now(again.outcome)).toMatchObject({ type: 'accepted' });
  });

  it('of a refused command is a command again [C-039]', async () => {
    const { sender } = bench();
    const first = pause(sender);
    sender.refused({ cause: first.id, code: 'ambiguous' });
    const again = sender.retry(first.id);
    expect(again.wire).toBe(first.wire);
    sender.observe(ack(first.id));
    expect([await now(first.outcome), await now(again.outcome)]).toMatchObject([{ type: 'refused' }, { type: 'accepted' }]);
  });

  it('of an answered command keeps the answer', async () => {
    const { sender, clock } = bench();
    const first = pause(sender);
    sender.observe(ack(first.id));
    const again = sender.retry(first.id);
    expect(again.wire).toBe(first.wire);
    expect(await now(again.outcome)).toMatchObject({ type: 'accepted' });
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
  });

  it('of a late answered command gives that answer', async () => {
    const { sender, clock } = bench();
    const first = pause(sender);
    await clock.advance(10_000);
    sender.observe(ack(first.id));
    expect(await now(sender.retry(first.id).outcome)).toMatchObject({ type: 'accepted' });
  });

  it('of an unknown command is an error', () => {
    const { sender } = bench();
    expect(() => sender.retry('x')).toThrow(expect.objectContaining({ code: 'unknown-command' }));
  });
});

describe('an error frame', () => {
  it.each(['unauthorized', 'unsupported', 'ambiguous', 'no-route', 'invalid-event', 'made-up'])('with the id as cause settles the command as refused, code %s [C-038]', async (code) => {
    const { sender, clock } = bench();
    const { id, outcome } = pause(sender);
    expect(sender.refused({ cause: id, code, detail: 'why' })).toBe(true);
    expect(await now(outcome)).toEqual({ type: 'refused', code, detail: 'why' });
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
  });

  it.each([{}, { cause: 'other' }, { cause: 7 }, { code: 'no-route' }])('%j is about nothing of ours', async (frame) => {
    const { sender } = bench();
    const { outcome } = pause(sender);
    expect(sender.refused(frame)).toBe(false);
    expect(await now(outcome)).toBeUndefined();
  });

  it('without a usable code is a refusal all the same', async () => {
    const { sender } = bench();
    const { id, outcome } = pause(sender);
    sender.refused({ cause: id, code: 4, detail: {} });
    expect(await now(outcome)).toEqual({ type: 'refused', code: 'unknown' });
  });

  it('about a retry does not undo what the target has said, while an ack outweighs a refusal', async () => {
    const { sender } = bench();
    const [one, two] = [pause(sender), pause(sender)];
    sender.observe(ack(one.id));
    expect(sender.refused({ cause: one.id, code: 'no-route' })).toBe(true);
    expect(sender.outcome(one.id)).toMatchObject({ type: 'accepted' });
    sender.refused({ cause: two.id, code: 'no-route' });
    expect(sender.observe(ack(two.id))).toMatchObject({ type: 'ack', late: true });
    expect(sender.outcome(two.id)).toMatchObject({ type: 'accepted' });
  });
});

describe('an outcome', () => {
  it('is told apart from the ack, through either cause and through the answer [C-002, C-059]', () => {
    const { sender } = bench();
    const request = requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] }).event;
    const { id } = sender.respond(request, { option: 'allow' });
    const accepted = ack(id);
    expect(sender.observe(accepted)).toMatchObject({ type: 'ack' });
    const answered = buildEvent({ type: 'attention.answered', subject: request.id, cause: accepted.id, data: { answer: { option: 'allow' } } });
    const resolved = buildEvent({ type: 'attention.resolved', subject: request.id, cause: answered.id, data: { resolution: 'answered' } });
    expect([answered, resolved].map((event) => sender.observe(event))).toEqual([
      { type: 'outcome', command: id, via: 'ack' },
      { type: 'outcome', command: id, via: 'answered' },
    ]);
    expect(sender.observe(buildEvent({ type: 'run.cancelled', cause: 'else', data: undefined }))).toBeUndefined();
  });

  it('does not come of an ack that was misrouted [C-047]', () => {
    const { sender } = bench();
    const { id } = pause(sender, { target: TARGET });
    const stray = ack(id, { source: 'aep://else/agent/x' });
    sender.observe(stray);
    expect(sender.observe(buildEvent({ type: 'progress.status', cause: stray.id, data: undefined }))).toBeUndefined();
  });
});

describe('bounds', () => {
  it('refuse one command more than may wait, and forget answered ones, oldest first', () => {
    const { sender } = bench({ maxCommands: 2 });
    const [one, two] = [pause(sender), pause(sender)];
    expect(() => pause(sender)).toThrow(expect.objectContaining({ code: 'too-many-commands' }));
    expect(sender.pending).toBe(2);
    sender.observe(ack(one.id));
    pause(sender);
    expect([sender.outcome(one.id), sender.pending]).toEqual([undefined, 2]);
    expect(() => sender.retry(one.id)).toThrow(ControlError);
    expect(sender.retry(two.id).wire).toBe(two.wire);
  });

  it.each([0, -1, 1.5, NaN])('are not %s', (bad) => {
    expect(() => bench({ maxCommands: bad })).toThrow(RangeError);
    expect(() => bench({ ackWindowMs: bad })).toThrow(RangeError);
  });

  it('hold a closed sender to what it has said: waiting ones time out, and nothing more is taken', async () => {
    const { sender, clock } = bench();
    const { id, outcome } = pause(sender);
    sender.close();
    expect(await now(outcome)).toEqual({ type: 'timeout' });
    expect([sender.pending, clock.pending()]).toEqual([0, 0]);
    expect(() => pause(sender)).toThrow(expect.objectContaining({ code: 'closed' }));
    expect(() => sender.retry(id)).toThrow(expect.objectContaining({ code: 'closed' }));
  });
});
