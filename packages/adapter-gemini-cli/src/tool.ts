import { type HookCall, isToken, type Steps, toolCompleted, toolFailed, type ToolFacts } from '@aepkit/adapter-kit';

import { shellReport } from './shell-report.js';

type Value = ToolFacts['input'];

/** The call of a tool that a hook is about. No hook names a call: it is found by its tool and its input. */
export function toolOf(call: HookCall): ToolFacts {
  return { name: call.required('tool_name'), input: call.value('tool_input') };
}

/**
 * The end of a call. An `error` in the response is a failure. Where a command failed, only a line in the text for the model says so: the
 * tool did what it was to do, and `status` tells how the command ended.
 */
export function ended(call: HookCall): Steps {
  const tool = toolOf(call);
  const result = call.value('tool_response');
  const { error, llmContent } = members(result);
  if (isError(error)) return toolFailed({ ...tool, ...failure(error) });
  const step = toolCompleted({ ...tool, result });
  const status = shellReport(tool.name, llmContent);
  return status === undefined ? step : { ...step, event: { type: 'tool.completed', ...step.event, data: { ...step.event?.data, status } } };
}

function isError(error: Value | undefined): error is Value {
  return error !== undefined && error !== null && error !== false && error !== '';
}

function failure(error: Value): { readonly error?: string | undefined; readonly message?: string | undefined } {
  if (typeof error === 'string') return { message: error };
  const { type, message } = members(error);
  return { error: isToken(type) ? type : undefined, message: typeof message === 'string' && message !== '' ? message : undefined };
}

function members(value: Value): Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, Value>>) : {};
}
