import { EnvelopeError } from './errors.js';
import type { AepEvent } from './event.js';
import { jsonIssue } from './json-issue.js';
import { resolveLimits, type ParseOptions } from './limits.js';
import { parseEvent } from './parse-event.js';
import { envelopeIssue } from './validate-event.js';
import type { WireEvent } from './wire-event-type.js';

/**
 * Validates and serialises an Event built in code (AEP-0001 §10): what is refused here never leaves.
 *
 * The result holds the Event as a receiver will read it, not the object handed in, so a later change of that has no effect.
 *
 * Throws {@link EnvelopeError} with the codes of `validateEvent`, `not-json` for values without a JSON form, `too-large`.
 * RangeError for a bad limit.
 *
 * @example
 * const { json } = wireEvent({ aep: '0.1', id: createId(), type: 'agent.started', time: new Date().toISOString(), source, agent });
 */
export function wireEvent(event: AepEvent, options?: ParseOptions): WireEvent {
  const { maxDepth } = resolveLimits(options);
  const issue = envelopeIssue(event) ?? jsonIssue({ ...event, ...withoutBigints(event) }, maxDepth, true);
  if (issue !== undefined) throw new EnvelopeError(issue);
  return parseEvent(serialise(event), options);
}

function withoutBigints(event: AepEvent): Record<string, number> {
  return Object.fromEntries(Object.entries(event).flatMap(([name, value]) => (typeof value === 'bigint' ? [[name, 0]] : [])));
}

function serialise(event: AepEvent): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined) continue;
    members.push(`${JSON.stringify(name)}:${typeof value === 'bigint' ? String(value) : JSON.stringify(value)}`);
  }
  return `{${members.join(',')}}`;
}
