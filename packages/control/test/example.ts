import type { AepEvent } from '@aepkit/envelope';
import { checkAnswer, createInbox, type Inbox, type InboxOptions } from '../src/index.js';

/** A target with one open request, which applies the first answer that fits it. */
export function answerable(request: AepEvent, apply: (option?: string) => void, wiring: Pick<InboxOptions, 'mint' | 'emit'>): Inbox {
  const decide: InboxOptions['decide'] = ({ subject, data }) => {
    const verdict = checkAnswer(request, data?.answer);
    if (subject !== request.id || verdict.type === 'invalid') return { type: 'rejected', reason: 'invalid' };
    return { type: 'accepted', execute: () => apply(verdict.answer.option) };
  };
  return createInbox({ ...wiring, accepts: ['control.attention.respond'], owns: (session) => session === request.session, decide });
}
