import type { Decision, HookCall } from '@aepkit/adapter-kit';

/** What a `PermissionRequest` hook prints so that the agent takes a decision without asking itself. The agent knows a message for `deny` only. */
export function reply(call: HookCall, { behavior, message }: Decision): string {
  const decision = behavior === 'deny' && message !== undefined && message !== '' ? { behavior, message } : { behavior };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: call.hook, decision } });
}
