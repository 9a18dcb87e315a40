import type { AepEvent, JsonValue } from '@aepkit/envelope';

import { own } from '../synthesised.js';
import { cut, keyOf, quoted } from './keys.js';
import { find, sessionOf, type Finding, type Placed, type StreamState } from './stream-state.js';

interface Unit {
  readonly kind: 'run' | 'tool' | 'step' | 'task' | 'subagent';
  readonly starts: boolean;
  /** What start and end share (AEP-0002 §2.1). */
  readonly id: (event: AepEvent) => JsonValue | undefined;
}

const run = (event: AepEvent): JsonValue | undefined => event.run;
const call = (event: AepEvent): JsonValue | undefined => own(own(event.data, 'tool'), 'call_id');
const step = (event: AepEvent): JsonValue | undefined => event.step;
const task = (event: AepEvent): JsonValue | undefined => own(own(event.data, 'task'), 'id');
const child = (event: AepEvent): JsonValue | undefined => own(own(event.data, 'child'), 'session') ?? event.subject;

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['run.started', { kind: 'run', starts: true, id: run }],
  ['run.finished', { kind: 'run', starts: false, id: run }],
  ['run.failed', { kind: 'run', starts: false, id: run }],
  ['run.cancelled', { kind: 'run', starts: false, id: run }],
  ['tool.requested', { kind: 'tool', starts: true, id: call }],
  ['tool.completed', { kind: 'tool', starts: false, id: call }],
  ['tool.failed', { kind: 'tool', starts: false, id: call }],
  ['tool.denied', { kind: 'tool', starts: false, id: call }],
  ['run.step.started', { kind: 'step', starts: true, id: step }],
  ['run.step.finished', { kind: 'step', starts: false, id: step }],
  ['progress.task.planned', { kind: 'task', starts: true, id: task }],
  ['progress.task.completed', { kind: 'task', starts: false, id: task }],
  ['delegation.subagent.started', { kind: 'subagent', starts: true, id: child }],
  ['delegation.subagent.stopped', { kind: 'subagent', starts: false, id: child }],
]);

/**
 * Starts and ends (AEP-0002 §2.1, §2.5). A run ends once, over all epochs; a unit that never ends is legal, and so is what
 * comes behind an end.
 */
export function checkUnits(state: StreamState, finding: Finding, place: Placed): void {
  const { event } = finding;
  const unit = UNITS.get(event.type);
  if (unit === undefined) return;
  const id = unit.id(event);
  if (typeof id !== 'string') {
    if (unit.kind === 'run') find(finding, 'missing-run', 'does not name its run, so that its start and end cannot be paired', '$.run', 'warning');
    return;
  }
  const inRun = unit.kind === 'step' ? (event.run ?? '') : '';
  const key = keyOf(unit.kind, place.sessionKey, inRun, id);
  const known = state.units.get(key) ?? { start: undefined, ended: false };
  if (unit.starts) {
    known.start = keyOf(event.id);
  } else {
    if (known.ended && unit.kind === 'run') find(finding, 'second-run-terminal', `run ${quoted(id)} has ended before`, '$.type');
    else if (known.ended && unit.kind === 'tool') find(finding, 'second-tool-terminal', `invocation ${quoted(id)} has ended before`, '$.type', 'warning');
    known.ended = true;
    if (known.start !== undefined && !isLinked(state, event, known.start, place.nameKey)) {
      find(finding, 'unlinked-terminal', `cause is not the Event that started ${unit.kind} ${quoted(id)}`, '$.cause', 'warning');
    }
  }
  state.units.set(key, known);
}

/** `cause` names the start; or a command or its ack, which the outcome of a command has to name (AEP-0004 §6). */
function isLinked(state: StreamState, event: AepEvent, start: string, nameKey: string): boolean {
  const { cause, source } = event;
  if (cause === undefined) return false;
  if (keyOf(cause) === start || state.commands.get(keyOf(nameKey, cause)) === true) return true;
  const named = state.events.get(keyOf(source, cause))?.type;
  return named === 'control.accepted' || named === 'control.rejected';
}

/** A session ends once, over all epochs, and with no request left open (AEP-0002 §2.5, §7.2). */
export function checkSessionEnd(state: StreamState, finding: Finding, place: Placed): void {
  const { event } = finding;
  if (event.type !== 'session.ended') return;
  const session = sessionOf(state, place);
  if (session.end !== undefined) {
    find(finding, 'second-session-end', 'the session has ended before', '$.type');
    return;
  }
  session.end = { id: cut(event.id), source: cut(event.source), at: { epoch: place.epoch, seq: place.seq } };
  // As they arrive, a terminal emitted before the end may still be on its way: those are looked for at the end.
  if (state.options.order === 'arrival') return;
  for (const request of session.open?.values() ?? []) find(finding, 'open-attention', `request ${quoted(request.id)} has no terminal`);
}
