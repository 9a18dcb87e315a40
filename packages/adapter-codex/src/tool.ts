import { type HookCall, permission, permissionPrompt, type Step, toolCompleted, type ToolFacts } from '@aepkit/adapter-kit';

type Value = ToolFacts['input'];

/** The call of a tool that a hook is about. */
export function toolOf(call: HookCall): ToolFacts {
  return { name: call.required('tool_name'), call: call.identifier('tool_use_id'), input: call.value('tool_input') };
}

/**
 * The call that a person is asked about. It is named by no id, and the reason why it is asked for is added to its input: what is left is the
 * input of the call.
 */
function requestedTool(call: HookCall): ToolFacts {
  return { ...toolOf(call), input: withoutReason(call.value('tool_input')) };
}

function withoutReason(input: Value): Value {
  const { command, ...others } = object(input);
  // Other tools have a member of that name of their own.
  const [name, ...more] = Object.keys(others);
  return typeof command === 'string' && name === 'description' && more.length === 0 ? { command } : input;
}

/** The request for a permission: what is to be done and why, as far as the payload says. */
export function asked(call: HookCall): Step {
  const { command, description } = object(call.value('tool_input'));
  return permission({ ...requestedTool(call), prompt: permissionPrompt(call.required('tool_name'), text(command), text(description)) });
}

/**
 * The end of a call. Codex says that it is over and what came out, and not how it went: the output of a command that failed looks like any
 * other. No `status` would mean success (AEP-0002 §8), so there is one.
 */
export function finished(tool: ToolFacts, result: Value): Step {
  const step = toolCompleted({ ...tool, result });
  return { ...step, event: { type: 'tool.completed', ...step.event, data: { ...step.event?.data, status: statusOf(result) } } };
}

/** What a tool of an MCP server answers says itself whether it failed. */
function statusOf(result: Value): 'success' | 'error' | 'unknown' {
  const failed = object(result).isError;
  return failed === true ? 'error' : failed === false ? 'success' : 'unknown';
}

function object(value: Value): Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Value>>) : {};
}

function text(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
