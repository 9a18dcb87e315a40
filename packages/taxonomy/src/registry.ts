import type { CoreType } from './generated/payloads.js';

/** What consumers and emitters owe a type (AEP-0002 §1). */
export type TypeStatus = 'mandatory' | 'optional' | 'reserved';

/** What an Event of the type is about: a session, the agent as such, or a command to a session (AEP-0002 §3). */
export type TypeScope = 'session' | 'agent' | 'command';

/** One row of the {@link registry}. */
export interface TypeEntry {
  readonly type: CoreType;
  /** First segment of the name. */
  readonly category: string;
  readonly status: TypeStatus;
  readonly scope: TypeScope;
  /** May change or go before it is promoted; advertised under `capabilities.experimental` (AEP-0003 §4). */
  readonly experimental: boolean;
  /** What an Event of the type says, in a few words. */
  readonly summary: string;
  /** Whether 0.1 has a payload schema for it; the two reserved types have none. */
  readonly hasSchema: boolean;
}

type Row = readonly [type: CoreType, summary: string];

const MANDATORY: readonly Row[] = [
  ['session.started', 'session began'],
  ['session.ended', 'session is over; terminal'],
  ['run.started', 'a run began'],
  ['run.finished', 'run succeeded; terminal'],
  ['run.failed', 'run failed or was rejected; terminal'],
  ['run.cancelled', 'run was stopped by user, control, policy or shutdown; terminal'],
  ['tool.requested', 'a tool is about to execute'],
  ['tool.completed', 'tool succeeded'],
  ['tool.failed', 'tool ended with an error'],
  ['tool.denied', 'tool was blocked by policy or runtime before it executed'],
  ['attention.requested', 'a person, or a policy in their place, is needed'],
  ['attention.answered', 'an answer was given and applied'],
  ['attention.resolved', 'request is closed; terminal'],
  ['attention.timeout', 'request expired without an answer; terminal'],
];

const OPTIONAL: readonly Row[] = [
  ['session.compacted', 'context was compacted'],
  ['run.step.started', 'a phase of a run began'],
  ['run.step.finished', 'a phase of a run ended'],
  ['progress.status', 'sign of progress'],
  ['progress.task.planned', 'item of a plan was made'],
  ['progress.task.completed', 'item of a plan is done'],
  ['progress.artifact.produced', 'an output exists'],
  ['delegation.subagent.started', 'subagent started'],
  ['delegation.subagent.stopped', 'subagent stopped'],
  ['attention.routed', 'a consumer brought the request before a person'],
  ['agent.presence', 'presence of the emitter changed'],
  ['agent.idle', 'agent waits for work'],
  ['agent.health', 'report of health'],
  ['agent.heartbeat', 'sign of life'],
  ['error.raised', 'fault outside the terminals of tools and runs'],
  ['state.snapshot', 'image of state that the agent owns'],
  ['state.delta', 'change of that state'],
];

const EXPERIMENTAL: readonly Row[] = [
  ['resource.retrieval.requested', 'a retrieval is about to run'],
  ['resource.retrieval.returned', 'a retrieval delivered documents'],
  ['resource.retrieval.reranked', 'documents were scored again'],
  ['resource.citation.recorded', 'an answer cites its sources'],
  ['assessment.evaluation.recorded', 'result of an evaluation'],
  ['assessment.feedback.received', 'feedback of a person'],
  ['assessment.guardrail.recorded', 'verdict of a content check'],
  ['control.attention.respond', 'command: answer a request'],
  ['control.cancel', 'command: cancel a run or the session'],
  ['control.pause', 'command: pause'],
  ['control.resume', 'command: go on'],
  ['control.accepted', 'ack: the target is going to try'],
  ['control.rejected', 'ack: the target is not going to'],
];

const RESERVED: readonly Row[] = [
  ['message.user.submitted', 'name kept for messages of people'],
  ['message.agent.replied', 'name kept for messages of the agent'],
];

const COMMANDS: ReadonlySet<string> = new Set(['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume']);

const entries = (rows: readonly Row[], status: TypeStatus, experimental = false): TypeEntry[] =>
  rows.map(([type, summary]) => {
    const category = type.slice(0, type.indexOf('.'));
    const scope = COMMANDS.has(type) ? 'command' : category === 'agent' ? 'agent' : 'session';
    return { type, category, status, scope, experimental, summary, hasSchema: status !== 'reserved' };
  });

/**
 * The 46 types of AEP 0.1: 14 mandatory, 30 optional, 2 reserved (AEP-0002 §6). Where prose and registry differ, the
 * registry wins.
 */
export const registry: readonly TypeEntry[] = /* @__PURE__ */ Object.freeze([
  ...entries(MANDATORY, 'mandatory'),
  ...entries(OPTIONAL, 'optional'),
  ...entries(EXPERIMENTAL, 'optional', true),
  ...entries(RESERVED, 'reserved'),
]);

const byType: ReadonlyMap<string, TypeEntry> = /* @__PURE__ */ new Map(registry.map((entry) => [entry.type, entry]));

/**
 * The row of a registered type; `undefined` for vendor types and for names 0.1 does not know, which every consumer
 * tolerates (AEP-0002 §1).
 *
 * @example
 * typeEntry('tool.denied')?.status; // 'mandatory'
 */
export function typeEntry(type: string): TypeEntry | undefined {
  return byType.get(type);
}
