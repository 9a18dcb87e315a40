import { connectSocket, type SocketClient, type SocketStatus } from '@aepkit/binding-ws/client';
import { checkAnswer, createInbox, type Decision, type EffectiveAnswer } from '@aepkit/control';
import { AEP_VERSION, type AepEvent, createId, type JsonObject, sourceUri, type WireEvent, wireEvent } from '@aepkit/envelope';

import { type ControlFlags, controlEndpoint } from '../control/control-endpoint.js';
import { notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { interruptible } from '../interrupt.js';
import { say } from '../stdout.js';
import { plain } from '../terminal.js';

const AGENT = 'aep-demo';
const ACCEPTS = ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume'];

/** What the demo asks, one after the other. */
const QUESTIONS: readonly { readonly subject: string; readonly hint: string; readonly data: JsonObject }[] = [
  {
    subject: 'Bash',
    hint: '--option allow',
    data: { kind: 'permission', prompt: 'Permission requested: Bash — rm -r build (clear old output)', options: [{ id: 'allow', label: 'Allow' }, { id: 'deny', label: 'Deny' }] },
  },
  { subject: 'name', hint: '--text Ada', data: { kind: 'input', prompt: 'What shall the branch be called?' } },
  {
    subject: 'release',
    hint: `--values '{"target":"beta"}'`,
    data: {
      kind: 'form',
      prompt: 'Where shall the release go?',
      fields: [
        { id: 'target', type: 'select', label: 'Target', required: true, choices: [{ id: 'beta', label: 'Beta' }, { id: 'stable', label: 'Stable' }] },
        { id: 'notify', type: 'boolean', label: 'Tell everybody?' },
        { id: 'note', type: 'string', label: 'Note' },
      ],
    },
  },
];

type Emission = Partial<Readonly<Record<'subject' | 'run' | 'cause' | 'severity' | 'capture', string>>> & { readonly data?: JsonObject };

/** Plays an agent that asks, and does what it is told: something to try `aep inbox`, `respond`, `cancel`, `pause` and `resume` on. */
export async function demoAccepts(flags: ControlFlags): Promise<number> {
  const endpoint = await controlEndpoint(flags);
  const session = createId();
  const status = Promise.withResolvers<SocketStatus>();
  const client = connectSocket({
    url: new URL('socket', endpoint.url),
    ...(endpoint.token === undefined ? {} : { token: endpoint.token }),
    role: 'emitter',
    identity: { agent: AGENT, instance: session },
    capabilities: { control: { accepts: ACCEPTS, ack_window_ms: 10_000 } },
    onStatus: status.resolve,
    onCommand: (command) => void play.inbox.receive(command),
  });
  const play = createPlay(session, client);
  try {
    const first = await status.promise;
    if (first.type === 'refused') throw new CliError(`${endpoint.url} refuses the connection: ${first.code}: ${first.detail}`, EXIT.refused);
    if (first.type === 'closed') throw new CliError(notReached(endpoint.url, first.detail));
    say(plain(`session ${session} takes commands; Ctrl-C ends it`));
    if (endpoint.token === undefined) say('without a token no command can reach it: see aep inbox --help');
    return await interruptible((signal) => play.run(signal));
  } finally {
    play.inbox.close();
    await client.close();
  }
}

/** The agent: one session, one run, one question at a time. */
function createPlay(session: string, client: SocketClient): { readonly inbox: ReturnType<typeof createInbox>; run(signal: AbortSignal): Promise<number> } {
  const run = createId();
  const epoch = Date.now();
  const source = sourceUri({ host: 'localhost', agent: AGENT, session });
  let seq = 0;
  let asked: { readonly event: AepEvent; readonly done: (answer: EffectiveAnswer | undefined) => void } | undefined;
  let over: AbortController | undefined;

  const make = (type: string, { data, ...rest }: Emission): WireEvent => {
    const event = { aep: AEP_VERSION, id: createId(), type, time: new Date().toISOString(), source, agent: AGENT, session, seq, epoch, ...rest, ...(data === undefined ? {} : { data }) };
    seq += 1;
    return wireEvent(event as AepEvent);
  };
  const send = (wire: WireEvent): void => {
    client.send([wire]).catch((error: unknown) => {
      say(plain(`aep: not sent: ${wire.event.type}: ${error instanceof Error ? error.message : String(error)}`));
      over?.abort();
    });
  };
  const emit = (type: string, emission: Emission): string => {
    const wire = make(type, emission);
    send(wire);
    return wire.event.id;
  };

  const decide = (command: AepEvent): Decision => {
    say(plain(`${command.type} ${command.id}`));
    switch (command.type) {
      case 'control.attention.respond': {
        const request = asked;
        if (request === undefined || command.subject !== request.event.id) return { type: 'rejected', reason: 'invalid' };
        const verdict = checkAnswer(request.event, command.data?.answer, { refusing: 'deny' });
        if (verdict.type === 'invalid') return { type: 'rejected', reason: 'invalid' };
        return {
          type: 'accepted',
          execute: (ack) => {
            asked = undefined;
            const { subject } = command;
            const content = verdict.answer.text !== undefined || verdict.answer.values !== undefined;
            const answered = emit('attention.answered', { ...(subject === undefined ? {} : { subject }), run, cause: ack.event.id, ...(content ? { capture: 'full' } : {}), data: { answer: { ...verdict.answer }, via: 'control', by: command.agent } });
            emit('attention.resolved', { ...(subject === undefined ? {} : { subject }), run, cause: answered, data: { resolution: 'answered' } });
            request.done(verdict.answer);
          },
        };
      }
      case 'control.cancel':
        if (command.data?.scope === 'run' && command.run !== run) return { type: 'rejected', reason: 'invalid' };
        return {
          type: 'accepted',
          execute: (ack) => {
            if (asked !== undefined) emit('attention.resolved', { subject: asked.event.id, run, cause: ack.event.id, data: { resolution: 'dismissed' } });
            asked = undefined;
            emit('run.cancelled', { run, cause: ack.event.id, data: { by: 'control' } });
            over?.abort(ack.event.id);
          },
        };
      default:
        return { type: 'accepted', execute: (ack) => void emit('progress.status', { run, cause: ack.event.id, data: { phase: command.type === 'control.pause' ? 'paused' : 'working' } }) };
    }
  };

  return {
    inbox: createInbox({
      accepts: ACCEPTS,
      owns: (name) => name === session,
      decide,
      mint: ({ type, cause, data }) => make(type, { cause, ...(data === undefined ? {} : { data: { ...data } }) }),
      emit: send,
    }),
    async run(signal) {
      over = new AbortController();
      const ended = AbortSignal.any([signal, over.signal]);
      emit('session.started', { data: { client: { name: AGENT } } });
      const started = emit('run.started', { run, data: {} });
      for (const { subject, hint, data } of QUESTIONS) {
        const request = make('attention.requested', { subject, run, severity: 'notice', capture: 'redacted', data: { ...data, respond_via: ['control'] } });
        const answer = await new Promise<EffectiveAnswer | undefined>((resolve) => {
          asked = { event: request.event, done: resolve };
          ended.addEventListener('abort', () => {
            resolve(undefined);
          });
          send(request);
          say(plain(`${subject}: aep respond ${request.event.id} ${hint}`));
          if (ended.aborted) resolve(undefined);
        });
        if (answer === undefined) break;
        say(plain(`answered: ${JSON.stringify(answer)}`));
      }
      if (asked !== undefined) emit('attention.resolved', { subject: asked.event.id, run, cause: asked.event.id, data: { resolution: 'dismissed' } });
      asked = undefined;
      if (!over.signal.aborted) emit(signal.aborted ? 'run.cancelled' : 'run.finished', { run, cause: started, data: {} });
      const { reason: cause } = over.signal as { readonly reason: unknown };
      await client.send([make('session.ended', { ...(typeof cause === 'string' ? { cause } : {}), data: { reason: ended.aborted ? 'killed' : 'normal' } })]);
      return signal.aborted ? EXIT.interrupted : EXIT.ok;
    },
  };
}
