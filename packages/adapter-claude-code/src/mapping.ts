import { digest, type JsonObject, type JsonValue } from '@aepkit/envelope';

import { AGENT } from './agent.js';
import { dismiss, raise, settle } from './attention.js';
import type { Emit } from './draft.js';
import { elicitationAnswers, elicitationForm, questionAnswers, questionForm } from './forms.js';
import { type HookPayload, isJsonObject, own } from './hook-payload.js';
import { vendorType } from './hook-type.js';
import type { OpenRequest, OpenTool, SessionState } from './session-state.js';

/** What one hook call is mapped with. */
export interface Mapping {
  readonly hook: HookPayload;
  readonly session: SessionState;
  readonly emit: Emit;
  /** A fresh id, for a run that the agent gave none. */
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

/** Maps one hook call; a hook without a mapping becomes a vendor type with empty data. */
export function mapHook(mapping: Mapping): void {
  const mapped = MAPPINGS.get(mapping.hook.hook);
  if (mapped !== undefined) mapped(mapping);
  else mapping.emit({ type: vendorType(mapping.hook.hook), run: runOf(mapping), data: {} });
}

function sessionStart({ hook, emit }: Mapping): void {
  const model = hook.token('model');
  const trigger = hook.token('source');
  emit({
    type: 'session.started',
    data: { client: { name: AGENT }, ...present('trigger', trigger), ...present('gen_ai.request.model', model) },
  });
}

/** Comes again on leaving the interface, and again when a resumed session ends: one `session.ended` (AEP-0002 §2.5). */
function sessionEnd({ session, emit }: Mapping): void {
  closeRequests(session, emit);
  cancelRun(session, emit);
  if (!session.ended) emit({ type: 'session.ended', data: { reason: 'normal' } });
}

function userPromptSubmit({ hook, session, emit, createId }: Mapping): void {
  for (const request of session.requests()) {
    // The prompt is the answer to a request for input; a dialog that is still open was left.
    if (request.kind === 'input' && request.tool === undefined) settle(emit, request, {}, session.run?.id);
    else dismiss(emit, request, 'dismissed', session.run?.id);
  }
  // A run that is still open was interrupted: such a turn has no hook for its end.
  cancelRun(session, emit);
  const id = promptRun(hook, session) ?? createId();
  emit({ type: 'run.started', run: id, data: { trigger: 'user' } });
}

function stop(mapping: Mapping): void {
  endRun(mapping, (run, cause) => ({ type: 'run.finished', run, cause, data: {} }));
}

function stopFailure(mapping: Mapping): void {
  const type = mapping.hook.token('error');
  endRun(mapping, (run, cause) => ({
    type: 'run.failed',
    run,
    cause,
    severity: 'error',
    data: { reason: 'error', error: { ...present('type', type) } },
  }));
}

function endRun(mapping: Mapping, draft: (run: string, cause: string | undefined) => Parameters<Emit>[0]): void {
  const { hook, session, emit } = mapping;
  for (const request of session.requests()) if (request.tool === undefined && request.kind === 'permission') dismiss(emit, request);
  const run = session.run?.id ?? promptRun(hook, session);
  if (run !== undefined) emit(draft(run, session.run?.event));
}

function preToolUse(mapping: Mapping): void {
  const { hook, emit } = mapping;
  emit({
    type: 'tool.requested',
    subject: hook.toolName,
    run: runOf(mapping),
    data: { tool: toolRef(hook), args_digest: digest(hook.value('tool_input')) },
  });
}

function postToolUse(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const tool = openTool(hook, session);
  const run = runOf(mapping);
  settleTool(mapping, tool, run);
  emit({
    type: 'tool.completed',
    subject: hook.toolName,
    run,
    cause: tool?.event,
    data: {
      tool: toolRef(hook),
      ...present('duration_ms', hook.count('duration_ms')),
      result_digest: digest(hook.value('tool_response')),
    },
  });
}

function postToolUseFailure(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const tool = openTool(hook, session);
  const run = runOf(mapping);
  settleTool(mapping, tool, run);
  emit({
    type: 'tool.failed',
    subject: hook.toolName,
    run,
    cause: tool?.event,
    severity: 'warning',
    data: {
      tool: toolRef(hook),
      error: hook.flag('is_interrupt') ? { type: 'interrupted' } : {},
      ...present('duration_ms', hook.count('duration_ms')),
    },
  });
}

/** A tool that ran was allowed to: that is the answer to a request about it. */
function settleTool({ hook, session, emit }: Mapping, tool: OpenTool | undefined, run: string | undefined): void {
  const request = tool === undefined ? undefined : session.requestFor(tool.event);
  if (request === undefined) return;
  const answer =
    request.kind === 'form' ? questionAnswers(hook.object('tool_input'), hook.object('tool_response')) : { option: 'allow' };
  settle(emit, request, answer, run);
}

/** Ends a round of calls: a call in it that still has an open request was refused, which no other hook tells. */
function postToolBatch(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const run = runOf(mapping);
  const calls = hook.value('tool_calls');
  for (const call of (Array.isArray(calls) ? calls : []) as readonly JsonValue[]) {
    const id = isJsonObject(call) ? own(call, 'tool_use_id') : undefined;
    const tool = typeof id === 'string' ? session.findTool('', id, '') : undefined;
    const request = tool === undefined ? undefined : session.requestFor(tool.event);
    if (request !== undefined) dismiss(emit, request, 'dismissed', run);
  }
  emit({ type: vendorType(hook.hook), run, data: {} });
}

function permissionRequest(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const subject = hook.toolName;
  const tool = openTool(hook, session);
  const run = runOf(mapping);
  // The notification about the same dialog can come first.
  for (const request of session.requests()) if (isUnnamedPermission(request)) dismiss(emit, request, 'auto', run);
  const form = subject === 'AskUserQuestion' ? questionForm(hook.object('tool_input')) : undefined;
  if (form !== undefined) raise(emit, { kind: 'form', prompt: form.prompt, subject, run, cause: tool?.event, more: { fields: form.fields } });
  else raise(emit, { kind: 'permission', subject, run, cause: tool?.event, more: { options: DECISIONS } });
}

const DECISIONS: readonly JsonObject[] = [
  { id: 'allow', label: 'allow' },
  { id: 'deny', label: 'deny' },
];

function permissionDenied(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const tool = openTool(hook, session);
  const run = runOf(mapping);
  const request = tool === undefined ? undefined : session.requestFor(tool.event);
  if (request !== undefined) dismiss(emit, request, 'auto', run);
  emit({ type: 'tool.denied', subject: hook.toolName, run, cause: tool?.event, severity: 'warning', data: { tool: toolRef(hook), by: 'policy' } });
}

/** Three subtypes ask for a person; each is silent while the hook that says the same has an open request. */
function notification(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const subtype = hook.token('notification_type');
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
  const { hook, session, emit } = mapping;
  const run = runOf(mapping);
  for (const request of session.requests()) if (request.kind === 'input' && request.subject === undefined) dismiss(emit, request, 'auto', run);
  const subject = elicitationId(hook);
  // A page to visit instead of fields to fill in.
  if (hook.token('mode') === 'url') return void raise(emit, { kind: 'input', subject, run });
  const form = elicitationForm(hook.object('requested_schema'));
  raise(emit, { kind: 'form', prompt: form.prompt, subject, run, more: { fields: form.fields } });
}

function elicitationResult(mapping: Mapping): void {
  const { hook, session, emit } = mapping;
  const subject = elicitationId(hook);
  const request = session.requests().findLast((open) => open.tool === undefined && open.subject === subject);
  if (request === undefined) return;
  const run = runOf(mapping);
  if (hook.token('action') !== 'accept') dismiss(emit, request, 'dismissed', run);
  else settle(emit, request, elicitationAnswers(request.fields, hook.object('content')), run);
}

function elicitationId(hook: HookPayload): string | undefined {
  return hook.identifier('elicitation_id') ?? hook.identifier('mcp_server_name');
}

function subagentStart(mapping: Mapping): void {
  const { hook, emit } = mapping;
  emit({
    type: 'delegation.subagent.started',
    subject: hook.identifier('agent_id'),
    run: runOf(mapping),
    data: { ...present('agent_type', hook.token('agent_type')) },
  });
}

function subagentStop(mapping: Mapping): void {
  const { hook, emit } = mapping;
  emit({
    type: 'delegation.subagent.stopped',
    subject: hook.identifier('agent_id'),
    run: runOf(mapping),
    data: { ...present('agent_type', hook.token('agent_type')) },
  });
}

function taskCreated(mapping: Mapping): void {
  const id = mapping.hook.identifier('task_id');
  mapping.emit({ type: 'progress.task.planned', subject: id, run: runOf(mapping), data: { task: { ...present('id', id) } } });
}

function taskCompleted(mapping: Mapping): void {
  const id = mapping.hook.identifier('task_id');
  const data = { task: { ...present('id', id) }, status: 'completed' };
  mapping.emit({ type: 'progress.task.completed', subject: id, run: runOf(mapping), data });
}

function postCompact(mapping: Mapping): void {
  const { hook, emit } = mapping;
  const trigger = hook.token('trigger') ?? hook.token('compact_trigger');
  emit({ type: 'session.compacted', run: mapping.session.run?.id, data: { ...present('trigger', trigger) } });
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

function openTool(hook: HookPayload, session: SessionState): OpenTool | undefined {
  return session.findTool(hook.toolName, hook.identifier('tool_use_id'), digest(hook.value('tool_input')));
}

function toolRef(hook: HookPayload): JsonObject {
  return { name: hook.toolName, ...present('call_id', hook.identifier('tool_use_id')) };
}

/** The run a hook belongs to: the open one, else the one its payload names, unless that one is over. */
function runOf({ hook, session }: Mapping): string | undefined {
  return session.run?.id ?? promptRun(hook, session);
}

function promptRun(hook: HookPayload, session: SessionState): string | undefined {
  const id = hook.token('prompt_id');
  return id !== undefined && RUN_ID.test(id) && !session.isClosedRun(id) ? id : undefined;
}

// AEP-0003 §9.6.
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function present<K extends string, V>(key: K, value: V | undefined): Readonly<Partial<Record<K, V>>> {
  return (value === undefined ? {} : { [key]: value }) as Readonly<Partial<Record<K, V>>>;
}
