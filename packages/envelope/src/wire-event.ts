import { EnvelopeError } from './errors.js';
import type { AepEvent } from './event.js';
import type { EventHead } from './event-head.js';
import { jsonIssue } from './json-issue.js';
import { resolveLimits, type ParseOptions } from './limits.js';
import { parseEvent } from './parse-event.js';
import { envelopeIssue } from './validate-event.js';

/**
 * An Event together with its text. `json` is what goes out again: the received characters, without white space around the
 * object, on one line (no CR, no LF). Digits, escapes and member order are the ones received.
 *
 * When it was parsed from a string that is a part of a larger one, `json` may share its memory with the whole.
 */
export interface WireEvent {
  /** What the text says. Not to be changed: `json` would no longer agree. */
  readonly event: AepEvent;
  /** One JSON object on one line. */
  readonly json: string;
  /**
   * The text exactly as received. Only on a command whose text was not one bare line, because a command reaches its
   * target as it was received, line breaks included (AEP-0004 §4.4).
   */
  readonly received?: string;
  /** Set by a store that parses {@link WireEvent.event} only when somebody looks at it. Read it with `headOf`. */
  readonly head?: EventHead;
}

/**
 * Validates and serialises an Event built in code (AEP-0001 §10): what is refused here never leaves.
 *
 * The result holds the Event as a receiver will read it, not the object handed in, so a later change of that has no effect.
 * An optional core attribute, or a member inside `data`, whose value is `undefined` is left out. Nothing is filled in.
 *
 * Throws {@link EnvelopeError} with the codes of `validateEvent`, `not-json` for values without a JSON form, `too-large`.
 * RangeError for a bad limit.
 *
 * @example
 * const { json } = wireEvent({ aep: '0.1', id: createId(), type: 'agent.started', time: new Date().toISOString(), source, agent });
 */
export function wireEvent(event: AepEvent, options?: ParseOptions): WireEvent {
  const { maxDepth } = resolveLimits(options);
  // Of a well-formed envelope only `data` can hold something that JSON.stringify would bend or choke on.
  const issue = envelopeIssue(event) ?? (event.data === undefined ? undefined : jsonIssue(event.data, maxDepth - 1, true, ['data']));
  if (issue !== undefined) throw new EnvelopeError(issue);
  return parseEvent(serialise(event), options);
}

function serialise(event: AepEvent): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined) continue;
    members.push(`${JSON.stringify(name)}:${typeof value === 'bigint' ? String(value) : JSON.stringify(value)}`);
  }
  return `{${members.join(',')}}`;
}
