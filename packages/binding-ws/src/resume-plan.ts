import type { Position } from '@aepkit/envelope';
import { resumePlan, type ResumeRequest } from '@aepkit/resume';

import type { ResolvedSubscribeOptions } from './subscribe-options.js';

/** Most bytes of positions in one `subscribe`, roughly: an endpoint that takes 1 MiB takes it in any spelling. */
const MAX_POSITION_UNITS = 262_144;

/** What decides how to ask. */
export interface PlanState {
  /** Something has been seen, or was saved: there is something to resume. */
  readonly resuming: boolean;
  /** Where to resume, the most recent session first. */
  readonly positions: readonly Position[];
  /** The endpoint has refused `all`. */
  readonly allRefused: boolean;
  readonly maxPositions: number;
}

/** The ways to ask for the Events of a subscription, best first. The next one is tried where the endpoint refuses one. */
export function planSubscribe({ from, sessions, resume }: ResolvedSubscribeOptions, { resuming, positions, allRefused, maxPositions }: PlanState): ResumeRequest[] {
  return resumePlan({ resuming, positions, from, sessions, prefer: resume, all: !allRefused, fit: (some) => fit(some, maxPositions) });
}

/** How many positions one frame takes. */
function fit(positions: readonly Position[], maxPositions: number): number {
  let used = 0;
  for (const [index, { session }] of positions.entries()) {
    used += session.length + 64;
    if (index >= maxPositions || used > MAX_POSITION_UNITS) return index;
  }
  return positions.length;
}
