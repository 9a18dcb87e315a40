import {
  type AdapterDefinition,
  defineAdapter,
  event,
  type HookCall,
  isToken,
  runFinished,
  runStarted,
  sessionEnded,
  sessionStarted,
  type Steps,
  toolRequested,
  vendorType,
} from '@aepkit/adapter-kit';

import { AGENT } from './agent.js';
import { ended, toolOf } from './tool.js';

/**
 * The hooks of Gemini CLI, one by one, as Events (AEP-0002 Annex A.3). What lies between `BeforeAgent` and `AfterAgent` is a run. A hook
 * that is not listed becomes a vendor type with empty data.
 *
 * @example
 * ```ts
 * const gemini = adapter.create({ host: 'laptop' });
 * const events = gemini.handle({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' });
 * ```
 */
export const adapter: AdapterDefinition = defineAdapter({
  agent: AGENT,
  hooks: {
    SessionStart: (call) => sessionStarted({ client: AGENT, trigger: call.token('source'), cwd: call.text('cwd') }),
    SessionEnd: () => sessionEnded(),
    BeforeAgent: (call) => runStarted({ prompt: call.text('prompt') }),
    AfterAgent: () => runFinished({ closes: true }),
    BeforeTool: (call) => toolRequested(toolOf(call)),
    AfterTool: (call) => ended(call),
    BeforeModel: (call) => model(call),
    BeforeToolSelection: (call) => model(call),
    // Once for every piece of an answer.
    AfterModel: (call) => model(call, 'debug'),
    PreCompress: (call) => compress(call),
    Notification: (call) => notification(call),
  },
  time: (call) => timeOf(call.text('timestamp')),
});

function model(call: HookCall, severity?: 'debug'): Steps {
  const name = call.object('llm_request')?.model;
  return event({ type: vendorType(AGENT, call.hook), severity, data: isToken(name) ? { model: name } : {} });
}

/**
 * The hook fires ahead of every request to the model, whether or not anything will be compressed. Only where a person asked for it is it
 * known that something is.
 */
function compress(call: HookCall): Steps {
  const trigger = call.token('trigger');
  const data = trigger === undefined ? {} : { trigger };
  return trigger === 'auto' ? event({ type: vendorType(AGENT, call.hook), severity: 'debug', data }) : event({ type: 'session.compacted', data });
}

/** Tells that somebody is asked; the hook can neither grant nor deny, so that it is no request (AEP-0002 Annex A.3). */
function notification(call: HookCall): Steps {
  const subject = call.token('notification_type');
  const message = call.text('message');
  return event({
    type: 'progress.status',
    subject,
    // The agent waits for a person: not to be dropped where a reader is slow (AEP-0003 §8.4).
    severity: subject === 'ToolPermission' ? 'notice' : undefined,
    data: {},
    text: message === undefined ? {} : { message },
  });
}

/** When the agent called, in milliseconds; NaN where it does not say so in the way it does. */
function timeOf(timestamp: string | undefined): number {
  return timestamp !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(timestamp) ? Date.parse(timestamp) : NaN;
}
