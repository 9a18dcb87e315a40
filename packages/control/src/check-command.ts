import type { AepEvent } from '@aepkit/envelope';
import { validatePayload } from '@aepkit/taxonomy';

import { member } from './accepts.js';

/** What is wrong with the payload of a command, for a nack `invalid`; `undefined` where nothing is (AEP-0004 §5). */
export function checkCommand(command: AepEvent): string | undefined {
  const { type, data } = command;
  const [issue] = validatePayload(command);
  if (issue !== undefined) return `${issue.path}: ${issue.code}`;
  if (type === 'control.attention.respond') {
    if (command.subject === undefined || command.subject === '') return 'subject: the id of the request that is answered';
    const answer = member(data, 'answer');
    if (['option', 'text', 'values'].every((name) => member(answer, name) === undefined)) return 'answer: has none of option, text and values';
  }
  if (type === 'control.cancel') {
    const scope = member(data, 'scope');
    if (scope !== 'run' && scope !== 'session') return 'scope: run or session';
    if (scope === 'run' && command.run === undefined) return 'run: missing, the scope is run';
  }
  return undefined;
}
