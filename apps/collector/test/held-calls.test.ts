import type { Principal } from '@aepkit/access';
import { adapter as claudeCode } from '@aepkit/adapter-claude-code';
import { adapter as codex } from '@aepkit/adapter-codex';
import { createRouter, createSender, type Sender } from '@aepkit/control';
import { SILENT_LOG } from '@aepkit/endpoint';
import type { AepEvent, Capture, WireEvent } from '@aepkit/envelope';
import { openHistory } from '@aepkit/history';
import { type EventLog, Hub, HubError, type PeerConnection, type Sink } from '@aepkit/hub';
import { checkEmission, StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { buildWire, type ManualClock, manualClock, tempDir, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import type { HeldCall } from '../src/held-call.js';
import { type HeldCalls, heldCalls, type HeldCallsParts } from '../src/held-calls.js';
import { provenPrint } from '../src/hold-proof.js';
import { type HookIntake, hookIntake } from '../src/hook-intake.js';

const ANYBODY: Principal = { name: 'anybody', scopes: new Set(['emit']), authenticated: false };
const OWNER: Principal = { name: 'owner', scopes: new Set(['emit', 'observe', 'control']), authenticated: true };
const KEY = 'k'.repeat(43);

const CALL = { session_id: 's', prompt_id: 'p', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } };
const asks = (members: object = {}): object => ({ ...CALL, hook_event_name: 'PermissionRequest', ...members });
let calls = 0;
const callKey = (): string => `01K0000000000000000${String(++calls).padStart(7, '0')}`;

interface Bench {
  readonly clock: ManualClock;
  readonly hub: Hub;
  readonly holds: HeldCalls;
  readonly intake: HookIntake;
  readonly sender: Sender;
  /** What a subscriber got. */
  readonly events: AepEvent[];
  readonly texts: string[];
  onEvent: (event: AepEvent) => void;
  /** Makes the next batches fail. */
  failing: boolean;
  /** The next batches wait for it. */
  gate: Promise<undefined> | undefined;
  /** Takes a call as the route does. */
  hold(payload?: object, options?: { agent?: string; waitMs?: number; key?: string }): Promise<{ held: HeldCall | undefined; request: AepEvent | undefined; answer: () => Promise<unknown>; key: string }>;
  take(payload: object): Promise<unknown>;
  /** Sends a command, and gives the refusal code of the hub, or `sent`. */
  send(wire: WireEvent): Promise<string>;
  answer(request: AepEvent, answer: Readonly<Record<string, string>>): Promise<unknown>;
}

async function bench(use: (it: Bench) => Promise<void>, parts: Partial<HeldCallsParts> & { ceiling?: Capture } = {}): Promise<void> {
  await using dir = await tempDir();
  const history = await openHistory({ path: dir.file('history.sqlite'), buffer: 1_000, writer: 'inline' });
  const { ceiling, ...more } = parts;
  const clock = manualClock();
  const log: EventLog = {
    append: async (batch) => {
      await it.gate;
      if (it.failing) throw new Error('disk full');
      return await history.append(batch);
    },
    onCommit: (listener) => history.onCommit(listener),
    replay: (...all) => history.replay(...all),
    mark: () => history.mark(),
    buffer: history.buffer,
  };
  const hub = new Hub({ log, id: 'c', commands: createRouter() });
  const definitions = [claudeCode, codex];
  const adapters = definitions.map((definition) => definition.create({ host: 'box', now: clock.now, ...(ceiling === undefined ? {} : { ceiling }) }));
  const holds = heldCalls({
    hub,
    definitions,
    times: new Map([['claude-code', 60_000], ['codex', 60_000]]),
    key: KEY,
    instance: 'c1',
    log: SILENT_LOG,
    now: clock.now,
    timers: { setTimeout: (run, ms) => clock.setTimeout(run, ms), clearTimeout: (id) => { clock.clearTimeout(id as number | undefined); } },
    ...more,
  });
  const intake = hookIntake({ adapters, history, hub: holds.hub });
  holds.start(intake);
  const events: AepEvent[] = [];
  const texts: string[] = [];
  const sink: Sink = {
    write: ({ deliveries }) => {
      for (const { event } of deliveries) {
        events.push(event.event);
        texts.push(event.json);
        sender.observe(event.event);
        it.onEvent(event.event);
      }
      return true;
    },
    drained: () => Promise.resolve(),
    exhausted: () => undefined,
    close: () => undefined,
  };
  const sender = createSender({ source: 'aep://desk/agent/desk', agent: 'desk', ackWindowMs: Infinity });
  const desk: PeerConnection = { id: 'desk', principal: OWNER, role: 'both', agent: 'desk', send: () => true };
  hub.connect({ sink, principal: OWNER, peer: desk }).subscribe({ id: 'all' });
  const it: Bench = {
    clock,
    hub,
    holds,
    intake,
    sender,
    events,
    texts,
    onEvent: () => undefined,
    failing: false,
    gate: undefined,
    async hold(payload = asks(), { agent = 'claude-code', waitMs = 60_000, key = callKey() } = {}) {
      const held = holds.prepare({ agent, payload, key, waitMs });
      const made = await intake.take(agent, payload, ANYBODY, { key, ...held?.read });
      let found: unknown;
      void held?.answer.then((value) => (found = value));
      return {
        held,
        key,
        request: made.find(({ event }) => event.type === 'attention.requested')?.event,
        answer: async () => {
          await settle();
          return found;
        },
      };
    },
    take: (payload) => intake.take('claude-code', payload, ANYBODY, { key: callKey() }),
    send: (wire) => hub.ingest([wire], { principal: OWNER, via: 'connection', connection: desk }).then(() => 'sent', codeOf),
    async answer(request, answer) {
      const { wire, outcome, id } = sender.respond(request, answer);
      const sent = await it.send(wire);
      if (sent !== 'sent') sender.refused({ cause: id, code: sent });
      return await outcome;
    },
  };
  try {
    await use(it);
  } finally {
    holds.close();
    await hub.close();
    await history.close();
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof HubError)) throw error;
  return error.refusal?.code ?? error.code;
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

const types = (events: readonly AepEvent[]): string[] => events.map(({ type }) => type);
const decision = (behavior: string) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } });

