import type { Capture } from '@aepkit/envelope';

import type { StepRecord } from './step.js';

/** The form of a record; a record of another form is refused. */
export const RECORD_VERSION = 2;

/**
 * What is known of one hook call at its ceiling, as plain JSON: enough to make its Events later, with the state of its session, and
 * nothing above the ceiling. It has no position, no run but the one that the agent named, and no cause.
 */
export interface HookRecord {
  readonly v: typeof RECORD_VERSION;
  readonly agent: string;
  readonly hook: string;
  readonly session: string;
  /** When the hook fired, in milliseconds since the epoch. */
  readonly time: number;
  /** The ULID that names this call: the id of its first Event. */
  readonly key?: string;
  readonly ceiling: Capture;
  /** Ceilings of categories, where they differ. */
  readonly ceilings?: Readonly<Record<string, Capture>>;
  /** The run that the agent named. */
  readonly run?: string;
  readonly steps: readonly StepRecord[];
}

/**
 * Whether a call is given up first where there is no room: all its Events are `info` or less, and nothing begins, ends or waits for
 * somebody with it (AEP-0003 §8.4).
 */
export function isExpendable({ steps }: HookRecord): boolean {
  return steps.every(({ do: kind, event }) => {
    const type = event?.type ?? '';
    const quiet = event?.severity === undefined || event.severity === 'info' || event.severity === 'debug';
    return quiet && ((kind === 'emit' && !type.startsWith('session.') && !type.startsWith('attention.')) || (kind === 'end-tool' && type === 'tool.completed'));
  });
}

/** Whether a call may have left no Event although it was taken: what it says can be known already. */
export function mayBeSilent({ steps }: HookRecord): boolean {
  return steps.length > 0 && steps.every(({ do: kind, unless }) => kind === 'raise' && unless !== undefined);
}
