import type { AepEvent } from '@aepkit/envelope';
import { checkEmission, type PayloadIssue, validatePayload } from '@aepkit/taxonomy';

/** What is wrong with an Event by itself: its payload, and what an emitter must not send. */
export function eventIssues(event: AepEvent): PayloadIssue[] {
  return [...validatePayload(event), ...checkEmission(event)];
}
