import type { JsonObject } from '@aepkit/envelope';

import { AGENT } from './agent.js';
import { dismiss, raise, settle } from './attention.js';
import type { Emit } from './draft.js';
import { elicitationAnswers, elicitationForm, questionAnswers, questionForm } from './forms.js';
import type { HookRecord } from './hook-record.js';
import { vendorType } from './hook-type.js';
import type { OpenRequest, OpenTool, SessionState } from './session-state.js';

/** What one hook call is mapped with. */
export interface Mapping {
  readonly record: HookRecord;
  readonly session: SessionState;
  readonly emit: Emit;
  /** A fresh name, for a run that the agent gave none. */
  readonly createId: () => string;
}

type HookMapping = (mapping: Mapping) => void;

/**
 * Hook by hook what is emitted at ceiling `metadata` (AEP-0002 Annex A.1 and the published adapter guidance). A hook that is
 * not listed falls under the generic rule.
 */
const MAPPINGS: ReadonlyMap<string, HookMapping> = new Map<string, HookMapping>([
  ['SessionStart', sessionStart],
  ['SessionEnd', sessionEnd],
  ['UserPromptSubmit', userPromptSubmit],
  ['Stop', stop],
  ['StopFailure', stopFailure],
  ['PreToolUse', preToolUse],
  ['PostToolUse', postToolUse],
  ['PostToolUseFailure', postToolUseFailure],
  ['PostToolBatch', postToolBatch],
  ['PermissionRequest', permissionRequest],
  ['PermissionDenied', permissionDenied],
  ['Notification', notification],
  ['Elicitation', elicitation],
  ['ElicitationResult', elicitationResult],
  ['SubagentStart', subagentStart],
  ['SubagentStop', subagentStop],
  ['TaskCreated', taskCreated],
  ['TaskCompleted', taskCompleted],
  ['TeammateIdle', ({ emit }): void => void emit({ type: 'agent.idle', data: { reason: 'awaiting_input' } })],
  // Compaction is reported once, when it is done.
  ['PreCompact', (): void => undefined],
  ['PostCompact', postCompact],
]);

/** Names of the hooks that have a mapping of their own. */
export const MAPPED_HOOKS: readonly string[] = [...MAPPINGS.keys()];

/** Hooks that become an Event about the agent, outside of any session. */
export const AGENT_HOOKS: ReadonlySet<string> = new Set(['TeammateIdle']);

/** Maps the record of one hook call; a hook without a mapping becomes a vendor type with empty data. */
export function mapHook(mapping: Mapping): void {
  const mapped = MAPPINGS.get(mapping.record.hook);
  if (mapped !== undefined) mapped(mapping);
  else mapping.emit({ type: vendorType(mapping.record.hook), run: runOf(mapping), data: {} });
}

function sessionStart({ record, emit }: Mapping): void {
  emit({
    type: 'session.started',
    data: { client: { name: AGENT }, ...present('trigger', record.trigger), ...present('gen_ai.request.model', record.model) },
  });
}

/** Comes again on leaving the interface, and again when a resumed session ends: one `session.ended` (AEP-0002 §2.5). */
function sessionEnd({ session, emit }: Mapping): void {
  closeRequests(session, emit);
  cancelRun(session, emit);
  if (!session.ended) emit({ type: 'session.ended', data: { reason: 'normal' } });
}

function userPromptSubmit({ record, session, emit, createId }: Mapping): void {
  for (const request of session.requests()) {
    // The prompt is the answer to a request for input; a dialog that is still open was left.
    if (request.kind === 'input' && request.tool === undefined) settle(emit, request, {}, session.run?.id);
    else dismiss(emit, request, 'dismissed', session.run?.id);
  }
  // A run that is still open was interrupted: such a turn has no hook for its end.
  cancelRun(session, emit);
  const id = promptRun(record, session) ?? createId();
  emit({ type: 'run.started', run: id, data: { trigger: 'user' } });
}

function stop(mapping: Mapping): void {
  endRun(mapping, (run, cause) => ({ type: 'run.finished', run, cause, data: {} }));
}

