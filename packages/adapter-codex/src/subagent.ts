import type { HookCall } from '@aepkit/adapter-kit';

/** Whether a hook fired in a subagent: session and hooks are those of the agent that started it, the turn is its own. */
export function fromSubagent(call: HookCall): boolean {
  return call.hook !== 'SubagentStart' && call.hook !== 'SubagentStop' && call.text('agent_id') !== undefined;
}
