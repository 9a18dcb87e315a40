// Made by scripts/generate.mjs from the payload table. Do not edit.
import type { JsonObject } from '@aepkit/envelope';

/** A common payload object (AEP-0002 §5.2). */
export type Cost = {
  /** ISO 4217 alpha-3 code of every amount. */
  readonly currency: string;
  /** The whole; the parts need not add up to it. 0 or more. */
  readonly total?: number;
  /** 0 or more. */
  readonly prompt?: number;
  /** 0 or more. */
  readonly completion?: number;
  /** 0 or more. */
  readonly cache?: number;
  /** 0 or more. */
  readonly reasoning?: number;
};

/** A common payload object (AEP-0002 §5.2). */
export type ErrorInfo = {
  /** Class of the fault. */
  readonly type?: string;
  /** From `redacted` on. */
  readonly message?: string;
};

/** A common payload object (AEP-0002 §5.2). */
export type ToolRef = {
  /** Name of the tool. */
  readonly name: string;
  /** Pairs the Events of one invocation. */
  readonly call_id?: string;
};

/** A common payload object (AEP-0002 §5.2). */
export type Choice = {
  readonly id: string;
  /** Below `redacted` the `id` next to it. */
  readonly label: string;
};

/** A common payload object (AEP-0002 §5.2). */
export type FieldSpec = {
  /** Key of the answer in `answer.values`. */
  readonly id: string;
  readonly type: 'string' | 'number' | 'boolean' | 'select';
  /** Below `redacted` the `id` next to it. */
  readonly label: string;
  /** Absent: false. */
  readonly required?: boolean;
  /** `select` only: several choices. Absent: false. */
  readonly multi?: boolean;
  /** `select` only: free text may replace a choice. Absent: false. */
  readonly other?: boolean;
  /** Needed by a `select`. */
  readonly choices?: readonly Choice[];
  /** `number` only. */
  readonly min?: number;
  /** `number` only. */
  readonly max?: number;
};

/** A common payload object (AEP-0002 §5.2). */
export type Answer = {
  /** Id of the option that applies. */
  readonly option?: string;
  /** From `redacted` on. */
  readonly text?: string;
  /** For a form: field id to answer. Below `redacted` structural entries only. */
  readonly values?: JsonObject;
};

/** A common payload object (AEP-0002 §5.2). */
export type SourceDocument = {
  readonly id?: string;
  /** As the emitter states it; unbounded, may be negative. */
  readonly score?: number;
  /** From `redacted` on. The text after the redaction pipeline. */
  readonly content_redacted?: string;
  /** From `full` on. The text as it is. */
  readonly content?: string;
  /** Structure such as a source token or a rank; never content. */
  readonly metadata?: JsonObject;
};

/** A common payload object (AEP-0002 §5.2). */
export type Citation = {
  /** What is cited. The prose asks for it, the schema does not. */
  readonly source?: {
    readonly id?: string;
    /** From `redacted` on. */
    readonly uri?: string;
    /** From `redacted` on. */
    readonly title?: string;
  };
  /** From `redacted` on. */
  readonly cited_text_redacted?: string;
  /** From `full` on. */
  readonly cited_text?: string;
  /** At most one of the three. */
  readonly offset?: {
    readonly char?: {
      /** Integer. */
      readonly start?: number;
      /** Integer. */
      readonly end?: number;
    };
    readonly page?: {
      /** Integer. */
      readonly page?: number;
      /** Integer. */
      readonly start?: number;
      /** Integer. */
      readonly end?: number;
    };
    readonly block?: {
      /** Integer. */
      readonly block?: number;
      /** Integer. */
      readonly start?: number;
      /** Integer. */
      readonly end?: number;
    };
  };
  /** Index into an ordered set of sources. Integer, 0 or more. */
  readonly document_index?: number;
};

/** A common payload object (AEP-0002 §5.2). */
export type Guardrail = {
  readonly stage?: 'input' | 'output';
  readonly verdict?: 'allowed' | 'flagged' | 'blocked' | 'modified';
  readonly categories?: readonly {
    /** A name of the vendor’s own taxonomy. */
    readonly name?: string;
    /** Unbounded. */
    readonly score?: number;
  }[];
  readonly detector?: {
    readonly name?: string;
    readonly version?: string;
  };
  /** From `redacted` on. May quote the offending content. */
  readonly explanation?: string;
};

