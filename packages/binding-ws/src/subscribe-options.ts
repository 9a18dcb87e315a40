import type { AepEvent, Capture, JsonObject, Position } from '@aepkit/envelope';
import { type PositionStore, sessionFilter } from '@aepkit/resume';

/** What `subscribe` takes. */
export interface SubscribeOptions {
  /** Its id on the wire. Default: one of its own. */
  readonly id?: string;
  /** An attr-match filter. A string is JSON, sent as it is. Default: everything. */
  readonly filter?: JsonObject | string;
  /** Only these sessions; becomes the `session` member of the filter, which must have none. */
  readonly sessions?: readonly string[];
  /** Where it starts without saved positions: everything held, or behind named positions. Default: what comes from now on. */
  readonly from?: 'all' | readonly Position[];
  /** The most that is wanted of each Event. Default: as stored. */
  readonly capture?: Capture;
  /**
   * How to come back where the filter does not name the sessions. `all`: ask for everything held and drop what is known, so that
   * nothing is missed; one that began live then gets sessions it has never seen whole. `positions`: ask for known sessions only;
   * each time a `gap` tells that others may have gone on. Default `all`.
   */
  readonly resume?: 'all' | 'positions';
  /**
   * Give out again what was had before and was sent again, as a hop has to that is not the last consumer (AEP-0003 §5); never what
   * a replay brings again. Default `false`.
   */
  readonly redeliveries?: boolean;
  /**
   * The filter once more, as a function: exactly the Events that `filter` matches. Events do not say which subscription they are for,
   * so with it two subscriptions can share a connection; without it they can only where their filters name different sessions.
   */
  readonly match?: (event: AepEvent) => boolean;
  /** Positions that outlive the program. Default: none are kept. */
  readonly positions?: PositionStore;
}

/** {@link SubscribeOptions}, merged and checked. */
export interface ResolvedSubscribeOptions {
  /** As it stands in the frame. */
  readonly filter: string | undefined;
  /** The sessions the filter names, where it names them all. */
  readonly sessions: ReadonlySet<string> | undefined;
  readonly from: 'all' | readonly Position[] | undefined;
  readonly capture: Capture | undefined;
  readonly resume: 'all' | 'positions';
  readonly redeliveries: boolean;
  readonly match: ((event: AepEvent) => boolean) | undefined;
  readonly store: PositionStore | undefined;
}

/** Merges the defaults and throws `RangeError` or `TypeError` for what makes no sense. */
export function resolveSubscribeOptions(options: SubscribeOptions): ResolvedSubscribeOptions {
  if (typeof options.filter === 'string' && !isJson(options.filter)) throw new TypeError('a filter that is a string is JSON');
  const { filter, sessions } = sessionFilter(options);
  return {
    filter,
    sessions,
    from: options.from,
    capture: options.capture,
    resume: options.resume ?? 'all',
    redeliveries: options.redeliveries ?? false,
    match: options.match,
    store: options.positions,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
