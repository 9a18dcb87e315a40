import type { Position } from '@aepkit/envelope';

import type { ResolvedConsumerOptions } from './consumer-options.js';
import type { ResumeMode } from './sse-item.js';

/** One way to ask for the stream. */
export interface StreamRequest {
  readonly resume: ResumeMode;
  readonly url: string;
  /** Positions it names. */
  readonly positions: readonly Position[];
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
  /** The only sessions the run is about, where it is not about all. */
  readonly sessions: ReadonlySet<string> | undefined;
}

/**
 * The ways to ask for the stream, best first. The next one is tried where the endpoint refuses one as malformed or too long.
 *
 * Positions name sessions, and a session that began meanwhile is in no list. So they are exact only where the filter names every
 * session and each has a position; otherwise everything held is asked for, and what is known is dropped (AEP-0003 §7).
 */
export function planStream(options: ResolvedConsumerOptions, state: PlanState): StreamRequest[] {
  // A filter that does not name the sessions lets others in with `all`: no way for a run that is about some.
  const noAll = state.allRefused || (state.sessions !== undefined && options.sessions === undefined);
  const all: StreamRequest[] = noAll ? [] : [{ resume: 'all', url: streamUrl(options, 'all'), positions: [], unlisted: false }];
  if (!state.resuming) {
    if (options.from === undefined) return [liveOnly(options, false)];
    if (options.from === 'all') return [...all, ...liveFallback(options)];
    return named(options, options.from, all, false);
  }
  if (state.sessions !== undefined) {
    const listed = new Map(state.positions.map((position) => [position.session, position]));
    const positions = Array.from(state.sessions, (session) => listed.get(session)).filter((position) => position !== undefined);
    const complete = positions.length === state.sessions.size;
    return complete ? named(options, positions, all, false) : [...all, ...named(options, positions, [], true)];
  }
  return [...(options.resume === 'all' ? all : []), ...named(options, state.positions, [], true)];
}

/** Positions, if there are any and the URL takes them; then `all`; then as many positions as fit, then none. */
function named(options: ResolvedConsumerOptions, positions: readonly Position[], all: readonly StreamRequest[], unlisted: boolean): StreamRequest[] {
  if (positions.length === 0) return unlisted ? [...all, ...liveFallback(options)] : [liveOnly(options, false)];
  const fitting = fit(options, positions);
  const whole = fitting.length === positions.length;
  const request = (some: readonly Position[]): StreamRequest => ({
    resume: 'positions',
    url: streamUrl(options, some),
    positions: some,
    unlisted: unlisted || some.length < positions.length,
  });
  const list = fitting.length === 0 ? [] : [request(fitting)];
  return whole ? [...list, ...all, ...liveFallback(options)] : [...all, ...list, ...liveFallback(options)];
}

function liveOnly(options: ResolvedConsumerOptions, unlisted: boolean): StreamRequest {
  return { resume: 'live', url: streamUrl(options, []), positions: [], unlisted };
}

/** Of no use to a run that wants the replay alone. */
function liveFallback(options: ResolvedConsumerOptions): StreamRequest[] {
  return options.live ? [liveOnly(options, true)] : [];
}

function fit(options: ResolvedConsumerOptions, positions: readonly Position[]): readonly Position[] {
  const room = options.maxUrlChars - streamUrl(options, []).length - '&from='.length - encodeURIComponent('[]').length;
  let used = 0;
  for (const [index, position] of positions.entries()) {
    used += encodeURIComponent(`${index === 0 ? '' : ','}${JSON.stringify(spelled(position))}`).length;
    if (used > room) return positions.slice(0, index);
  }
  return positions;
}

function streamUrl(options: ResolvedConsumerOptions, from: 'all' | readonly Position[]): string {
  const parameters: string[] = [];
  if (options.filter !== undefined) parameters.push(`filter=${encodeURIComponent(options.filter)}`);
  if (options.capture !== undefined) parameters.push(`capture=${options.capture}`);
  if (!options.live) parameters.push('live=0');
  if (from === 'all') parameters.push('from=all');
  else if (from.length > 0) parameters.push(`from=${encodeURIComponent(JSON.stringify(from.map(spelled)))}`);
  if (parameters.length === 0) return options.url;
  return `${options.url}${options.url.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}

function spelled({ session, epoch, seq }: Position): Position {
  return { session, epoch, seq };
}
