import type { AepEvent, JsonValue } from '@aepkit/envelope';

import {
  type AdapterDefinition,
  type AdapterOptions,
  answered,
  callsEnded,
  defineAdapter,
  event,
  formRequest,
  type HookAdapter,
  type HookCall,
  permission,
  type Redactor,
  request,
  runCancelled,
  runFailed,
  runFinished,
  runStarted,
  schemaForm,
  sessionEnded,
  sessionStarted,
  toolCompleted,
  toolDenied,
  toolFailed,
  type ToolFacts,
  toolRequested,
} from '../src/index.js';

const tool = (call: HookCall): ToolFacts => ({ name: call.required('tool'), call: call.identifier('id'), input: call.value('input') });

/** An agent with a hook for each step. */
export const definition: AdapterDefinition = defineAdapter({
  agent: 'testy',
  hooks: {
    Start: (call) => sessionStarted({ client: 'testy', version: '1', model: call.token('model'), trigger: call.token('why'), cwd: call.text('cwd') }),
    End: () => sessionEnded(),
    Prompt: (call) => runStarted({ run: call.token('turn'), prompt: call.text('prompt') }),
    Done: () => runFinished(),
    Failed: (call) => runFailed({ error: call.token('error'), message: call.text('message') }),
    Stopped: () => runCancelled({ by: 'user' }),
    Tool: (call) => toolRequested(tool(call)),
    ToolDone: (call) => toolCompleted({ ...tool(call), result: call.value('result') }),
    ToolFailed: (call) => toolFailed({ ...tool(call), error: call.token('error'), message: call.text('message') }),
    ToolDenied: (call) => toolDenied({ ...tool(call), by: 'policy', rule: call.token('rule') }),
    Round: (call) => callsEnded(call.value('ids') as string[]),
    Ask: (call) => permission({ ...tool(call), prompt: call.text('prompt') }),
    Hint: (call) => request({ kind: 'permission', prompt: call.text('prompt'), unless: ['permission'] }),
    Idle: (call) => request({ kind: 'input', subject: 'idle', prompt: call.text('prompt'), unless: ['input'], scope: 'session' }),
    Form: (call) => formRequest({ subject: call.identifier('form'), prompt: 'a form', words: call.text('words'), ...schemaForm(call.object('schema')) }),
    Filled: (call) => answered({ subject: call.identifier('form'), accepted: call.flag('ok'), values: call.object('values') }),
    Agent: () => event({ type: 'agent.idle', scope: 'agent', data: {} }),
    Note: (call) => event({ type: 'progress.status', data: {}, text: { message: call.text('message') ?? '' } }),
    Two: () => [event({ type: 'progress.status', data: { phase: 'a' } }), event({ type: 'progress.status', data: { phase: 'b' } })],
    Nothing: () => undefined,
  },
  question: (call) => (call.hook === 'Ask' ? { kind: 'permission', options: ['allow', 'deny'] } : undefined),
  reply: (_call, { behavior }) => behavior,
});

/** Replaces every text by stars, so that what passed it shows. */
export const stars: Redactor = {
  text: () => '***',
  value: (value) => map(value),
};

function map(value: JsonValue): JsonValue {
  if (typeof value === 'string') return '***';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => map(item));
  return Object.fromEntries(Object.entries(value as Record<string, JsonValue>).map(([name, item]) => [name, map(item)]));
}

export function testAdapter(options: Partial<AdapterOptions> = {}): HookAdapter {
  let ids = 0;
  return definition.create({ host: 'box', ceiling: 'metadata', redactor: stars, now: () => Date.UTC(2026, 0, 1), createId: () => `id-${String((ids += 1)).padStart(4, '0')}`, ...options });
}

/** Feeds hooks of session `s` and gives the Events of each. */
export function feeder(adapter: HookAdapter = testAdapter()) {
  return (hook: string, members: Record<string, unknown> = {}): AepEvent[] => adapter.handle({ ...members, session_id: 's', hook_event_name: hook }).map(({ event: made }) => made);
}

export function types(events: readonly AepEvent[]): string[] {
  return events.map(({ type }) => type);
}
