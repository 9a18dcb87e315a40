import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { createInbox, type AckDraft, type Decision, type Inbox } from '@aepkit/control';

import { ignoreThrow, readEmission } from './event-maker.js';
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
  | { readonly type: 'accepted'; readonly execute?: (session: Session, ack: AepEvent) => void | Promise<void> }
  /** It is not: that is an ordinary answer. `detail` is content, and goes out under a ceiling of `redacted` or above only. */
  | { readonly type: 'rejected'; readonly reason: 'unauthorized' | 'busy' | 'refused' | 'invalid'; readonly detail?: string };

/**
 * Decides about a command for one of the emitter's sessions. It is called once per command, however often that arrives, and executes
 * nothing: what takes longer than four fifths of the ack window is answered `busy`, and its decision has no effect.
 */
export type CommandHandler = (command: AepEvent, session: Session) => CommandDecision | Promise<CommandDecision>;

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
  return createInbox({
    accepts,
    ackWindowMs,
    // What is above the ceiling goes when the ack is made, as with any Event.
    capture: 'full',
    owns: (name) => host.owned(name) !== undefined,
    decide: (command) => {
      const owned = session(command.session);
      if (owned.ended) return { type: 'rejected', reason: 'invalid', detail: 'the session is over' };
      const decision = onCommand(command, owned);
      return decision instanceof Promise ? decision.then((found) => prepared(found, command, owned)) : prepared(decision, command, owned);
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

function prepared(decision: CommandDecision, command: AepEvent, session: OwnedSession): Decision {
  if (decision.type === 'rejected' || decision.execute === undefined) return decision as Decision;
  const { execute } = decision;
  return { type: 'accepted', execute: (ack) => execute(causedBy(command.id, session), ack.event) };
}

/** A session whose Events have a command as their cause unless they name another (AEP-0004 §6). */
function causedBy(cause: string, session: OwnedSession): Session {
  const linked = (emission: unknown): never => {
    const given = readEmission(emission as Parameters<typeof readEmission>[0]);
    return (given.cause === undefined ? { ...given, cause } : given) as never;
  };
  return {
    name: session.name,
    source: session.source,
    epoch: session.epoch,
    get ended() {
      return session.ended;
    },
    get openRequests() {
      return session.openRequests;
    },
    emit: (type, ...[emission]) => session.emit(type, linked(emission)),
    end: (emission) => session.end(linked(emission)),
    release: () => session.release(),
  };
}
