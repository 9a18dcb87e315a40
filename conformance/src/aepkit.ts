import { FilterError, parseFilter } from '@aepkit/attr-match';
import { formatEventId, parseEventId } from '@aepkit/binding-sse/server';
import { EnvelopeError, checkExtensions, comparePositions, digest, parseEvent, parseJson, positionOf } from '@aepkit/envelope';
import { StreamValidator, checkEmission, gate, validatePayload, type StreamIssueCode } from '@aepkit/taxonomy';

import type { StreamFinding } from './case.js';
import type { Implementation, Verdict } from './implementation.js';

// Codes that are not here are warnings, or say that the validator forgot something.
const FINDINGS: Readonly<Partial<Record<StreamIssueCode, StreamFinding>>> = {
  'id-collision': 'id-collision',
  'position-taken': 'order',
  'position-not-increasing': 'order',
  'epoch-return': 'order',
  'second-run-terminal': 'run-terminal',
  'second-session-end': 'session-end',
  'second-attention-terminal': 'attention-terminal',
  'open-attention': 'attention-open',
  'missing-subject': 'attention-subject',
  'wrong-subject': 'attention-subject',
  'missing-cause': 'ack',
  'wrong-cause': 'ack',
  'second-ack': 'ack',
  'not-a-choice': 'answer',
  'wrong-answer': 'answer',
  'unknown-field': 'answer',
  'not-a-form': 'answer',
  'ungated-answer': 'answer',
};

/** The packages of this workspace, as an implementation to run the corpus against. */
export const aepkit: Implementation = {
  name: 'aepkit',
  envelope: (bytes) => verdictOf(() => parseEvent(bytes), EnvelopeError),
  payload: (event) => (validatePayload(parseEvent(event).event).some(isError) ? 'reject' : 'accept'),
  emission: (event) => (checkEmission(parseEvent(event).event).some(isError) ? 'reject' : 'accept'),
  extensions: (attributes) => (checkExtensions(parseJson(attributes, { bigints: true })) === undefined ? 'accept' : 'reject'),
  attrMatch: (text, event) => {
    const given = parseEvent(event).event;
    if (verdictOf(() => parseFilter(text), FilterError) === 'reject') return 'reject';
    return parseFilter(text).matches(given) ? 'match' : 'no-match';
  },
  capture: (event, ceiling) => gate(parseEvent(event), ceiling).json,
  stream: (events) => {
    const validator = new StreamValidator();
    const issues = events.flatMap((event) => validator.push(parseEvent(event).event));
    return [...issues, ...validator.end()].filter(isError).flatMap(({ code }) => FINDINGS[code] ?? []);
  },
  digest: (value) => digest(parseJson(value)),
  order: (a, b) => {
    const difference = comparePositions(a, b);
    return difference === 0 ? 'same' : difference < 0 ? 'a' : 'b';
  },
  sseId: (event) => {
    const position = positionOf(parseEvent(event).event);
    return (position && formatEventId(position)) ?? null;
  },
  lastEventId: (text) => parseEventId(text) ?? null,
};

function verdictOf(run: () => unknown, refusal: new (...args: never[]) => Error): Verdict {
  try {
    run();
    return 'accept';
  } catch (error) {
    if (error instanceof refusal) return 'reject';
    throw error;
  }
}

function isError(issue: { readonly severity: 'error' | 'warning' }): boolean {
  return issue.severity === 'error';
}
