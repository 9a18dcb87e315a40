import { type AepEvent, wireEvent, type WireEvent } from '@aepkit/envelope';
import { type Connection, Hub, memoryLog, type PeerConnection, type Sink } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { StreamValidator } from '@aepkit/taxonomy';
import { buildWire, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type AckDraft, checkAnswer, createInbox, createRouter, createSender, type Decision, type Inbox, type RouterOptions, type Sender } from '../src/index.js';
import { commandOf, CORE, EVERYBODY, NOBODY, requestOf } from './support.js';

/** An endpoint with a router, as an app wires it. */
function endpoint(options: RouterOptions = {}) {
  const router = createRouter(options);
  const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 100 })), id: 'relay', commands: router });
  let count = 0;

  const connect = (peer: Partial<PeerConnection>, seen: WireEvent[] = []) => {
    const sink: Sink = {
      write: (batch) => {
        for (const { event } of batch.deliveries) seen.push(event);
        return true;
      },
      drained: () => Promise.resolve(),
      exhausted: () => undefined,
      close: () => undefined,
    };
    const full: PeerConnection = { id: `c${String(++count)}`, principal: EVERYBODY, role: 'both', agent: 'a1', capabilities: {}, send: () => true, ...peer };
    const connection = hub.connect({ sink, principal: full.principal, peer: full });
    return { connection, seen, say: (...events: WireEvent[]) => hub.ingest(events, { principal: full.principal, via: 'connection', connection: full }) };
  };

  /** A target of one session, in the same process. */
  const target = (decide: (command: AepEvent, emit: (draft: Record<string, unknown>) => WireEvent) => Decision) => {
    let seq = 0;
    const mint = (draft: AckDraft | Record<string, unknown>): WireEvent =>
      wireEvent({ aep: '0.1', id: `t${String(count)}-${String(seq)}`, time: '2026-01-01T00:00:00Z', source: 'aep://test/agent/a1/session/s1', agent: 'a1', session: 's1', seq: seq++, ...draft } as AepEvent);
    const inbox: Inbox = createInbox({
      accepts: CORE,
      owns: (session) => session === 's1',
      mint,
      emit: (ack) => void peer.say(ack),
      decide: (command) =>
        decide(command, (draft) => {
          const wire = mint(draft);
          void peer.say(wire);
          return wire;
        }),
    });
    const got: WireEvent[] = [];
    const peer = connect({
      role: 'emitter',
      capabilities: { control: inbox.control },
      send: (command) => {
        got.push(command);
        // The command is appended when this returns; an answer within the call would be ahead of it in the log.
        queueMicrotask(() => inbox.receive(command));
        return true;
      },
    });
    return { ...peer, mint, got };
  };

  const replay = async (session = 's1'): Promise<WireEvent[]> => {
    const { connection, seen } = connect({ role: 'consumer' });
    connection.subscribe({ id: 'r', filter: { value: { session } }, from: 'all', live: false });
    for (let i = 0; i < 6; i++) await turn();
    return seen;
  };

  return { hub, router, connect, target, replay };
}

/** A desk: subscribes to everything, sends commands, and hands what it sees to its sender. */
function desk(it: ReturnType<typeof endpoint>): { sender: Sender; seen: WireEvent[]; connection: Connection; send: (wire: WireEvent) => Promise<unknown> } {
  const sender = createSender({ source: 'aep://desk/agent/desk', agent: 'desk', ackWindowMs: Infinity });
  const { connection, seen, say } = it.connect({ role: 'both', agent: 'desk' });
  connection.subscribe({ id: 'all' });
  return { sender, seen, connection, send: (wire) => say(wire).catch((error: unknown) => error) };
}

const types = (all: readonly WireEvent[]) => all.map(({ event }) => event.type);

