import { AdapterError } from './errors.js';
import { createAdapter } from './create-adapter.js';
import type { Decision, HookAdapter, Question } from './hook-adapter.js';
import { type HookCall, hookCall, type PayloadNames } from './hook-call.js';
import { own } from './members.js';
import type { AdapterOptions } from './options.js';
import type { Steps } from './step.js';

/** What one hook means: pure, and sees this one call only. */
export type HookMapping = (call: HookCall) => Steps;

/** An adapter as data. */
export interface AdapterSpec {
  /** The agent's name on every Event, and the vendor token of its own types: lower-case letters, digits, `-` and `_`. */
  readonly agent: string;
  /** Hook by hook what it means. One that is not listed becomes `x.{agent}.session.{hook}` with empty data. */
  readonly hooks: Readonly<Record<string, HookMapping>>;
  /** The session of a payload. Default: its `session_id`. */
  readonly session?: (payload: Readonly<Record<string, unknown>>) => unknown;
  /** The name of the hook. Default: `hook_event_name`. */
  readonly hook?: (payload: Readonly<Record<string, unknown>>) => unknown;
  /** The run that the agent names on a call. Default: none. */
  readonly run?: (call: HookCall) => string | undefined;
  /**
   * Whether that name is exact: a call belongs to the run that it names and to no other, and a run begins and ends once. Default false: the
   * open run comes first, and a name that was used before gives way to a fresh one.
   */
  readonly namedRuns?: boolean;
  /** When the hook fired, in milliseconds since the epoch. Default, and where it is no time: now. */
  readonly time?: (call: HookCall) => number | undefined;
  /** What a call asks, where it can be held until somebody answers. Default: nothing. */
  readonly question?: (call: HookCall) => Question | undefined;
  /** What the hook prints for such a call. */
  readonly reply?: (call: HookCall, decision: Decision) => string;
}

/** An adapter that was declared. */
export interface AdapterDefinition {
  readonly agent: string;
  /** Names of the hooks that have a mapping of their own. */
  readonly hooks: readonly string[];
  /** Makes an adapter with a state of its own. @throws RangeError for an option out of bounds. */
  create(options: AdapterOptions): HookAdapter;
  /** As {@link HookAdapter.question}. */
  question(payload: unknown): Question | undefined;
  /** As {@link HookAdapter.reply}. */
  reply(payload: unknown, decision: Decision): string;
}

const AGENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Declares the adapter of an agent.
 *
 * @throws {@link AdapterError} `invalid-definition`.
 *
 * @example
 * ```ts
 * const adapter = defineAdapter({
 *   agent: 'my-agent',
 *   hooks: { Start: () => sessionStarted({ client: 'my-agent' }), End: () => sessionEnded() },
 * });
 * const events = adapter.create({ host: 'laptop' }).handle({ session_id: 's1', hook_event_name: 'Start' });
 * ```
 */
export function defineAdapter(spec: AdapterSpec): AdapterDefinition {
  const { agent, reply } = spec;
  if (!AGENT.test(agent)) throw new AdapterError('invalid-definition', '$.agent', 'must be a token of lower-case letters, digits, - and _');
  if ((spec.question === undefined) !== (reply === undefined)) throw new AdapterError('invalid-definition', '$.reply', 'question and reply go together');
  const names: PayloadNames = {
    session: spec.session ?? ((payload) => own(payload, 'session_id')),
    hook: spec.hook ?? ((payload) => own(payload, 'hook_event_name')),
  };
  const question = (payload: unknown): Question | undefined => spec.question?.(hookCall(payload, names));
  const answer = (payload: unknown, decision: Decision): string => {
    const call = hookCall(payload, names);
    if (reply === undefined || spec.question?.(call) === undefined) throw new AdapterError('invalid-payload', '$', 'this call asks nothing');
    return reply(call, decision);
  };
  return {
    agent,
    hooks: Object.freeze(Object.keys(spec.hooks)),
    create: (options) => createAdapter({ spec, names, question, reply: answer }, options),
    question,
    reply: answer,
  };
}