describe('a held call', () => {
  it('claims its session for the target of its agent, which says what it takes; a call without a hold claims none [C-061]', async () => {
    await bench(async ({ hub, hold, take }) => {
      await take(asks({ session_id: 'u' }));
      await hold();
      await hold(asks({ session_id: 't', turn_id: 'x' }), { agent: 'codex' });
      const roster = hub.connect({ sink: { write: () => true, drained: () => Promise.resolve(), exhausted: () => undefined, close: () => undefined }, principal: OWNER }).roster();
      const control = { accepts: ['control.attention.respond'], ack_window_ms: 10_000 };
      expect(roster).toEqual([
        { session: 's', agent: 'claude-code', instance: 'c1', control },
        { session: 't', agent: 'codex', instance: 'c1', control },
      ]);
    });
  });

  it.each([
    ['claude-code', { option: 'allow' }, 'allow', undefined],
    ['codex', { option: 'deny', text: 'no!' }, 'deny', 'no!'],
    ['claude-code', { text: ' Allow ' }, 'allow', undefined],
    ['claude-code', { text: 'go on then' }, 'deny', 'go on then'],
  ])('of %s that is answered with %j is told to %s, proven [C-016, C-017, C-051, C-058, C-060]', async (agent, given, behavior, message) => {
    await bench(async (it) => {
      const { request, answer, key } = await it.hold(asks({ turn_id: 'p' }), { agent });
      expect(request?.data?.respond_via).toEqual(['control']);
      const outcome = await it.answer(request!, given);
      expect(outcome).toMatchObject({ type: 'accepted' });
      const said = (await answer()) as { print: string };
      expect(JSON.parse(provenPrint(said, KEY, key) ?? '')).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...(message === undefined ? {} : { message }) } } });
      expect(provenPrint(said, KEY, callKey())).toBeUndefined();
      expect(provenPrint({ ...said, print: said.print.replace('deny', 'allow'), extra: 1 }, 'x'.repeat(43), key)).toBeUndefined();
      const [, command, ack, answered, resolved] = it.events;
      expect(types(it.events)).toEqual(['attention.requested', 'control.attention.respond', 'control.accepted', 'attention.answered', 'attention.resolved']);
      expect([ack?.cause, answered?.cause, resolved?.cause]).toEqual([command?.id, command?.id, answered?.id]);
      expect([ack?.seq, answered?.seq, resolved?.seq]).toEqual([1, 2, 3]);
      expect([answered?.subject, resolved?.subject]).toEqual([request!.id, request!.id]);
      expect(answered?.data).toMatchObject({ answer: { option: behavior }, via: 'control' });
      expect(it.holds.held).toBe(0);
    });
  });

  it('can be answered in the very turn in which its request is seen', async () => {
    await bench(async (it) => {
      it.onEvent = (event) => {
        if (event.type === 'attention.requested') void it.send(it.sender.respond(event, { option: 'allow' }).wire);
      };
      const { answer } = await it.hold();
      expect(await answer()).toMatchObject({ held: 'answered' });
    });
  });

  it.each(['none', 'metadata', 'redacted', 'full'] as const)('is answered at ceiling %s, with nothing above it [C-015]', async (ceiling) => {
    await bench(
      async (it) => {
        const { request, answer } = await it.hold(asks({ tool_input: { command: 'echo AKIAIOSFODNN7EXAMPLE hunter-two' } }));
        expect(await it.answer(request!, { option: 'perhaps' })).toMatchObject({ type: 'rejected' });
        expect(await it.answer(request!, { option: 'deny', text: 'AKIAIOSFODNN7EXAMPLE is no hunter-two' })).toMatchObject({ type: 'accepted' });
        expect(await answer()).toMatchObject({ held: 'answered', print: expect.stringContaining('AKIAIOSFODNN7EXAMPLE is no hunter-two') as string });
        const made = it.events.filter(({ agent }) => agent === 'claude-code');
        expect(made).toHaveLength(5);
        expect(made.flatMap((event) => [...validatePayload(event), ...checkEmission(event)]).filter(({ severity }) => severity === 'error')).toEqual([]);
        const text = JSON.stringify(made);
        expect(text.includes('AKIAIOSFODNN7EXAMPLE')).toBe(ceiling === 'full');
        expect(text.includes('hunter-two')).toBe(ceiling === 'full' || ceiling === 'redacted');
        expect(text.includes('"reason":"invalid"')).toBe(ceiling !== 'none');
        const validator = new StreamValidator();
        expect([...it.events.flatMap((event) => validator.push(event))].filter(({ severity }) => severity === 'error')).toEqual([]);
      },
      { ceiling },
    );
  });

  it('that its shim has read gets the decision, and no reply', async () => {
    await bench(async (it) => {
      const key = callKey();
      const held = it.holds.prepare({ agent: 'claude-code', read: true, key, waitMs: 1000 });
      const record = claudeCode.create({ host: 'other' }).read(asks(), { key, ...held?.read });
      const made = await it.intake.takeRecord(JSON.parse(JSON.stringify(record)), ANYBODY, held?.read);
      await it.answer(made[0]!.event, { option: 'deny', text: 'why' });
      expect(await held?.answer).toMatchObject({ held: 'answered', print: '{"behavior":"deny","message":"why"}' });
    });
  });

  it('is answered once: a retry draws the recorded ack, also after the end of the session [C-019, C-020, C-065]', async () => {
    await bench(async (it) => {
      const { request } = await it.hold();
      const { wire, outcome } = it.sender.respond(request!, { option: 'allow' });
      await it.send(wire);
      await outcome;
      await it.take({ session_id: 's', hook_event_name: 'SessionEnd' });
      expect(await it.send(wire)).toBe('sent');
      await settle();
      const acks = it.texts.filter((text) => text.includes('"control.accepted"'));
      expect([acks.length, new Set(acks).size]).toEqual([2, 1]);
      expect(types(it.events).filter((type) => type === 'attention.answered')).toHaveLength(1);
    });
  });

  it.each([
    ['an option that was not offered', { option: 'always' }],
    ['a form', { values: {} }],
    ['nothing', { note: 'x' }],
  ])('is not answered by %s, and waits on [C-018]', async (_, given) => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      expect(await it.answer(request!, given as never)).toMatchObject({ type: 'rejected', reason: 'invalid' });
      expect(await answer()).toBeUndefined();
      expect(await it.answer(request!, { option: 'allow' })).toMatchObject({ type: 'accepted' });
    });
  });

  it('is not answered for a request that is none, that is over, or that is of another session', async () => {
    await bench(async (it) => {
      const { request } = await it.hold();
      const other = await it.hold(asks({ session_id: 't' }));
      expect(await it.answer({ ...request!, id: 'else' }, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
      expect(await it.answer({ ...other.request!, id: request!.id }, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
      await it.answer(request!, { option: 'allow' });
      expect(await it.answer(request!, { option: 'deny' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
    });
  });

  it('is answered by nobody while another connection claims its session', async () => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      const impostor: PeerConnection = { id: 'x', principal: OWNER, role: 'emitter', capabilities: { control: { accepts: ['control.attention.respond'] } }, send: () => true };
      const connection = it.hub.connect({ sink: { write: () => true, drained: () => Promise.resolve(), exhausted: () => undefined, close: () => undefined }, principal: OWNER, peer: impostor });
      await it.hub.ingest([buildWire({ session: 's' })], { principal: OWNER, via: 'connection', connection: impostor });
      expect(await it.answer(request!, { option: 'allow' })).toEqual({ type: 'refused', code: 'ambiguous' });
      expect(await answer()).toBeUndefined();
      connection.close();
      expect(await it.answer(request!, { option: 'allow' })).toMatchObject({ type: 'accepted' });
    });
  });
});

describe('a session that is resumed', () => {
  const begins = (source: string) => ({ session_id: 's', hook_event_name: 'SessionStart', source });
  const ends = { session_id: 's', hook_event_name: 'SessionEnd', reason: 'other' };

  it.each([
    ['and has asked before', true],
    ['and never did', false],
  ])('under its old id behind its end %s asks once more, and is answered', async (_, before) => {
    await bench(async (it) => {
      await it.take(begins('startup'));
      if (before) {
        const { request, answer } = await it.hold();
        expect(await it.answer(request!, { option: 'deny' })).toMatchObject({ type: 'accepted' });
        expect(await answer()).toMatchObject({ held: 'answered' });
      }
      await it.take(ends);
      await it.take(begins('resume'));
      const { request, answer } = await it.hold();
      expect(await it.answer(request!, { option: 'allow' })).toMatchObject({ type: 'accepted' });
      expect(await answer()).toMatchObject({ held: 'answered', print: JSON.stringify(decision('allow')) });
      expect(types(it.events).filter((type) => type === 'session.started' || type === 'session.ended')).toEqual(['session.started', 'session.ended', 'session.started']);
    });
  });
});

describe('the time of a hold', () => {
  it.each([
    [60_000, 90_000],
    [5_000, 5_000],
  ])('is the shorter one of both sides: the request times out after %i ms', async (ms, waitMs) => {
    await bench(async (it) => {
      const { request, answer } = await it.hold(asks(), { waitMs });
      expect(Date.parse(request?.data?.expires_at as string) - it.clock.now()).toBe(ms);
      await it.clock.advance(ms - 1);
      expect(await answer()).toBeUndefined();
      await it.clock.advance(1);
      expect(await answer()).toEqual({ held: 'expired' });
      expect(it.events.at(-1)).toMatchObject({ type: 'attention.timeout', subject: request!.id, cause: request!.id });
      expect(await it.answer(request!, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
      expect([it.holds.held, it.clock.pending()]).toEqual([0, 0]);
    });
  });

  it('ends with the call that goes on, and the request is closed once', async () => {
    await bench(async (it) => {
      await it.take({ session_id: 's', prompt_id: 'p', hook_event_name: 'UserPromptSubmit', prompt: 'x' });
      await it.take({ ...CALL, hook_event_name: 'PreToolUse', tool_use_id: 'u' });
      const { request, answer } = await it.hold();
      await it.take({ ...CALL, hook_event_name: 'PostToolUse', tool_use_id: 'u', tool_response: 'done' });
      expect(await answer()).toEqual({ held: 'released' });
      await it.clock.advance(100_000);
      await settle();
      expect(it.events.filter(({ subject, type }) => subject === request!.id && /resolved|timeout/.test(type))).toHaveLength(1);
      expect(await it.answer(request!, { option: 'deny' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
    });
  });

  it('is kept by an answer that is on its way to the disk', async () => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      const gate = Promise.withResolvers<undefined>();
      const sent = it.send(it.sender.respond(request!, { option: 'allow' }).wire);
      it.gate = gate.promise;
      await it.clock.advance(60_000);
      expect(await answer()).toBeUndefined();
      gate.resolve(undefined);
      await sent;
      expect(await answer()).toMatchObject({ held: 'answered' });
      expect(types(it.events)).not.toContain('attention.timeout');
    });
  });

  it('ends without a word where what closes the request is on its way', async () => {
    await bench(async (it) => {
      const { answer } = await it.hold();
      const gate = Promise.withResolvers<undefined>();
      it.gate = gate.promise;
      const ended = it.take({ session_id: 's', hook_event_name: 'SessionEnd' });
      await it.clock.advance(60_000);
      expect(await answer()).toEqual({ held: 'expired' });
      gate.resolve(undefined);
      await ended;
      await settle();
      expect(types(it.events)).toEqual(['attention.requested', 'attention.resolved', 'session.ended']);
    });
  });

  it('ends with the session', async () => {
    await bench(async (it) => {
      const { answer } = await it.hold();
      await it.take({ session_id: 's', hook_event_name: 'SessionEnd' });
      expect(await answer()).toEqual({ held: 'released' });
      expect(types(it.events)).toContain('attention.resolved');
    });
  });

  it('ends for answers when the shim has gone; the request waits for what the agent says, or for its time', async () => {
    await bench(async (it) => {
      const { held, request, answer } = await it.hold();
      held?.abandon();
      expect(await it.answer(request!, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'refused' });
      expect(await answer()).toBeUndefined();
      await it.clock.advance(60_000);
      await settle();
      expect(it.events.at(-1)).toMatchObject({ type: 'attention.timeout', subject: request!.id });
    });
  });

  it('ends at once with the collector, and no command is taken any more', async () => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      it.holds.close();
      expect(await answer()).toEqual({ held: 'released' });
      expect(await it.send(it.sender.respond(request!, { option: 'allow' }).wire)).toBe('no-route');
      expect(it.holds.prepare({ agent: 'claude-code', payload: asks(), key: callKey(), waitMs: 1000 })).toBeUndefined();
      expect([it.holds.held, it.clock.pending()]).toEqual([0, 0]);
    });
  });
});

describe('a log that fails', () => {
  it('leaves an answer without effect: the hold goes on, and a retry is a new command [C-022, C-023]', async () => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      const { wire, outcome } = it.sender.respond(request!, { option: 'allow' });
      const sent = it.send(wire);
      it.failing = true;
      await sent;
      await settle();
      expect(await answer()).toBeUndefined();
      it.failing = false;
      await it.send(wire);
      expect(await outcome).toMatchObject({ type: 'accepted' });
      expect(await answer()).toMatchObject({ held: 'answered' });
      const seqs = it.events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
      expect(seqs).toEqual([0, 1, 2, 3]);
    });
  });

  it('lets an agent go in time that would have been answered', async () => {
    await bench(async (it) => {
      const { request, answer } = await it.hold();
      it.failing = true;
      await it.send(it.sender.respond(request!, { option: 'allow' }).wire);
      await it.clock.advance(60_000);
      expect(await answer()).toEqual({ held: 'expired' });
    });
  });

  it('holds no call that could not be kept', async () => {
    await bench(async (it) => {
      it.failing = true;
      const held = it.holds.prepare({ agent: 'claude-code', payload: asks(), key: callKey(), waitMs: 1000 });
      await expect(it.intake.take('claude-code', asks(), ANYBODY, held?.read)).rejects.toThrow();
      held?.cancel();
      expect([it.holds.held, it.clock.pending()]).toEqual([0, 0]);
    });
  });
});

