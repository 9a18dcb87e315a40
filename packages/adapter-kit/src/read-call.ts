import { type Capture, digest, type JsonObject } from '@aepkit/envelope';

import { answerRecords, budget } from './forms.js';
import { type HookCall, isRunId, MAX_IDENTIFIER_LENGTH } from './hook-call.js';
import { type HookRecord, RECORD_VERSION } from './hook-record.js';
import { type LevelOptions, levelDraft } from './level-draft.js';
import { defined, own } from './members.js';
import type { ResolvedOptions } from './options.js';
import type { Draft } from './draft.js';
import type { Step, StepRecord, Steps, ToolFacts, ToolMatch } from './step.js';

/** Most calls that the end of a round names. */
export const MAX_CALLS = 1000;

/** What a call is read with. */
export interface ReadContext {
  readonly agent: string;
  readonly options: ResolvedOptions;
  readonly time: number;
  readonly key: string | undefined;
  readonly run: string | undefined;
  /** Whether somebody waits for an answer, and until when, in milliseconds since the epoch. */
  readonly held: boolean;
  readonly expiresAt: number | undefined;
}

/** Reads what a mapping gave at the ceilings: pure, whatever the state of the session. */
export function readCall(call: HookCall, steps: Steps, context: ReadContext): HookRecord {
  const { ceiling, ceilings } = context.options;
  const list = steps === undefined ? [] : isList(steps) ? steps : [steps];
  return defined({
    v: RECORD_VERSION,
    agent: context.agent,
    hook: call.hook,
    session: call.session,
    time: context.time,
    key: context.key,
    ceiling,
    ceilings: Object.keys(ceilings).length === 0 ? undefined : ceilings,
    run: isRunId(context.run) ? context.run : undefined,
    steps: list.map((step) => readStep(step, context)),
  });
}

function readStep(step: Step, context: ReadContext): StepRecord {
  const { options } = context;
  const event = step.event === undefined ? undefined : step.do === 'raise' ? requestDraft(step.event, context) : step.event;
  const type = event?.type ?? 'attention.answered';
  const shown = options.ceilingOf(type) !== 'none';
  return defined({
    do: step.do,
    event: event === undefined ? undefined : levelDraft(event, levelOf(type, options)),
    scope: step.scope === 'run' ? undefined : step.scope,
    run: isRunId(step.run) ? step.run : undefined,
    closes: step.closes === true ? true : undefined,
    tool: step.tool === undefined ? undefined : matchOf(step.tool, shown),
    outcome: step.outcome,
    answer: step.answer === undefined ? undefined : levelDraft(step.answer, levelOf(step.answer.type, options)),
    unless: step.unless,
    replaces: step.replaces,
    subject: step.subject,
    accepted: step.accepted === true ? true : undefined,
    answers: step.do === 'answer' && step.accepted === true && shown ? answerRecords(step.values, showText(options)) : undefined,
    // An id that is too long belongs to no call that was taken.
    calls: step.do === 'end-calls' && options.ceilingOf('tool.requested') !== 'none' ? step.calls?.filter((id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_IDENTIFIER_LENGTH).slice(0, MAX_CALLS).filter(budget()) : undefined,
  });
}

/** A request says whether it can be answered here, and has a prompt of structural facts where the mapping gives none (AEP-0003 §9.2). */
function requestDraft(draft: Draft, { agent, held, expiresAt }: ReadContext): Draft {
  const kind = own(draft.data, 'kind');
  const words = `${agent} requests ${typeof kind === 'string' ? kind : 'attention'}`;
  const data: JsonObject = { prompt: draft.subject === undefined ? words : `${words}: ${draft.subject}`, ...draft.data };
  const expires = held && expiresAt !== undefined ? { expires_at: new Date(expiresAt).toISOString() } : {};
  return { ...draft, severity: draft.severity ?? 'notice', data: { ...data, ...expires, respond_via: [held ? 'control' : 'oob'] } };
}

// Names are attributes and stay; at `none` there is no digest and no id of a call.
function matchOf({ name, call, input }: ToolFacts, shown: boolean): ToolMatch {
  return defined({ name, call: shown ? call : undefined, input: shown ? digest(input) : undefined });
}

function levelOf(type: string, { ceilingOf, redactor, maxContentBytes }: ResolvedOptions): LevelOptions {
  return { ceiling: ceilingOf(type), redactor, maxContentBytes };
}

/** What is written into a field that is named for a credential goes, whatever it looks like, so the pipeline is told the name. */
function showText({ ceilingOf, redactor }: ResolvedOptions): (id: string, text: string) => string | undefined {
  const level: Capture = ceilingOf('attention.answered');
  return (id, text) => {
    if (level === 'full') return text;
    if (level !== 'redacted') return undefined;
    try {
      // A name that holds a secret itself is given back as another one.
      const shown: unknown = redactor.value(Object.fromEntries([[id, text]]));
      const values: unknown[] = typeof shown === 'object' && shown !== null ? Object.values(shown) : [];
      return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
    } catch {
      return undefined;
    }
  };
}

function isList(steps: Step | readonly Step[]): steps is readonly Step[] {
  return Array.isArray(steps);
}

