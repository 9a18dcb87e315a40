import type { SocketStatus } from '@aepkit/binding-ws/client';
import { createId } from '@aepkit/envelope';
import { type CheckedAnswer, type CommandHandler, type CommandDecision, createEmitter, type Session } from '@aepkit/emitter';
import { webSocketTransport } from '@aepkit/emitter/websocket';
import type { PayloadOf } from '@aepkit/taxonomy';

import { type ControlFlags, controlEndpoint } from '../control/control-endpoint.js';
import { notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { interruptible } from '../interrupt.js';
import { say } from '../stdout.js';
import { plain } from '../terminal.js';

const AGENT = 'aep-demo';
const ACCEPTS = ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume'];

/** What the demo asks, one after the other. */
const QUESTIONS: readonly { readonly subject: string; readonly hint: string; readonly data: PayloadOf<'attention.requested'> }[] = [
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

/** Plays an agent that asks, and does what it is told: something to try `aep inbox`, `respond`, `cancel`, `pause` and `resume` on. */
export async function demoAccepts(flags: ControlFlags): Promise<number> {
  const endpoint = await controlEndpoint(flags);
  const status = Promise.withResolvers<SocketStatus>();
  const play = createPlay();
  const emitter = createEmitter({
    agent: AGENT,
    // What it asks is made up, and whoever tries it wants to read it.
    ceiling: 'full',
    transport: webSocketTransport({ url: new URL('socket', endpoint.url), ...(endpoint.token === undefined ? {} : { token: endpoint.token }), onStatus: status.resolve }),
    accepts: ACCEPTS,
    onCommand: play.decide,
  });
  try {
    const first = await status.promise;
    if (first.type === 'refused') throw new CliError(`${endpoint.url} refuses the connection: ${first.code}: ${first.detail}`, EXIT.refused);
    if (first.type === 'closed') throw new CliError(notReached(endpoint.url, first.detail));
    const session = await emitter.session();
    say(plain(`session ${session.name} takes commands; Ctrl-C ends it`));
    if (endpoint.token === undefined) say('without a token no command can reach it: see aep inbox --help');
    return await interruptible((signal) => play.run(session, signal));
  } finally {
    await emitter.close({ timeoutMs: CLOSE_TIMEOUT_MS });
  }
}

/** How long the last Events may take, in milliseconds. */
const CLOSE_TIMEOUT_MS = 3000;

interface Asked {
  readonly id: string;
  /** Nothing where there will be no answer. */
  readonly done: (answer?: CheckedAnswer['answer']) => void;
}

/** The agent: one session, one run, one question at a time. */
function createPlay(): { readonly decide: CommandHandler; run(session: Session, signal: AbortSignal): Promise<number> } {
  const run = createId();
  let asked: Asked | undefined;
  let cancelled = false;

  const answer = (respond: CheckedAnswer | undefined): CommandDecision => {
    const request = asked;
    if (request === undefined || respond?.request.id !== request.id) return { type: 'rejected', reason: 'invalid', detail: 'no such request is open' };
    return {
      type: 'accepted',
      execute: (session) => {
        asked = undefined;
        session.settle();
        request.done(respond.answer);
      },
    };
  };

  const cancel = (): CommandDecision => ({
    type: 'accepted',
    execute: (session) => {
      cancelled = true;
      if (asked !== undefined) session.emit('attention.resolved', { subject: asked.id, run, data: { resolution: 'dismissed' } });
      session.emit('run.cancelled', { run, data: { by: 'control' } });
      session.end({ data: { reason: 'killed' } });
      asked?.done();
    },
  });

  const ask = (session: Session, question: (typeof QUESTIONS)[number], signal: AbortSignal): Promise<CheckedAnswer['answer'] | undefined> =>
    new Promise((resolve) => {
      const { subject, hint } = question;
      const data = { ...question.data, respond_via: ['control' as const] };
      const id = session.emit('attention.requested', { subject, run, severity: 'notice', data });
      asked = { id, done: resolve };
      signal.addEventListener('abort', () => {
        resolve(undefined);
      });
      if (signal.aborted) resolve(undefined);
      say(plain(`${subject}: aep respond ${id} ${hint}`));
    });

  return {
    decide(command, _session, respond) {
      say(plain(`${command.type} ${command.id}`));
      if (command.type === 'control.attention.respond') return answer(respond);
      if (command.type === 'control.cancel') return cancel();
      const phase = command.type === 'control.pause' ? 'paused' : 'working';
      return { type: 'accepted', execute: (session) => void session.emit('progress.status', { run, data: { phase } }) };
    },
    async run(session, signal) {
      session.emit('session.started', { data: { client: { name: AGENT } } });
      session.emit('run.started', { run });
      for (const question of QUESTIONS) {
        const given = await ask(session, question, signal);
        if (given === undefined) break;
        say(plain(`answered: ${JSON.stringify(given)}`));
      }
      if (cancelled) return EXIT.ok;
      if (signal.aborted) {
        if (asked !== undefined) session.emit('attention.resolved', { subject: asked.id, run, cause: asked.id, data: { resolution: 'dismissed' } });
        session.emit('run.cancelled', { run, data: { by: 'user' } });
        session.end({ data: { reason: 'killed' } });
        return EXIT.ok;
      }
      session.emit('run.finished', { run });
      session.end();
      return EXIT.ok;
    },
  };
}
