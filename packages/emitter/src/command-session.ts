import type { AepEvent, JsonObject } from '@aepkit/envelope';

import type { CheckedAnswer } from './command-fit.js';
import { EmitterError } from './errors.js';
import { readEmission } from './event-maker.js';
import type { OwnedSession, Session } from './session.js';

/** The session of a command, as `execute` gets it: its Events have the command as their cause unless they name another (AEP-0004 §6). */
export interface CommandSession extends Session {
  /**
   * Says that the checked answer of a `control.attention.respond` took effect: emits `attention.answered`, then `attention.resolved`, linked
   * by subject and cause, with the run of the request (AEP-0004 §5). What is above the ceiling goes, as with any Event. Throws {@link EmitterError}
   * `unknown-request` for a command of another type, `second-terminal` where the request has been closed.
   */
  settle(): void;
}

export function commandSession(command: AepEvent, session: OwnedSession, respond: CheckedAnswer | undefined): CommandSession {
  const linked = (emission: unknown): never => {
    const given = readEmission(emission as Parameters<typeof readEmission>[0]);
    return (given.cause === undefined ? { ...given, cause: command.id } : given) as never;
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
    settle() {
      if (respond === undefined) throw new EmitterError('unknown-request', 'the command answers none', { path: '$.subject' });
      const { request, answer } = respond;
      const place = { subject: request.id, ...(request.run === undefined ? {} : { run: request.run }) };
      // Text, and what of a form is free text, goes where the ceiling does not let it through.
      const data = { answer: answer as JsonObject, via: 'control' as const, by: command.agent };
      const cause = session.emit('attention.answered', { ...place, cause: command.id, data: data });
      session.emit('attention.resolved', { ...place, cause, data: { resolution: 'answered' } });
    },
  };
}
