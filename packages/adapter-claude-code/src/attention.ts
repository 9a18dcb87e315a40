import type { JsonObject } from '@aepkit/envelope';

import { AGENT } from './agent.js';
import type { Emit } from './draft.js';
import type { OpenRequest } from './session-state.js';

/** What an attention request is about. */
export interface RequestDraft {
  readonly kind: 'permission' | 'input' | 'auth' | 'form';
  readonly prompt?: string;
  readonly subject?: string | undefined;
  readonly run?: string | undefined;
  readonly cause?: string | undefined;
  readonly more?: JsonObject;
}

/**
 * Raises a request. Its prompt is made of structural facts (AEP-0003 §9.2). People answer in the agent's own interface,
 * and this adapter only watches, so the request says `oob` (AEP-0008).
 */
export function raise(emit: Emit, { kind, prompt, subject, run, cause, more }: RequestDraft): string {
  const words = `${AGENT} requests ${kind}`;
  return emit({
    type: 'attention.requested',
    subject,
    run,
    cause,
    severity: 'notice',
    data: { kind, prompt: prompt ?? (subject === undefined ? words : `${words}: ${subject}`), ...more, respond_via: ['oob'] },
  });
}

/** Records an answer that was given in the agent's interface, and closes the request. */
export function settle(emit: Emit, request: OpenRequest, answer: JsonObject, run?: string): void {
  const answered = emit({ type: 'attention.answered', subject: request.event, run, cause: request.event, data: { answer, via: 'oob' } });
  emit({ type: 'attention.resolved', subject: request.event, run, cause: answered, data: { resolution: 'answered' } });
}

/** Closes a request that nobody answered, or that was refused without a word (AEP-0002 §7.2). */
export function dismiss(emit: Emit, request: OpenRequest, resolution: 'dismissed' | 'auto' = 'dismissed', run?: string): void {
  emit({ type: 'attention.resolved', subject: request.event, run, cause: request.event, data: { resolution } });
}
