import {
  type AdapterDefinition,
  type Decision,
  defineAdapter,
  event,
  type HookCall,
  runCancelled,
  runFinished,
  runStarted,
  sessionEnded,
  sessionStarted,
  type Steps,
  toolRequested,
} from '@aepkit/adapter-kit';

import { AGENT } from './agent.js';
import { fromSubagent } from './subagent.js';
import { asked, finished, toolOf } from './tool.js';

/** The hook that may be held, and whose output decides. */
const PERMISSION = 'PermissionRequest';

/**
 * The hooks of Codex, one by one, as Events (AEP-0002 Annex A.2). A turn of the agent is a run. A hook that is not listed becomes a vendor
 * type with empty data.
 *
 * @example
 * ```ts
 * const codex = adapter.create({ host: 'laptop' });
 * const events = codex.handle({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' });
 * ```
 */
export const adapter: AdapterDefinition = defineAdapter({
  agent: AGENT,
  hooks: {
    SessionStart: (call) => sessionStarted({ client: AGENT, model: call.token('model'), trigger: call.token('source'), cwd: call.text('cwd') }),
    SessionEnd: () => sessionEnded(),
    UserPromptSubmit: (call) => ownTurn(call, () => runStarted({ run: turnOf(call), prompt: call.text('prompt') })),
    // A call that was refused has no other end.
    Stop: (call) => ownTurn(call, () => runFinished({ run: turnOf(call), closes: true })),
    Interrupt: (call) => ownTurn(call, () => runCancelled({ run: turnOf(call), by: 'user' })),
    PreToolUse: (call) => toolRequested(toolOf(call)),
    PostToolUse: (call) => finished(toolOf(call), call.value('tool_response')),
    [PERMISSION]: (call) => asked(call),
    SubagentStart: (call) => subagent('delegation.subagent.started', call),
    SubagentStop: (call) => subagent('delegation.subagent.stopped', call),
    // Compaction is reported once, when it is done.
    PreCompact: () => undefined,
    PostCompact: (call) => event({ type: 'session.compacted', data: word('trigger', call.token('trigger')) }),
  },
  run: turnOf,
  namedRuns: true,
  question: (call) => (call.hook === PERMISSION ? { kind: 'permission', options: ['allow', 'deny'] } : undefined),
  reply: (_, decision) => replyOf(decision),
});

/** What a subagent does belongs to the turn that waits for it: its own turns are told by `SubagentStart` and `SubagentStop`. */
function ownTurn(call: HookCall, steps: () => Steps): Steps {
  return fromSubagent(call) ? undefined : steps();
}

function turnOf(call: HookCall): string | undefined {
  return fromSubagent(call) ? undefined : call.token('turn_id');
}

function subagent(type: string, call: HookCall): Steps {
  return event({ type, subject: call.identifier('agent_id'), data: word('agent_type', call.token('agent_type')) });
}

function word(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** Codex takes no member that it does not know, and nothing but these two for a decision. */
function replyOf({ behavior, message }: Decision): string {
  const decision = behavior === 'deny' && message !== undefined ? { behavior, message } : { behavior };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: PERMISSION, decision } });
}
