import { present } from './members.js';
import type { Step } from './step.js';

/** Facts of {@link sessionStarted}. */
export interface SessionFacts {
  /** Name of the program. */
  readonly client: string;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  /** A member that the payload type does not list, and that the adopted mappings of some agents ask for (AEP-0002 Annex A). */
  readonly trigger?: string | undefined;
  /** Content. */
  readonly cwd?: string | undefined;
}

/** A session began: `session.started`. */
export function sessionStarted({ client, version, model, trigger, cwd }: SessionFacts): Step {
  return {
    do: 'emit',
    scope: 'session',
    event: {
      type: 'session.started',
      data: { client: { name: client, ...present('version', version) }, ...present('trigger', trigger), ...present('gen_ai.request.model', model) },
      text: { ...present('cwd', cwd) },
    },
  };
}

/**
 * A session ended: `session.ended`, once. What is open is closed before: requests as dismissed, the run as cancelled; calls of tools that
 * never ended are marked.
 */
export function sessionEnded({ reason = 'normal' }: { readonly reason?: 'normal' | 'error' | 'timeout' | 'killed' | 'compaction' } = {}): Step {
  return { do: 'end-session', event: { type: 'session.ended', data: { reason } } };
}
