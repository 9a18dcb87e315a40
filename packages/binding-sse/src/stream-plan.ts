import type { Position } from '@aepkit/envelope';
import { resumePlan, type ResumeRequest } from '@aepkit/resume';

import type { ResolvedConsumerOptions } from './consumer-options.js';

/** One way to ask for the stream. */
export interface StreamRequest extends ResumeRequest {
  readonly url: string;
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

/** The ways to ask for the stream, best first. The next one is tried where the endpoint refuses one as malformed or too long. */
export function planStream(options: ResolvedConsumerOptions, { resuming, positions, allRefused, sessions }: PlanState): StreamRequest[] {
  const ways = resumePlan({
    resuming,
    positions,
    from: options.from,
    sessions,
    prefer: options.resume,
    // A filter that does not name the sessions lets others in with `all`: no way for a run that is about some.
    all: !allRefused && (sessions === undefined || options.sessions !== undefined),
    live: options.live,
    fit: (some) => fit(options, some),
  });
  return ways.map((way) => ({ ...way, url: streamUrl(options, way.resume === 'all' ? 'all' : way.positions) }));
}

/** How many positions the URL takes. */
function fit(options: ResolvedConsumerOptions, positions: readonly Position[]): number {
  const room = options.maxUrlChars - streamUrl(options, []).length - '&from='.length - encodeURIComponent('[]').length;
  let used = 0;
  for (const [index, position] of positions.entries()) {
    used += encodeURIComponent(`${index === 0 ? '' : ','}${JSON.stringify(position)}`).length;
    if (used > room) return index;
  }
  return positions.length;
}

function streamUrl(options: ResolvedConsumerOptions, from: 'all' | readonly Position[]): string {
  const parameters: string[] = [];
  if (options.filter !== undefined) parameters.push(`filter=${encodeURIComponent(options.filter)}`);
  if (options.capture !== undefined) parameters.push(`capture=${options.capture}`);
  if (!options.live) parameters.push('live=0');
  if (from === 'all') parameters.push('from=all');
  else if (from.length > 0) parameters.push(`from=${encodeURIComponent(JSON.stringify(from))}`);
  if (parameters.length === 0) return options.url;
  return `${options.url}${options.url.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}
