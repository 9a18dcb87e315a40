import { present } from './members.js';
import type { Step } from './step.js';

/** Facts of {@link runStarted}. */
export interface RunFacts {
  /** The name that the agent gives the run; without one, or with one that is no identifier (AEP-0003 §9.6), a fresh one is made. */
  readonly run?: string | undefined;
  readonly trigger?: 'user' | 'schedule' | 'agent' | 'control' | 'resume';
  /** Content. */
  readonly prompt?: string | undefined;
}

/**
 * A turn began: `run.started`. A run that is still open was interrupted and is cancelled before; requests for input count as answered by
 * the prompt, others as dismissed.
 */
export function runStarted({ run, trigger = 'user', prompt }: RunFacts = {}): Step {
  return { do: 'start-run', run, event: { type: 'run.started', data: { trigger }, text: { ...present('prompt', prompt) } } };
}

/** Facts of {@link runFinished}. */
export interface FinishFacts {
  readonly run?: string | undefined;
  /** Content. */
  readonly summary?: string | undefined;
  /** Whether its calls are over with it: open requests are dismissed and calls without an end marked. Default false. */
  readonly closes?: boolean;
}

/** The open run succeeded: `run.finished`; nothing where it ended already. */
export function runFinished({ run, summary, closes = false }: FinishFacts = {}): Step {
  return { do: 'end-run', run, closes, event: { type: 'run.finished', data: {}, text: { ...present('summary', summary) } } };
}

/** Facts of {@link runFailed}. */
export interface FailureFacts {
  readonly run?: string | undefined;
  /** A word: `error`, `rejected`, … Default `error`. */
  readonly reason?: string;
  /** A word for the class of the error. */
  readonly error?: string | undefined;
  /** Content. */
  readonly message?: string | undefined;
}

/** The open run failed: `run.failed`. */
export function runFailed({ run, reason = 'error', error, message }: FailureFacts = {}): Step {
  return {
    do: 'end-run',
    run,
    event: {
      type: 'run.failed',
      severity: 'error',
      data: { reason, error: { ...present('type', error) } },
      ...(message === undefined ? {} : { text: { error: { message } } }),
    },
  };
}

/** The open run was stopped: `run.cancelled`. Its requests are dismissed, and its calls that did not end are marked. */
export function runCancelled({ run, by }: { readonly run?: string | undefined; readonly by?: 'user' | 'control' | 'policy' | 'shutdown' } = {}): Step {
  return { do: 'end-run', run, event: { type: 'run.cancelled', data: { ...present('by', by) } } };
}
