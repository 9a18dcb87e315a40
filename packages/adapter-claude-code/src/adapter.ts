import {
  type AdapterDefinition,
  answered,
  callsEnded,
  defineAdapter,
  event,
  formRequest,
  type HookCall,
  permission,
  questionAnswers,
  questionForm,
  request,
  runFailed,
  runFinished,
  runStarted,
  schemaForm,
  sessionEnded,
  sessionStarted,
  type Step,
  toolCompleted,
  toolDenied,
  toolFailed,
  type ToolFacts,
  toolRequested,
  vendorType,
} from '@aepkit/adapter-kit';

import { AGENT } from './agent.js';
import { reply } from './reply.js';
import { promptOf } from './prompt.js';

/** The tool whose permission dialog is a list of questions. */
const QUESTIONS = 'AskUserQuestion';

/**
 * The hooks of Claude Code, what each means (AEP-0002 Annex A.1 and the published adapter guidance). One that is not listed becomes
 * `x.claude-code.session.*`.
 *
 * @example
 * ```ts
 * const claude = adapter.create({ host: 'laptop' });
 * const events = claude.handle({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' });
 * ```
 */
export const adapter: AdapterDefinition = defineAdapter({
  agent: AGENT,
  hooks: {
    SessionStart: (call) => sessionStarted({ client: AGENT, model: call.token('model'), cwd: call.text('cwd') }),
    SessionEnd: () => sessionEnded(),
    UserPromptSubmit: (call) => runStarted({ prompt: call.text('prompt') }),
    Stop: (call) => runFinished({ summary: call.text('last_assistant_message') }),
    StopFailure: (call) => runFailed({ error: call.token('error'), message: call.text('error_details') ?? call.text('error') }),
    PreToolUse: (call) => toolRequested(toolOf(call)),
    PostToolUse: (call) =>
      toolCompleted({
        ...toolOf(call),
        result: call.value('tool_response'),
        duration: call.count('duration_ms'),
        answers: call.required('tool_name') === QUESTIONS ? questionAnswers(call.object('tool_input'), call.object('tool_response')) : undefined,
      }),
    PostToolUseFailure: (call) =>
      toolFailed({ ...toolOf(call), error: call.flag('is_interrupt') ? 'interrupted' : undefined, message: call.text('error'), duration: call.count('duration_ms') }),
    PostToolBatch: (call) => callsEnded(callIds(call), { type: vendorType(AGENT, 'PostToolBatch'), data: {} }),
    PermissionRequest: permissionRequest,
    PermissionDenied: (call) => toolDenied({ ...toolOf(call), by: 'policy' }),
    Notification: notification,
    Elicitation: elicitation,
    ElicitationResult: (call) => answered({ subject: elicitationId(call), accepted: call.token('action') === 'accept', values: call.object('content') }),
    SubagentStart: (call) => subagent('delegation.subagent.started', call),
    SubagentStop: (call) => subagent('delegation.subagent.stopped', call),
    TaskCreated: (call) => task('progress.task.planned', call, {}),
    TaskCompleted: (call) => task('progress.task.completed', call, { status: 'completed' }),
    TeammateIdle: () => event({ type: 'agent.idle', scope: 'agent', data: { reason: 'awaiting_input' } }),
    // Compaction is reported once, when it is done.
    PreCompact: () => undefined,
    PostCompact: (call) => {
      const trigger = call.token('trigger') ?? call.token('compact_trigger');
      return event({ type: 'session.compacted', data: trigger === undefined ? {} : { trigger } });
    },
  },
  run: (call) => call.token('prompt_id'),
  question: (call) => (call.hook === 'PermissionRequest' && call.required('tool_name') !== QUESTIONS ? { kind: 'permission', options: ['allow', 'deny'] } : undefined),
  reply,
});

function toolOf(call: HookCall): ToolFacts {
  return { name: call.required('tool_name'), call: call.identifier('tool_use_id'), input: call.value('tool_input') };
}

function callIds(call: HookCall): string[] {
  const calls = call.value('tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.map((item: unknown) => (item as { readonly tool_use_id?: unknown } | null)?.tool_use_id).filter((id) => typeof id === 'string');
}

/** A dialog; it has no call id, so that the call is found by name and input. */
function permissionRequest(call: HookCall): Step {
  const tool = toolOf(call);
  const form = tool.name === QUESTIONS ? questionForm(call.object('tool_input')) : undefined;
  if (form === undefined || form.fields.length === 0) return permission({ ...tool, prompt: promptOf(tool.name, call.object('tool_input')) });
  return formRequest({ subject: tool.name, tool, prompt: `${AGENT} asks ${count(form.fields.length, 'question')}`, ...form });
}

/** Some subtypes ask for a person; each is silent while the hook that says the same has an open request. */
function notification(call: HookCall): Step {
  const subject = call.token('notification_type');
  const prompt = call.text('message');
  switch (subject) {
    case 'permission_prompt':
      return request({ kind: 'permission', prompt, unless: ['permission', 'form'] });
    case 'elicitation_dialog':
      return request({ kind: 'input', prompt, unless: ['form', 'input'] });
    case 'idle_prompt':
    case 'agent_needs_input':
      return request({ kind: 'input', subject, prompt, unless: ['input'], scope: 'session' });
    default:
      return event({ type: 'progress.status', subject, data: {}, ...(prompt === undefined ? {} : { text: { message: prompt } }) });
  }
}

function elicitation(call: HookCall): Step {
  const subject = elicitationId(call);
  const words = call.text('message');
  // A page to visit instead of fields to fill in.
  if (call.token('mode') === 'url') return request({ kind: 'input', subject, prompt: words, replaces: 'input' });
  const form = schemaForm(call.object('requested_schema'));
  return formRequest({ subject, prompt: `${AGENT} requests input (${count(form.fields.length, 'field')})`, words, ...form });
}

function elicitationId(call: HookCall): string | undefined {
  return call.identifier('elicitation_id') ?? call.identifier('mcp_server_name');
}

function subagent(type: string, call: HookCall): Step {
  const kind = call.token('agent_type');
  return event({ type, subject: call.identifier('agent_id'), data: kind === undefined ? {} : { agent_type: kind } });
}

function task(type: string, call: HookCall, more: Readonly<Record<string, string>>): Step {
  const id = call.identifier('task_id');
  const title = call.text('task_subject');
  return event({ type, subject: id, data: { task: id === undefined ? {} : { id }, ...more }, ...(title === undefined ? {} : { text: { task: { title } } }) });
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