describe('a call', () => {
  const prepared = (it: Bench, changes: object) => it.holds.prepare({ agent: 'claude-code', payload: asks(), key: callKey(), waitMs: 1000, ...changes });

  it.each([
    ['asks nothing', { payload: { ...CALL, hook_event_name: 'PreToolUse' } }],
    ['asks in a form', { payload: asks({ tool_name: 'AskUserQuestion' }) }],
    ['cannot be read', { payload: 7 }],
    ['is of an agent that is not held', { agent: 'gemini-cli' }],
    ['is of no agent', { agent: '__proto__' }],
    ['has no key', { key: undefined }],
    ['does not wait', { waitMs: 0 }],
    ['waits for no time', { waitMs: NaN }],
  ])('that %s is not held', async (_, changes) => {
    await bench((it) => {
      expect(prepared(it, changes)).toBeUndefined();
      return Promise.resolve();
    });
  });

  it('beyond the bound is not held, and each end makes room', async () => {
    await bench(
      async (it) => {
        const { request } = await it.hold();
        const second = await it.hold(asks({ session_id: 't' }));
        expect((await it.hold(asks({ session_id: 'u' }))).request?.data?.respond_via).toEqual(['oob']);
        await it.answer(request!, { option: 'allow' });
        await settle();
        expect(prepared(it, {})).toBeDefined();
        second.held?.cancel();
        expect(prepared(it, {})).toBeDefined();
        expect(prepared(it, {})).toBeUndefined();
      },
      { maxHeld: 2 },
    );
  });

  it('of another agent than the route says is not held', async () => {
    await bench(async (it) => {
      const key = callKey();
      const held = it.holds.prepare({ agent: 'claude-code', read: true, key, waitMs: 1000 });
      const record = codex.create({ host: 'other' }).read(asks({ turn_id: 'p' }), { key, ...held?.read });
      await it.intake.takeRecord(record, ANYBODY, held?.read);
      expect(held?.waits).toBe(false);
    });
  });

  it('that was had before is not held again', async () => {
    await bench(async (it) => {
      const { key } = await it.hold();
      const again = await it.hold(asks(), { key });
      expect(again.held?.waits).toBe(false);
      again.held?.cancel();
      expect(it.holds.held).toBe(1);
    });
  });

  it('is taken as ever where no agent is held, and claims nothing', async () => {
    await bench(
      async (it) => {
        const { held, request } = await it.hold();
        expect([held, request?.data?.respond_via]).toEqual([undefined, ['oob']]);
        expect(await it.answer(request!, { option: 'allow' })).toEqual({ type: 'refused', code: 'no-route' });
      },
      { times: new Map() },
    );
  });

  it('of several that are held at a time is answered by its own request', async () => {
    await bench(async (it) => {
      const all = await Promise.all(['a', 'b', 'c'].map((session_id) => it.hold(asks({ session_id }))));
      await it.answer(all[1]!.request!, { option: 'deny' });
      await it.answer(all[2]!.request!, { option: 'allow' });
      const answers = await Promise.all(all.map(({ answer }) => answer()));
      expect(answers.map((each) => (each as { print?: string } | undefined)?.print)).toEqual([undefined, JSON.stringify(decision('deny')), JSON.stringify(decision('allow'))]);
    });
  });
});
