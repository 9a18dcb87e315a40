import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { present } from './members.js';
import type { Step, ToolFacts } from './step.js';

/** A tool is about to run: `tool.requested`, with the digest of its input. */
export function toolRequested(tool: ToolFacts): Step {
  return { do: 'emit', event: { type: 'tool.requested', subject: tool.name, data: { tool: toolRef(tool) }, originals: { args: tool.input } } };
}

/** Facts of {@link toolCompleted}. */
export interface ToolResult extends ToolFacts {
  /** Content. */
  readonly result: JsonValue;
  /** In milliseconds. */
  readonly duration?: number | undefined;
  /** Where the call was a form: the choices that were made, and what was written, by id of the field. */
  readonly answers?: { readonly chosen: JsonObject; readonly written: JsonObject } | undefined;
}

/**
 * A tool ended well: `tool.completed`, with the digest of its result. An open request about it counts as answered: with `allow`, or, where
 * it was a form, with `answers`.
 */
export function toolCompleted({ result, duration, answers, ...tool }: ToolResult): Step {
  return {
    do: 'end-tool',
    tool,
    outcome: 'answered',
    event: { type: 'tool.completed', subject: tool.name, data: { tool: toolRef(tool), ...present('duration_ms', duration) }, originals: { result } },
    ...(answers === undefined ? {} : { answer: answered(answers) }),
  };
}

function answered({ chosen, written }: { readonly chosen: JsonObject; readonly written: JsonObject }): NonNullable<Step['answer']> {
  const some = (values: JsonObject): JsonObject => (Object.keys(values).length === 0 ? {} : { values });
  return { type: 'attention.answered', data: { answer: some(chosen), via: 'oob' }, text: Object.keys(written).length === 0 ? {} : { answer: some(written) } };
}

/** Facts of {@link toolFailed}. */
export interface ToolFailure extends ToolFacts {
  /** A word for the class of the error. */
  readonly error?: string | undefined;
  /** Content. */
  readonly message?: string | undefined;
  /** In milliseconds. */
  readonly duration?: number | undefined;
}

/** A tool failed: `tool.failed`. */
export function toolFailed({ error, message, duration, ...tool }: ToolFailure): Step {
  return {
    do: 'end-tool',
    tool,
    outcome: 'answered',
    event: {
      type: 'tool.failed',
      subject: tool.name,
      severity: 'warning',
      data: { tool: toolRef(tool), error: { ...present('type', error) }, ...present('duration_ms', duration) },
      ...(message === undefined ? {} : { text: { error: { message } } }),
    },
  };
}

/** A tool was blocked before it ran, and by no person: `tool.denied` (AEP-0002 §4). */
export function toolDenied({ by, rule, ...tool }: ToolFacts & { readonly by: 'policy' | 'user_setting' | 'runtime'; readonly rule?: string | undefined }): Step {
  return {
    do: 'end-tool',
    tool,
    outcome: 'auto',
    event: { type: 'tool.denied', subject: tool.name, severity: 'warning', data: { tool: toolRef(tool), by, ...present('rule', rule) } },
  };
}

/** A round of calls is over: those that still have an open request were refused, and those that have no end are marked. */
export function callsEnded(calls: readonly string[], event?: Step['event']): Step {
  return { do: 'end-calls', calls, ...(event === undefined ? {} : { event }) };
}

function toolRef({ name, call }: ToolFacts): JsonObject {
  return { name, ...present('call_id', call) };
}