describe('the loop of a request', () => {
  it('runs from request over command and ack to answer and end, all in the history, linked by subject and cause [C-001, C-044, C-049, C-051, C-057, C-058, C-060]', async () => {
    const it = endpoint();
    const request = requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] }, { seq: 0, source: 'aep://test/agent/a1/session/s1' });
    const target = it.target((command, emit) => {
      const verdict = checkAnswer(request.event, command.data?.answer);
      if (command.subject !== request.event.id || verdict.type === 'invalid') return { type: 'rejected', reason: 'invalid' };
      return {
        type: 'accepted',
        execute: () => {
          const answered = emit({ type: 'attention.answered', subject: request.event.id, cause: command.id, data: { answer: verdict.answer, via: 'control' } });
          emit({ type: 'attention.resolved', subject: request.event.id, cause: answered.event.id, data: { resolution: 'answered' } });
        },
      };
    });
    target.mint({ type: 'progress.status' });
    const { sender, seen, send } = desk(it);
    await target.say(request);
    const wrong = sender.respond(request.event, { text: 'perhaps' }, { capture: 'full' });
    await send(wrong.wire);
    const right = sender.respond(request.event, { text: ' Allow ' }, { capture: 'full' });
    await send(right.wire);
    await turn();
    const observed = seen.map(({ event }) => sender.observe(event));
    expect(await wrong.outcome).toMatchObject({ type: 'rejected', reason: 'invalid' });
    expect(await right.outcome).toMatchObject({ type: 'accepted' });
    expect(observed.filter((each) => each?.type === 'outcome')).toEqual([
      { type: 'outcome', command: right.id, via: 'command' },
      { type: 'outcome', command: right.id, via: 'answered' },
    ]);
    const history = await it.replay();
    expect(types(history).sort()).toEqual(
      ['attention.requested', 'control.attention.respond', 'control.rejected', 'control.attention.respond', 'control.accepted', 'attention.answered', 'attention.resolved'].sort(),
    );
    const about = history.filter(({ event }) => event.subject === request.event.id).map(({ event }) => event.type);
    expect(about).toEqual(expect.arrayContaining(['control.attention.respond', 'attention.answered', 'attention.resolved']));
    expect(history.find(({ event }) => event.type === 'attention.answered')?.event.data).toEqual({ answer: { option: 'allow' }, via: 'control' });
    const validator = new StreamValidator();
    const issues = [...seen.flatMap(({ event }) => validator.push(event)), ...validator.end()];
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('recovers a lost ack: the retry draws the same bytes, and both copies of the ack reach subscribers [C-048, C-019]', async () => {
    const it = endpoint();
    let executed = 0;
    const target = it.target(() => ({ type: 'accepted', execute: () => { executed++; } }));
    await target.say(buildWire({ seq: 0, source: 'aep://test/agent/a1/session/s1' }));
    target.mint({ type: 'progress.status' });
    const { sender, seen, send } = desk(it);
    const { wire, id } = sender.command('control.pause', { session: 's1' });
    await send(wire);
    await turn();
    await send(sender.retry(id).wire);
    await turn();
    const acks = seen.filter(({ event }) => event.type === 'control.accepted').map(({ json }) => json);
    expect([acks.length, new Set(acks).size, executed]).toEqual([2, 1, 1]);
    expect(target.got).toHaveLength(2);
    expect(types(await it.replay()).filter((type) => type.startsWith('control.'))).toEqual(['control.pause', 'control.accepted']);
  });
});

describe('a refused command', () => {
  it.each([
    ['unauthorized', (it: ReturnType<typeof endpoint>): Promise<unknown> => it.connect({ role: 'emitter', capabilities: { control: { accepts: CORE } } }).say(buildWire()), NOBODY],
    ['no-route', (it: ReturnType<typeof endpoint>): Promise<unknown> => it.hub.ingest([buildWire()], { principal: EVERYBODY, via: 'post' }), EVERYBODY],
    ['unsupported', (it: ReturnType<typeof endpoint>): Promise<unknown> => it.connect({ role: 'emitter' }).say(buildWire()), EVERYBODY],
    [
      'ambiguous',
      async (it: ReturnType<typeof endpoint>): Promise<void> => {
        for (const instance of ['one', 'one']) await it.connect({ role: 'emitter', instance, capabilities: { control: { accepts: CORE } } }).say(buildWire());
      },
      EVERYBODY,
    ],
  ] as const)('as %s is in no history and reaches no subscriber; neither does the refusal [C-035, C-037, C-046]', async (code, prepare, who) => {
    const it = endpoint();
    const watcher = it.connect({ role: 'consumer' });
    watcher.connection.subscribe({ id: 'all' });
    await prepare(it);
    const before = types(await it.replay());
    const { say } = it.connect({ role: 'consumer', principal: who });
    await expect(say(commandOf())).rejects.toMatchObject({ code: 'command-refused', refusal: { code } });
    expect(types(await it.replay())).toEqual(before);
    expect(types(watcher.seen)).toEqual(before);
  });

  it('leaves what came over a link a piece of history: it claims nothing and is routed nowhere', async () => {
    const it = endpoint();
    await it.hub.ingest([buildWire(), commandOf()], { principal: EVERYBODY, via: 'link' });
    expect(it.router.roster()).toEqual([]);
    expect(types(await it.replay())).toEqual(['tool.requested', 'control.pause']);
  });
});
