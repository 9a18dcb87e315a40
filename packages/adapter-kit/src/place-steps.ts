import type { JsonObject } from '@aepkit/envelope';

import type { LeveledEvent } from './draft.js';
import { answerValues } from './forms.js';
import type { HookRecord } from './hook-record.js';
import { present } from './members.js';
import type { OpenRequest, OpenTool, SessionState } from './session-state.js';
import type { StepRecord } from './step.js';
import { unfinishedType } from './vendor-type.js';

/** An Event that is about to get its position. */
export interface Placed {
  readonly event: LeveledEvent;
  readonly scope?: 'agent' | undefined;
  readonly run?: string | undefined;
  readonly cause?: string | undefined;
}

/** What the steps of one call are placed with. */
export interface Placing {
  readonly record: HookRecord;
  readonly session: SessionState;
  /** Gives the Event its position and takes it into the state; gives its id. */
  readonly emit: (placed: Placed) => string;
  /** A fresh name, for a run that the agent gave none. */
  readonly createId: () => string;
  /** Whether the names that the agent gives its runs are exact. */
  readonly namedRuns: boolean;
}

/** Turns the steps of a call into Events, given what is open in its session. */
export function placeSteps(placing: Placing): void {
  for (const step of placing.record.steps) PLACERS[step.do](placing, step);
}

const PLACERS: Readonly<Record<StepRecord['do'], (placing: Placing, step: StepRecord) => void>> = {
  emit: placeEvent,
  'start-run': startRun,
  'end-run': endRun,
  'end-session': endSession,
  'end-tool': endTool,
  raise,
  answer,
  'end-calls': endCalls,
};

function placeEvent(placing: Placing, step: StepRecord): void {
  const { scope } = step;
  if (step.event === undefined) return;
  if (scope === 'agent') return void placing.emit({ event: step.event, scope });
  placing.emit({ event: step.event, run: scope === 'session' ? undefined : runOf(placing, step), cause: toolOf(placing, step)?.event });
}

function startRun(placing: Placing, step: StepRecord): void {
  const { session, emit, createId } = placing;
  const named = exactName(placing, step);
  // The prompt says more in the middle of its run; or it comes behind the end of that.
  if (named !== undefined && (named === session.run?.id || session.isClosedRun(named))) return;
  for (const request of session.requests()) {
    // The prompt is the answer to a request for input; a dialog that is still open was left.
    if (request.kind === 'input' && request.tool === undefined) settle(placing, request, { answer: {} });
    else dismiss(placing, request);
  }
  markTools(placing);
  // A run that is still open was interrupted: such a turn has no hook for its end.
  cancelRun(placing);
  if (step.event !== undefined) emit({ event: step.event, run: namedRun(placing, step) ?? createId() });
}

function endRun(placing: Placing, step: StepRecord): void {
  const { session, emit } = placing;
  const named = exactName(placing, step);
  if (named !== undefined && session.isClosedRun(named)) return;
  const run = named ?? session.run?.id ?? namedRun(placing, step);
  // The end of another run says nothing about what is open in this one.
  if (session.run === undefined || session.run.id === run) {
    const all = step.closes === true || step.event?.type === 'run.cancelled';
    for (const request of session.requests()) if (all || (request.tool === undefined && request.kind === 'permission')) dismiss(placing, request);
    if (all) markTools(placing);
  }
  if (run !== undefined && step.event !== undefined) emit({ event: step.event, run, cause: session.run?.id === run ? session.run.event : undefined });
}

/** Comes again on leaving the interface, and again when a resumed session ends: one `session.ended` (AEP-0002 §2.5). */
function endSession(placing: Placing, step: StepRecord): void {
  const { session, emit } = placing;
  for (const request of session.requests()) dismiss(placing, request);
  markTools(placing);
  cancelRun(placing);
  if (!session.ended && step.event !== undefined) emit({ event: step.event });
}

function endTool(placing: Placing, step: StepRecord): void {
  const { session, emit } = placing;
  const tool = toolOf(placing, step);
  const run = tool?.run ?? runOf(placing, step);
  // One call may be asked about more than once.
  for (const request of requestsAbout(session, step, tool)) {
    if (step.outcome === 'auto') dismiss(placing, request, 'auto', run);
    // A tool that ran was allowed to: that is the answer to a request about it.
    else if (request.kind !== 'form') settle(placing, request, { answer: { option: 'allow' } }, run);
    else settle(placing, request, step.answer ?? { answer: {} }, run);
  }
  if (step.event !== undefined) emit({ event: step.event, run, cause: tool?.event });
}

/** The requests about a call. An agent may ask before it tells of the call: then the only one that can be meant is. */
function requestsAbout(session: SessionState, step: StepRecord, tool: OpenTool | undefined): readonly OpenRequest[] {
  const about = tool === undefined ? [] : session.requestsFor(tool.event);
  if (about.length > 0) return about;
  const before = session.requests().filter((request) => request.kind === 'permission' && request.tool === undefined && request.subject === step.tool?.name);
  return before.length === 1 ? before : [];
}

