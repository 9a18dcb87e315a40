import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { createInbox, type AckDraft, type Decision, type Inbox, type Rejection } from '@aepkit/control';

import { commandFit, type CheckedAnswer } from './command-fit.js';
import { commandSession, type CommandSession } from './command-session.js';
import { ignoreThrow } from './event-maker.js';
import type { EmitterSettings } from './options.js';
import type { OwnedSession, Session } from './session.js';
import type { TransportPeer } from './transport.js';
import { utf8Length } from './utf8-length.js';

/** What an agent decides about a command (AEP-0004 §3). */
export type CommandDecision =
  /**
   * It is going to try. `execute` runs once, behind the ack; what it emits over the `session` it gets has the command as its cause where it
   * names no other.
   */
  | { readonly type: 'accepted'; readonly execute?: (session: CommandSession, ack: AepEvent) => void | Promise<void> }
  /** It is not: that is an ordinary answer. `detail` is content, and goes out under a ceiling of `redacted` or above only. */
  | Rejection;

/**
 * Decides about a command for one of the emitter's sessions. It is called once per command, however often that arrives, and executes
 * nothing: what takes longer than four fifths of the ack window is answered `busy`, and its decision has no effect.
 *
 * It is not asked about a command that does not fit the session, which is answered `invalid`: the session is over; a
 * `control.attention.respond` answers no open request, or its answer does not apply (AEP-0002 §5.3, AEP-0008); a `control.cancel` is for
 * a run that is over or was never named. All that is looked at once more when the ack is made. `respond` is there for a
 * `control.attention.respond` only, and holds what fits.
 */
export type CommandHandler = (command: AepEvent, session: Session, respond?: CheckedAnswer) => CommandDecision | Promise<CommandDecision>;

/** What the commands of an emitter need of it. */
export interface CommandHost {
  /** A session of this emitter, also one that has ended. */
  owned(session: string): OwnedSession | undefined;
}

/**
 * The command side of an emitter: what its transport hands to it is decided once and acked with the next position of the session; what
 * arrives again draws the recorded ack, byte for byte (AEP-0004 §3). `undefined` where it takes no commands.
 */
export function commandInbox(settings: EmitterSettings, host: CommandHost): Inbox | undefined {
  const { accepts, onCommand, ackWindowMs, onTrouble } = settings;
  if (accepts === undefined || onCommand === undefined) return undefined;
  const session = (name: string | undefined): OwnedSession => {
    const owned = name === undefined ? undefined : host.owned(name);
    if (owned === undefined) throw new Error('the session was released');
    return owned;
  };
  /** Requests whose answer is being executed. */
  const answering = new WeakSet<object>();
  return createInbox({
    accepts,
    ackWindowMs,
    // What is above the ceiling goes when the ack is made, as with any Event.
    capture: 'full',
    owns: (name) => host.owned(name) !== undefined,
    decide: (command) => {
      const owned = session(command.session);
      const fit = commandFit(command, owned, answering);
      if (fit.type === 'rejected') return fit;
      const { respond } = fit;
      const prepare = (decision: CommandDecision): Decision => prepared(decision, { command, owned, respond, answering });
      const decision = onCommand(command, owned, respond);
      return decision instanceof Promise ? decision.then(prepare) : prepare(decision);
    },
    mint: (draft) => session(draft.session).makeAck(draft.type, emissionOf(draft)).wire,
    emit: (ack) => session(ack.event.session).offerAck({ wire: ack, bytes: utf8Length(ack.json) }),
    onIncident: ({ error }) => ignoreThrow(() => onTrouble?.({ type: 'command', error })),
    timers: settings.timers,
  });
}

/** What the transport says of the emitter, and where it brings commands. */
export function peerOf(settings: EmitterSettings, inbox: Inbox | undefined): TransportPeer {
  const { agent } = settings;
  if (inbox === undefined) return { agent };
  return { agent, control: inbox.control, onCommand: (command: WireEvent) => void inbox.receive(command) };
}

function emissionOf({ cause, data }: AckDraft): { readonly cause: string; readonly late: true; readonly data?: object } {
  // An ack may rightly come after the end: a cancel of the session ends it before a retry is answered.
  return { cause, late: true, ...(data === undefined ? {} : { data }) };
}

interface Asked {
  readonly command: AepEvent;
  readonly owned: OwnedSession;
  readonly respond: CheckedAnswer | undefined;
  readonly answering: WeakSet<object>;
}

function prepared(decision: CommandDecision, { command, owned, respond, answering }: Asked): Decision {
  if (decision.type !== 'accepted') return decision;
  const { execute } = decision;
  return {
    type: 'accepted',
    confirm: () => {
      const fit = commandFit(command, owned, answering);
      return fit.type === 'rejected' ? fit : undefined;
    },
    execute: async (ack) => {
      if (respond !== undefined) answering.add(respond.request);
      try {
        await execute?.(commandSession(command, owned, respond), ack.event);
      } finally {
        if (respond !== undefined) answering.delete(respond.request);
      }
    },
  };
}