function stopFailure(mapping: Mapping): void {
  const type = mapping.record.error;
  endRun(mapping, (run, cause) => ({
    type: 'run.failed',
    run,
    cause,
    severity: 'error',
    data: { reason: 'error', error: { ...present('type', type) } },
  }));
}

function endRun(mapping: Mapping, draft: (run: string, cause: string | undefined) => Parameters<Emit>[0]): void {
  const { record, session, emit } = mapping;
  for (const request of session.requests()) if (request.tool === undefined && request.kind === 'permission') dismiss(emit, request);
  const run = session.run?.id ?? promptRun(record, session);
  if (run !== undefined) emit(draft(run, session.run?.event));
}

function preToolUse(mapping: Mapping): void {
  const { record, emit } = mapping;
  emit({
    type: 'tool.requested',
    subject: record.tool,
    run: runOf(mapping),
    data: { tool: toolRef(record), ...present('args_digest', record.input) },
  });
}

function postToolUse(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const tool = openTool(record, session);
  const run = runOf(mapping);
  settleTool(mapping, tool, run);
  emit({
    type: 'tool.completed',
    subject: record.tool,
    run,
    cause: tool?.event,
    data: {
      tool: toolRef(record),
      ...present('duration_ms', record.duration),
      ...present('result_digest', record.result),
    },
  });
}

function postToolUseFailure(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const tool = openTool(record, session);
  const run = runOf(mapping);
  settleTool(mapping, tool, run);
  emit({
    type: 'tool.failed',
    subject: record.tool,
    run,
    cause: tool?.event,
    severity: 'warning',
    data: {
      tool: toolRef(record),
      error: record.interrupted === true ? { type: 'interrupted' } : {},
      ...present('duration_ms', record.duration),
    },
  });
}

/** A tool that ran was allowed to: that is the answer to a request about it. */
function settleTool({ record, session, emit }: Mapping, tool: OpenTool | undefined, run: string | undefined): void {
  const request = tool === undefined ? undefined : session.requestFor(tool.event);
  if (request === undefined) return;
  const answer =
    request.kind === 'form' ? questionAnswers(record.chosen) : { option: 'allow' };
  settle(emit, request, answer, run);
}

/** Ends a round of calls: a call in it that still has an open request was refused, which no other hook tells. */
function postToolBatch(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const run = runOf(mapping);
  for (const id of record.calls ?? []) {
    const tool = session.findTool('', id, '');
    const request = tool === undefined ? undefined : session.requestFor(tool.event);
    if (request !== undefined) dismiss(emit, request, 'dismissed', run);
  }
  emit({ type: vendorType(record.hook), run, data: {} });
}

function permissionRequest(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const subject = record.tool;
  const tool = openTool(record, session);
  const run = runOf(mapping);
  // The notification about the same dialog can come first.
  for (const request of session.requests()) if (isUnnamedPermission(request)) dismiss(emit, request, 'auto', run);
  const form = questionForm(record.questions);
  if (form !== undefined) raise(emit, { kind: 'form', prompt: form.prompt, subject, run, cause: tool?.event, more: { fields: form.fields } });
  else raise(emit, { kind: 'permission', subject, run, cause: tool?.event, more: { options: DECISIONS } });
}

const DECISIONS: readonly JsonObject[] = [
  { id: 'allow', label: 'allow' },
  { id: 'deny', label: 'deny' },
];

function permissionDenied(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const tool = openTool(record, session);
  const run = runOf(mapping);
  const request = tool === undefined ? undefined : session.requestFor(tool.event);
  if (request !== undefined) dismiss(emit, request, 'auto', run);
  emit({ type: 'tool.denied', subject: record.tool, run, cause: tool?.event, severity: 'warning', data: { tool: toolRef(record), by: 'policy' } });
}