/** `data` by type (AEP-0002 §5). All payloads are open on the wire; what is not listed here is a vendor's and not typed. */
export interface Payloads {
  /** session began */
  readonly 'session.started': {
    /** From `redacted` on. Title for people; can hold text of the task. */
    readonly label?: string;
    /** Where a subagent session comes from. */
    readonly parent?: {
      readonly session: string;
      readonly run?: string;
      readonly agent?: string;
    };
    readonly client?: {
      readonly name: string;
      readonly version?: string;
    };
    readonly 'gen_ai.request.model'?: string;
    /** From `redacted` on. Working directory. */
    readonly cwd?: string;
  };
  /** session is over; terminal */
  readonly 'session.ended': {
    readonly reason?: 'normal' | 'error' | 'timeout' | 'killed' | 'compaction';
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
    /** Number of runs. Integer, 0 or more. */
    readonly runs?: number;
  };
  /** a run began */
  readonly 'run.started': {
    readonly trigger?: 'user' | 'schedule' | 'agent' | 'control' | 'resume';
    /** From `redacted` on. What the run was asked to do. */
    readonly prompt?: string;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.input_tokens'?: number;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.output_tokens'?: number;
    /** As the emitter states it: nobody on the way computes or adds it. */
    readonly cost?: Cost;
  };
  /** run succeeded; terminal */
  readonly 'run.finished': {
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
    /** From `redacted` on. */
    readonly summary?: string;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.input_tokens'?: number;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.output_tokens'?: number;
    /** As the emitter states it: nobody on the way computes or adds it. */
    readonly cost?: Cost;
  };
  /** run failed or was rejected; terminal */
  readonly 'run.failed': {
    /** Machine token of an open set, such as `error`, `rejected`, `budget_exceeded`. */
    readonly reason: string;
    readonly error?: ErrorInfo;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** run was stopped by user, control, policy or shutdown; terminal */
  readonly 'run.cancelled': {
    readonly by?: 'user' | 'control' | 'policy' | 'shutdown';
    /** From `redacted` on. Free text, unlike the reason of `run.failed`. */
    readonly reason?: string;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** a tool is about to execute */
  readonly 'tool.requested': {
    readonly tool: ToolRef;
    /** Digest of the arguments as they were. */
    readonly args_digest?: string;
    /** From `redacted` on. The arguments after the redaction pipeline. */
    readonly args_redacted?: JsonObject;
    /** From `full` on. The arguments as they are. */
    readonly args?: JsonObject;
  };
  /** tool succeeded */
  readonly 'tool.completed': {
    readonly tool: ToolRef;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
    /** Absent: `success`. */
    readonly status?: string;
    /** Digest of the result as it was. */
    readonly result_digest?: string;
    /** From `redacted` on. The result after the redaction pipeline. */
    readonly result_redacted?: JsonObject | string;
    /** From `full` on. The result as it is. */
    readonly result?: JsonObject | string;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.input_tokens'?: number;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.output_tokens'?: number;
    /** As the emitter states it: nobody on the way computes or adds it. */
    readonly cost?: Cost;
  };
  /** tool ended with an error */
  readonly 'tool.failed': {
    readonly tool: ToolRef;
    /** May be empty. */
    readonly error: ErrorInfo;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** tool was blocked by policy or runtime before it executed */
  readonly 'tool.denied': {
    readonly tool: ToolRef;
    readonly by: 'policy' | 'user_setting' | 'runtime';
    /** The policy that matched. */
    readonly rule?: string;
  };
  /** a person, or a policy in their place, is needed */
  readonly 'attention.requested': {
    readonly kind: 'permission' | 'input' | 'auth' | 'review' | 'form' | 'other';
    /** Question, or title of a form. Below `redacted` made from structural facts. */
    readonly prompt: string;
    /** The answers on offer. */
    readonly options?: readonly Choice[];
    /** Only with `kind` `form`: one answer per field. */
    readonly fields?: readonly FieldSpec[];
    /** RFC 3339. */
    readonly expires_at?: string;
    /** Where an answer is taken. Absent: nothing is declared. */
    readonly respond_via?: readonly ('control' | 'oob')[];
    /** From `full` on. */
    readonly context?: JsonObject;
  };
  /** an answer was given and applied */
  readonly 'attention.answered': {
    /** What was applied. */
    readonly answer: Answer;
    /** Who answered; open. */
    readonly by?: string;
    readonly via?: 'control' | 'oob';
  };
  /** request is closed; terminal */
  readonly 'attention.resolved': {
    readonly resolution: 'answered' | 'auto' | 'dismissed';
    /** Integer, 0 or more. */
    readonly latency_ms?: number;
  };
  /** request expired without an answer; terminal */
  readonly 'attention.timeout': {
    /** Integer, 0 or more. */
    readonly after_ms?: number;
  };
  /** context was compacted */
  readonly 'session.compacted': {
    /** Why, such as `auto`, `manual`, `threshold`; open. */
    readonly trigger?: string;
    /** How, such as `truncate-middle`; open. */
    readonly strategy?: string;
    /** Integer, 0 or more. */
    readonly estimated_token_count?: number;
    /** Number of items dropped. Integer, 0 or more. */
    readonly forgotten?: number;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.input_tokens'?: number;
    /** Integer, 0 or more. */
    readonly 'gen_ai.usage.output_tokens'?: number;
  };
  /** a phase of a run began */
  readonly 'run.step.started': {
    /** From `redacted` on. Label of the phase. */
    readonly name?: string;
    /** Planned number of steps. Integer, 0 or more. */
    readonly initial_num_steps?: number;
  };
  /** a phase of a run ended */
  readonly 'run.step.finished': {
    /** Outcome, usually `success`. */
    readonly status?: string;
  };
  /** sign of progress */
  readonly 'progress.status': {
    /** From `redacted` on. */
    readonly message?: string;
    readonly phase?: string;
    /** 0 to 100. */
    readonly percent?: number;
  };
  /** item of a plan was made */
  readonly 'progress.task.planned': {
    readonly task?: {
      readonly id?: string;
      /** From `redacted` on. */
      readonly title?: string;
    };
    /** Id of the task around it. */
    readonly parent?: string;
  };
  /** item of a plan is done */
  readonly 'progress.task.completed': {
    readonly task?: {
      readonly id?: string;
      /** From `redacted` on. */
      readonly title?: string;
    };
    /** `completed` by convention. */
    readonly status?: string;
  };
  /** an output exists */
  readonly 'progress.artifact.produced': {
    readonly artifact?: {
      readonly id?: string;
      /** From `redacted` on. */
      readonly name?: string;
      readonly mime?: string;
      /** Integer, 0 or more. */
      readonly bytes?: number;
      /** From `redacted` on. */
      readonly uri?: string;
    };
  };
  /** subagent started */
  readonly 'delegation.subagent.started': {
    /** Handle of the child. */
    readonly child?: {
      readonly session?: string;
      readonly run?: string;
      readonly agent?: string;
    };
    readonly agent_type?: string;
    readonly role?: string;
  };
  /** subagent stopped */
  readonly 'delegation.subagent.stopped': {
    /** Handle of the child. */
    readonly child?: {
      readonly session?: string;
      readonly run?: string;
      readonly agent?: string;
    };
    readonly agent_type?: string;
    /** Outcome. */
    readonly status?: string;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** a consumer brought the request before a person */
  readonly 'attention.routed': {
    /** Surface, such as `slack`; open. */
    readonly to?: string;
    /** Mechanism of the router; open. */
    readonly via?: string;
  };
  /** presence of the emitter changed */
  readonly 'agent.presence': {
    readonly state: 'online' | 'offline' | 'busy';
  };
  /** agent waits for work */
  readonly 'agent.idle': {
    /** Idle for how long. Integer, 0 or more. */
    readonly since_ms?: number;
    /** Such as `awaiting_input`. */
    readonly reason?: string;
  };
  /** report of health */
  readonly 'agent.health': {
    readonly status: 'ok' | 'degraded' | 'failing';
    /** From `redacted` on. */
    readonly detail?: string;
  };
  /** sign of life */
  readonly 'agent.heartbeat': {
    /** Unrelated to `seq`. Integer, 0 or more. */
    readonly tick?: number;
    /** Expected cadence. Integer, 0 or more. */
    readonly interval_ms?: number;
  };
  /** fault outside the terminals of tools and runs */
  readonly 'error.raised': {
    readonly error?: ErrorInfo;
    readonly code?: string;
    /** Whether the run or session ended by it. */
    readonly fatal?: boolean;
  };
  /** image of state that the agent owns */
  readonly 'state.snapshot': {
    /** From `redacted` on. */
    readonly state?: JsonObject;
    /** State channel. */
    readonly key?: string;
    /** Revision of this image. Integer, 0 or more. */
    readonly rev?: number;
  };
  /** change of that state */
  readonly 'state.delta': {
    /** From `redacted` on. RFC 6902 operations on the last image of `key`. */
    readonly delta?: readonly JsonObject[];
    /** State channel. */
    readonly key?: string;
    /** Revision reached. Integer, 0 or more. */
    readonly rev?: number;
  };
  /** a retrieval is about to run */
  readonly 'resource.retrieval.requested': {
    /** From `redacted` on. */
    readonly query?: string;
    readonly query_digest?: string;
    /** Index. */
    readonly corpus?: string;
    /** Documents asked for. Integer, 0 or more. */
    readonly top_k?: number;
  };
  /** a retrieval delivered documents */
  readonly 'resource.retrieval.returned': {
    readonly documents?: readonly SourceDocument[];
    /** Documents returned. Integer, 0 or more. */
    readonly count?: number;
    /** Index. */
    readonly corpus?: string;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** documents were scored again */
  readonly 'resource.retrieval.reranked': {
    /** From `redacted` on. */
    readonly query?: string;
    readonly query_digest?: string;
    /** Name of the reranker. */
    readonly model?: string;
    /** Documents kept. Integer, 0 or more. */
    readonly top_k?: number;
    /** The candidates. */
    readonly input_documents?: readonly SourceDocument[];
    /** Scored and in their new order. */
    readonly output_documents?: readonly SourceDocument[];
    /** Documents that came out. Integer, 0 or more. */
    readonly count?: number;
    /** Integer, 0 or more. */
    readonly duration_ms?: number;
  };
  /** an answer cites its sources */
  readonly 'resource.citation.recorded': {
    readonly citations?: readonly Citation[];
    /** Number of citations. Integer, 0 or more. */
    readonly count?: number;
  };
  /** result of an evaluation */
  readonly 'assessment.evaluation.recorded': {
    /** Metric. */
    readonly 'gen_ai.evaluation.name'?: string;
    /** On a scale of its own. */
    readonly 'gen_ai.evaluation.score.value'?: number;
    /** Such as `pass`, `fail`. */
    readonly 'gen_ai.evaluation.score.label'?: string;
    /** From `redacted` on. */
    readonly 'gen_ai.evaluation.explanation'?: string;
    /** Judge or check. */
    readonly evaluator?: string;
  };
  /** feedback of a person */
  readonly 'assessment.feedback.received': {
    /** Unbounded. */
    readonly rating?: number;
    /** Such as `thumbs_up`. */
    readonly label?: string;
    /** From `redacted` on. */
    readonly comment?: string;
    /** From `redacted` on. What the person would have had. */
    readonly correction?: string;
    /** Class of author, such as `human`. */
    readonly source?: string;
  };
  /** verdict of a content check */
  readonly 'assessment.guardrail.recorded': {
    readonly guardrail?: Guardrail;
  };
  /** command: answer a request */
  readonly 'control.attention.respond': {
    readonly answer: Answer;
  };
  /** command: cancel a run or the session */
  readonly 'control.cancel': {
    readonly scope: 'run' | 'session';
    /** From `redacted` on. */
    readonly reason?: string;
  };
  /** command: pause */
  readonly 'control.pause': JsonObject;
  /** command: go on */
  readonly 'control.resume': JsonObject;
  /** ack: the target is going to try */
  readonly 'control.accepted': JsonObject;
  /** ack: the target is not going to */
  readonly 'control.rejected': {
    readonly reason: 'unsupported' | 'unauthorized' | 'busy' | 'refused' | 'invalid';
    /** From `redacted` on. */
    readonly detail?: string;
  };
}

/** A type with a payload schema. */
export type PayloadType = keyof Payloads;

/** A type that AEP 0.1 registers; two of them are reserved and have no schema. */
export type CoreType = PayloadType | 'message.user.submitted' | 'message.agent.replied';

/**
 * The payload of a type.
 *
 * @example
 * const data: PayloadOf<'tool.completed'> = { tool: { name: 'Bash' }, duration_ms: 12 };
 */
export type PayloadOf<Type extends PayloadType> = Payloads[Type];
