import type { JsonObject, JsonValue } from '@aepkit/envelope';

import type { Draft, LeveledEvent } from './draft.js';
import type { AnswerRecord } from './forms.js';

/** What placing a step does around its Event. */
export const STEP_KINDS = ['emit', 'start-run', 'end-run', 'end-session', 'end-tool', 'raise', 'answer', 'end-calls'] as const;

/** One of {@link STEP_KINDS}. */
export type StepKind = (typeof STEP_KINDS)[number];

/** What an Event belongs to: the run that is open or named, the session outside of any run, the agent outside of any session. */
export type StepScope = 'run' | 'session' | 'agent';

/** What is known of one call of a tool. */
export interface ToolFacts {
  readonly name: string;
  /** Id of the call, where the agent gives one. */
  readonly call?: string | undefined;
  /** Its input. Content. */
  readonly input: JsonValue;
}

/** What a call of a tool is found by. */
export interface ToolMatch {
  readonly name: string;
  readonly call?: string;
  /** Digest of the input. */
  readonly input?: string;
}

/** One thing that a hook call means. Made by the functions of this package, such as {@link toolRequested}. */
export interface Step {
  readonly do: StepKind;
  readonly event?: Draft;
  readonly scope?: StepScope;
  /** The run that the agent names; undefined: the one of the call. */
  readonly run?: string | undefined;
  /** `end-run`: whether the calls of the run are over with it. */
  readonly closes?: boolean;
  /** The call of a tool that this is about. */
  readonly tool?: ToolFacts;
  /** `end-tool`: what becomes of an open request about the call. */
  readonly outcome?: 'answered' | 'auto';
  /** `end-tool`: the answer, where the request was a form. */
  readonly answer?: Draft;
  /** `raise`: silent while a request of one of these kinds is open. */
  readonly unless?: readonly string[];
  /** `raise`: takes the place of open requests of this kind that name neither a call nor a subject. */
  readonly replaces?: string;
  /** `answer`: the subject of the request. */
  readonly subject?: string | undefined;
  readonly accepted?: boolean;
  /** `answer`: by id of the field. Content. */
  readonly values?: JsonObject | undefined;
  /** `end-calls`: ids of calls that are over. */
  readonly calls?: readonly string[];
}

/** What a mapping gives. */
export type Steps = Step | readonly Step[] | undefined;

/** A step as a record holds it: plain JSON, nothing above the ceiling. */
export interface StepRecord {
  readonly do: StepKind;
  readonly event?: LeveledEvent;
  readonly scope?: 'session' | 'agent';
  readonly run?: string;
  readonly closes?: true;
  readonly tool?: ToolMatch;
  readonly outcome?: 'answered' | 'auto';
  readonly answer?: LeveledEvent;
  readonly unless?: readonly string[];
  readonly replaces?: string;
  readonly subject?: string;
  readonly accepted?: true;
  readonly answers?: readonly AnswerRecord[];
  readonly calls?: readonly string[];
}
