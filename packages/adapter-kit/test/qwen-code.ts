import {
  type AdapterDefinition, callsEnded, defineAdapter, event, type HookCall, permission, permissionPrompt, request, runFailed, runFinished,
  runStarted, sessionEnded, sessionStarted, toolCompleted, toolDenied, toolFailed, type ToolFacts, toolRequested,
} from '../src/index.js';

const AGENT = 'qwen-code';

// What a hook says of a call of a tool. `input` is content: the kit makes the digest, redacts it, or leaves it out.
const tool = (call: HookCall): ToolFacts => ({
  name: call.required('tool_name'),
  call: call.identifier('tool_use_id'),
  input: call.value('tool_input'),
});

export const adapter: AdapterDefinition = defineAdapter({
  agent: AGENT,
  hooks: {
    SessionStart: (call) => sessionStarted({ client: AGENT, model: call.token('model'), cwd: call.text('cwd') }),
    SessionEnd: () => sessionEnded(),
    // Comes again, without a prompt, when results of tools go back to the model: no new turn.
    UserPromptSubmit: (call) => (call.text('prompt') === undefined ? undefined : runStarted({ prompt: call.text('prompt') })),
    Stop: (call) => runFinished({ summary: call.text('last_assistant_message') }),
    StopFailure: (call) => runFailed({ error: call.token('error'), message: call.text('error_details') }),
    PreToolUse: (call) => toolRequested(tool(call)),
    PostToolUse: (call) => toolCompleted({ ...tool(call), result: call.value('tool_response') }),
    PostToolUseFailure: (call) => toolFailed({ ...tool(call), message: call.text('error') }),
    PostToolBatch: (call) => callsEnded(idsOf(call)),
    PermissionRequest: (call) => permission({ ...tool(call), prompt: permissionPrompt(call.required('tool_name')) }),
    PermissionDenied: (call) => toolDenied({ ...tool(call), by: 'policy' }),
    Notification: notification,
  },
});

// A token is a structural word, so `metadata` may show it; a text is content and goes below `text`.
function notification(call: HookCall): ReturnType<typeof event> {
  const [subject, message] = [call.token('notification_type'), call.text('message')];
  if (subject === 'idle_prompt') return request({ kind: 'input', subject, prompt: message, unless: ['input'], scope: 'session' });
  return event({ type: 'progress.status', subject, data: {}, text: message === undefined ? {} : { message } });
}

function idsOf(call: HookCall): string[] {
  const calls = call.value('tool_calls');
  return Array.isArray(calls) ? calls.flatMap((item: { tool_use_id?: string } | null) => item?.tool_use_id ?? []) : [];
}