/** Three subtypes ask for a person; each is silent while the hook that says the same has an open request. */
function notification(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const subtype = record.subject;
  const open = session.requests();
  switch (subtype) {
    case 'permission_prompt':
      if (!open.some(({ kind }) => kind === 'permission' || kind === 'form')) raise(emit, { kind: 'permission', run: runOf(mapping) });
      return;
    case 'elicitation_dialog':
      if (!open.some(({ kind }) => kind === 'form' || kind === 'input')) raise(emit, { kind: 'input', run: runOf(mapping) });
      return;
    case 'idle_prompt':
    case 'agent_needs_input':
      if (!open.some(({ kind }) => kind === 'input')) raise(emit, { kind: 'input', subject: subtype });
      return;
    default:
      emit({ type: 'progress.status', subject: subtype, run: session.run?.id, data: {} });
  }
}

function elicitation(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const run = runOf(mapping);
  for (const request of session.requests()) if (request.kind === 'input' && request.subject === undefined) dismiss(emit, request, 'auto', run);
  const subject = record.subject;
  // A page to visit instead of fields to fill in.
  if (record.page === true) return void raise(emit, { kind: 'input', subject, run });
  const form = elicitationForm(record.fields ?? []);
  raise(emit, { kind: 'form', prompt: form.prompt, subject, run, more: { fields: form.fields } });
}

function elicitationResult(mapping: Mapping): void {
  const { record, session, emit } = mapping;
  const subject = record.subject;
  const request = session.requests().findLast((open) => open.tool === undefined && open.subject === subject);
  if (request === undefined) return;
  const run = runOf(mapping);
  if (record.accepted !== true) dismiss(emit, request, 'dismissed', run);
  else settle(emit, request, elicitationAnswers(request.fields, record.answers), run);
}

function subagentStart(mapping: Mapping): void {
  const { record, emit } = mapping;
  emit({
    type: 'delegation.subagent.started',
    subject: record.subject,
    run: runOf(mapping),
    data: { ...present('agent_type', record.kind) },
  });
}

function subagentStop(mapping: Mapping): void {
  const { record, emit } = mapping;
  emit({
    type: 'delegation.subagent.stopped',
    subject: record.subject,
    run: runOf(mapping),
    data: { ...present('agent_type', record.kind) },
  });
}

function taskCreated(mapping: Mapping): void {
  const id = mapping.record.subject;
  mapping.emit({ type: 'progress.task.planned', subject: id, run: runOf(mapping), data: { task: { ...present('id', id) } } });
}

function taskCompleted(mapping: Mapping): void {
  const id = mapping.record.subject;
  const data = { task: { ...present('id', id) }, status: 'completed' };
  mapping.emit({ type: 'progress.task.completed', subject: id, run: runOf(mapping), data });
}

function postCompact(mapping: Mapping): void {
  const { record, emit } = mapping;
  emit({ type: 'session.compacted', run: mapping.session.run?.id, data: { ...present('trigger', record.trigger) } });
}

function cancelRun(session: SessionState, emit: Emit): void {
  const run = session.run;
  if (run !== undefined) emit({ type: 'run.cancelled', run: run.id, cause: run.event, data: {} });
}

function closeRequests(session: SessionState, emit: Emit): void {
  for (const request of session.requests()) dismiss(emit, request, 'dismissed', session.run?.id);
}

function isUnnamedPermission(request: OpenRequest): boolean {
  return request.kind === 'permission' && request.tool === undefined && request.subject === undefined;
}

function openTool(record: HookRecord, session: SessionState): OpenTool | undefined {
  return session.findTool(record.tool ?? '', record.call, record.input);
}

function toolRef(record: HookRecord): JsonObject {
  return { name: record.tool ?? '', ...present('call_id', record.call) };
}

/** The run a hook belongs to: the open one, else the one its payload names, unless that one is over. */
function runOf({ record, session }: Mapping): string | undefined {
  return session.run?.id ?? promptRun(record, session);
}

function promptRun(record: HookRecord, session: SessionState): string | undefined {
  const id = record.run;
  return id !== undefined && !session.isClosedRun(id) ? id : undefined;
}

function present<K extends string, V>(key: K, value: V | undefined): Readonly<Partial<Record<K, V>>> {
  return (value === undefined ? {} : { [key]: value }) as Readonly<Partial<Record<K, V>>>;
}