function raise(placing: Placing, step: StepRecord): void {
  const { session, emit } = placing;
  const { unless, replaces, event } = step;
  if (unless !== undefined && session.requests().some(({ kind }) => unless.includes(kind))) return;
  const run = step.scope === 'session' ? undefined : runOf(placing, step);
  // A notification about the same dialog can come first.
  for (const request of session.requests()) if (request.kind === replaces && request.tool === undefined && request.subject === undefined) dismiss(placing, request, 'auto', run);
  if (event !== undefined) emit({ event, run, cause: toolOf(placing, step, true)?.event });
}

function answer(placing: Placing, step: StepRecord): void {
  const { session, record } = placing;
  const request = session.requests().findLast((open) => open.tool === undefined && open.subject === step.subject);
  if (request === undefined) return;
  const run = runOf(placing, step);
  if (step.accepted !== true) {
    dismiss(placing, request, 'dismissed', run);
    return;
  }
  const { structural, written } = answerValues(request.fields, step.answers);
  const data = { answer: Object.keys(structural).length === 0 ? {} : { values: structural }, via: 'oob' };
  const level = record.ceilings?.attention ?? record.ceiling;
  const shown = Object.keys(written).length > 0 && (level === 'redacted' || level === 'full');
  settle(placing, request, shown ? { type: 'attention.answered', capture: level, data, content: { answer: { values: written } } } : { type: 'attention.answered', capture: 'metadata', data }, run);
}

/** Ends a round of calls: a call in it that still has an open request was refused, which no other hook tells. */
function endCalls(placing: Placing, step: StepRecord): void {
  const { session, emit } = placing;
  const run = runOf(placing, step);
  for (const id of step.calls ?? []) {
    const tool = session.toolOf(id);
    for (const request of tool === undefined ? [] : session.requestsFor(tool.event)) dismiss(placing, request, 'dismissed', run);
    // It is over, and no end came.
    if (tool !== undefined && !tool.unfinished) mark(placing, tool);
  }
  if (step.event !== undefined) emit({ event: step.event, run });
}

/** Records an answer that was given in the agent's interface, and closes the request. */
function settle({ session, emit }: Placing, request: OpenRequest, given: LeveledEvent | { readonly answer: JsonObject }, run: string | undefined = session.run?.id): void {
  const event: LeveledEvent = 'type' in given ? given : { type: 'attention.answered', capture: 'metadata', data: { answer: given.answer, via: 'oob' } };
  const answered = emit({ event: { ...event, subject: request.event }, run, cause: request.event });
  emit({ event: { type: 'attention.resolved', subject: request.event, capture: 'metadata', data: { resolution: 'answered' } }, run, cause: answered });
}

/** Closes a request that nobody answered, or that was refused without a word (AEP-0002 §7.2). */
function dismiss({ session, emit }: Placing, request: OpenRequest, resolution: 'dismissed' | 'auto' = 'dismissed', run: string | undefined = session.run?.id): void {
  emit({ event: { type: 'attention.resolved', subject: request.event, capture: 'metadata', data: { resolution } }, run, cause: request.event });
}

/** Marks the calls that never ended. Nothing is claimed about how they ended, and a late end closes them all the same. */
function markTools(placing: Placing): void {
  for (const tool of placing.session.openTools()) mark(placing, tool);
}

function mark({ record, emit }: Placing, { event, name, callId, run }: OpenTool): void {
  const data = { tool: { name, ...present('call_id', callId) }, inferred: true };
  emit({ event: { type: unfinishedType(record.agent), ...(name === '' ? {} : { subject: name }), capture: 'metadata', data }, run, cause: event });
}

function cancelRun({ session, emit }: Placing): void {
  const run = session.run;
  if (run !== undefined) emit({ event: { type: 'run.cancelled', capture: 'metadata', data: {} }, run: run.id, cause: run.event });
}

function toolOf({ session }: Placing, { tool }: StepRecord, unasked = false): OpenTool | undefined {
  return tool === undefined ? undefined : session.findTool(tool.name, tool.call, tool.input, unasked);
}

/** The run a call belongs to: the open one, else the one its payload names, unless that one is over. */
function runOf(placing: Placing, step: StepRecord): string | undefined {
  return exactName(placing, step) ?? placing.session.run?.id ?? namedRun(placing, step);
}

/** The run that the agent names, where such a name is exact. */
function exactName({ record, namedRuns }: Placing, step: StepRecord): string | undefined {
  return namedRuns ? (step.run ?? record.run) : undefined;
}

function namedRun({ record, session }: Placing, step: StepRecord): string | undefined {
  const id = step.run ?? record.run;
  return id !== undefined && !session.isClosedRun(id) ? id : undefined;
}
