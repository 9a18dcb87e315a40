import type { Position } from '@aepkit/envelope';

import type { ResumeMode } from './socket-item.js';
import type { ResolvedSubscribeOptions } from './subscribe-options.js';

/** Most bytes of positions in one `subscribe`, roughly: an endpoint that takes 1 MiB takes it in any spelling. */
const MAX_POSITION_UNITS = 262_144;

/** One way to ask. */
export interface SubscribeRequest {
  readonly resume: ResumeMode;
  readonly from: 'all' | readonly Position[] | undefined;
  /** Sessions that it does not name may have gone on meanwhile. */
  readonly unlisted: boolean;
}

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

/**
 * The ways to ask for the Events of a subscription, best first. The next one is tried where the endpoint refuses one.
 *
 * Positions name sessions, and a session that began meanwhile is in no list. So they are exact only where the filter names every
 * session and each has a position; otherwise everything held is asked for, and what is known is dropped (AEP-0003 §7).
 */
export function planSubscribe(options: ResolvedSubscribeOptions, state: PlanState): SubscribeRequest[] {
  const all: SubscribeRequest[] = state.allRefused ? [] : [{ resume: 'all', from: 'all', unlisted: false }];
  if (!state.resuming) {
    if (options.from === undefined) return [live(false)];
    if (options.from === 'all') return [...all, live(true)];
    return named(options.from, all, state.maxPositions, false);
  }
  const { sessions } = options;
  if (sessions !== undefined) {
    const listed = new Map(state.positions.map((position) => [position.session, position]));
    const positions = Array.from(sessions, (session) => listed.get(session)).filter((position) => position !== undefined);
    const complete = positions.length === sessions.size;
    return complete ? named(positions, all, state.maxPositions, false) : [...all, ...named(positions, [], state.maxPositions, true)];
  }
  return [...(options.resume === 'all' ? all : []), ...named(state.positions, [], state.maxPositions, true)];
}

/** Positions, if there are any and they fit; then `all`; then as many positions as fit, then none. */
function named(positions: readonly Position[], all: readonly SubscribeRequest[], maxPositions: number, unlisted: boolean): SubscribeRequest[] {
  if (positions.length === 0) return unlisted ? [...all, live(true)] : [live(false)];
  const fitting = fit(positions, maxPositions);
  const whole = fitting.length === positions.length;
  const list: SubscribeRequest[] = fitting.length === 0 ? [] : [{ resume: 'positions', from: fitting, unlisted: unlisted || !whole }];
  return whole ? [...list, ...all, live(true)] : [...all, ...list, live(true)];
}

function live(unlisted: boolean): SubscribeRequest {
  return { resume: 'live', from: undefined, unlisted };
}

function fit(positions: readonly Position[], maxPositions: number): readonly Position[] {
  const fitting: Position[] = [];
  let used = 0;
  for (const { session, epoch, seq } of positions) {
    used += session.length + 64;
    if (fitting.length >= maxPositions || used > MAX_POSITION_UNITS) break;
    fitting.push({ session, epoch, seq });
  }
  return fitting;
}
