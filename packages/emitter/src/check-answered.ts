import type { AepEvent } from '@aepkit/envelope';
import { StreamValidator } from '@aepkit/taxonomy';

import type { RequestMemory } from './epoch-store.js';
import { EmitterError } from './errors.js';

/**
 * Throws {@link EmitterError} `wrong-answer` where a recorded answer does not fit its request (AEP-0002 §5.3, AEP-0006): the rule of
 * streams, as it is in `@aepkit/taxonomy`. Whether the answer of a command applies is for `checkAnswer` of `@aepkit/control` to say, which is
 * stricter and reads forms the same way: what it lets through passes here.
 */
export function checkAnswered(answer: AepEvent, request: RequestMemory): void {
  const validator = new StreamValidator();
  const { aep, time, source, agent } = answer;
  const { session } = answer;
  validator.push({
    aep,
    id: request.id,
    type: 'attention.requested',
    time,
    source,
    agent,
    ...(session === undefined ? {} : { session }),
    seq: 0,
    data: { kind: request.kind, prompt: '', ...(request.fields === undefined ? {} : { fields: request.fields }) },
  });
  const issue = validator.push({ ...answer, epoch: 0, seq: 1 }).find(({ severity }) => severity === 'error');
  if (issue !== undefined) throw new EmitterError('wrong-answer', issue.code, { path: issue.path ?? '$.data' });
}
