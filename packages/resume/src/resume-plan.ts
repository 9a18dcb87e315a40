import type { Position } from '@aepkit/envelope';

import type { ResumeMode } from './resume-item.js';

/** One way to ask. */
export interface ResumeRequest {
  readonly resume: ResumeMode;
  /** Positions it names; none unless `resume` is `positions`. */
  readonly positions: readonly Position[];
  /** Sessions that it does not name may have gone on meanwhile: a `gap` with `not-listed`. */
  readonly unlisted: boolean;
}

/** What decides how to ask. */
export interface ResumeFacts {
  /** Something has been seen, or was saved: there is something to resume. */
  readonly resuming: boolean;
  /** Where to resume, the most recent session first: `memory.resumePositions()`. */
  readonly positions: readonly Position[];
  /** Where it starts while there is nothing to resume: everything held, or behind named positions. Default: what comes from now on. */
  readonly from?: 'all' | readonly Position[] | undefined;
  /** The only sessions it is about. Default: it is about all. */
  readonly sessions?: ReadonlySet<string> | undefined;
  /** How to come back where it is about all sessions. Default `all`. */
  readonly prefer?: 'all' | 'positions';
  /** `false`: `all` is no way, as the endpoint refused it, or as it would bring other sessions than those wanted. Default `true`. */
  readonly all?: boolean;
  /** `false`: nothing is wanted behind the replay, so that a request without one is no way around a refusal. Default `true`. */
  readonly live?: boolean;
  /** How many of these positions, from the first on, one request can name: what a URL or a frame has room for. Default: all. */
  readonly fit?: (positions: readonly Position[]) => number;
}

/**
 * The ways to ask for Events, best first. The next one is tried where the endpoint refuses one as malformed or too long.
 *
 * Positions name sessions, and a session that began meanwhile is in no list. So they are exact only where it is known which sessions
 * are wanted and each has a position; otherwise everything held is asked for, and what is known is dropped (AEP-0003 §7).
 *
 * @example
 * resumePlan({ resuming: true, positions: [{ session: 'a', epoch: 0, seq: 7 }] }).map(({ resume }) => resume) // ['all', 'positions', 'live']
 */
export function resumePlan(facts: ResumeFacts): ResumeRequest[] {
  const { from, sessions } = facts;
  const all: ResumeRequest[] = (facts.all ?? true) ? [{ resume: 'all', positions: [], unlisted: false }] : [];
  if (!facts.resuming) {
    if (from === undefined) return [live(false)];
    if (from === 'all') return [...all, ...liveFallback(facts)];
    return named(facts, from, all, false);
  }
  if (sessions !== undefined) {
    const listed = new Map(facts.positions.map((position) => [position.session, position]));
    const positions = Array.from(sessions, (session) => listed.get(session)).filter((position) => position !== undefined);
    const complete = positions.length === sessions.size;
    return complete ? named(facts, positions, all, false) : [...all, ...named(facts, positions, [], true)];
  }
  return [...((facts.prefer ?? 'all') === 'all' ? all : []), ...named(facts, facts.positions, [], true)];
}

/** Positions, if there are any and they fit; then `all`; then as many positions as fit, then none. */
function named(facts: ResumeFacts, given: readonly Position[], all: readonly ResumeRequest[], unlisted: boolean): ResumeRequest[] {
  if (given.length === 0) return unlisted ? [...all, ...liveFallback(facts)] : [live(false)];
  const positions = given.map(({ session, epoch, seq }) => ({ session, epoch, seq }));
  const fitting = positions.slice(0, facts.fit?.(positions));
  const whole = fitting.length === positions.length;
  const list: ResumeRequest[] = fitting.length === 0 ? [] : [{ resume: 'positions', positions: fitting, unlisted: unlisted || !whole }];
  return whole ? [...list, ...all, ...liveFallback(facts)] : [...all, ...list, ...liveFallback(facts)];
}

function live(unlisted: boolean): ResumeRequest {
  return { resume: 'live', positions: [], unlisted };
}

/** Of no use where the replay alone is wanted. */
function liveFallback(facts: ResumeFacts): ResumeRequest[] {
  return (facts.live ?? true) ? [live(true)] : [];
}
