import { checkAnswer, type EffectiveAnswer, type Rejection } from '@aepkit/control';
import type { AepEvent } from '@aepkit/envelope';

import type { RequestMemory } from './epoch-store.js';
import type { OwnedSession } from './session.js';

/** A `control.attention.respond` that fits. */
export interface CheckedAnswer {
  /** The open request of the session that it answers. */
  readonly request: RequestMemory;
  /** What takes effect: text that names an option is that option, and of a form its own fields are left (AEP-0002 §5.3, AEP-0008). */
  readonly answer: EffectiveAnswer;
}

/** What the emitter itself says about a command. */
export type CommandFit = { readonly type: 'fits'; readonly respond?: CheckedAnswer } | Rejection;

/**
 * Holds a command against its session: whether the request it answers is open and the answer applies, whether the run that it
 * cancels can be there. While the answer to a request is being executed, another one to it is `busy`: one question, one effect.
 */
export function commandFit({ type, subject, run, data }: AepEvent, session: OwnedSession, answering: WeakSet<object>): CommandFit {
  if (session.ended) return invalid('the session is over');
  if (type === 'control.cancel' && data?.scope === 'run' && session.lacksRun(run ?? '')) return invalid('run: no such run is open');
  if (type !== 'control.attention.respond') return { type: 'fits' };
  const request = session.request(subject);
  if (request === undefined) return invalid('subject: no such request is open');
  const { kind, options, fields } = request;
  const offered = { kind, ...(options === undefined ? {} : { options }), ...(fields === undefined ? {} : { fields }) };
  const verdict = checkAnswer({ data: offered }, data?.answer);
  if (verdict.type === 'invalid') return invalid(verdict.detail);
  if (answering.has(request)) return { type: 'rejected', reason: 'busy', detail: 'another answer is being applied' };
  return { type: 'fits', respond: { request, answer: verdict.answer } };
}

function invalid(detail: string): Rejection {
  return { type: 'rejected', reason: 'invalid', detail };
}
