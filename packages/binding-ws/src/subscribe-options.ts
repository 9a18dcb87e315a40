import type { AepEvent, Capture, JsonObject, Position } from '@aepkit/envelope';

import type { PositionStore } from './position-store.js';

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
  const filter = withSessions(options);
  return {
    filter: typeof filter === 'object' ? JSON.stringify(filter) : filter,
    sessions: namedSessions(filter),
    from: options.from,
    capture: options.capture,
    resume: options.resume ?? 'all',
    redeliveries: options.redeliveries ?? false,
    match: options.match,
    store: options.positions,
  };
}

function withSessions({ filter, sessions }: SubscribeOptions): JsonObject | string | undefined {
  if (typeof filter === 'string' && parsed(filter) === undefined) throw new TypeError('a filter that is a string is JSON');
  if (sessions === undefined) return filter;
  if (sessions.length === 0) throw new RangeError('sessions must name a session');
  if (typeof filter === 'string') throw new TypeError('sessions needs a filter that is an object, or none');
  if (filter !== undefined && Object.hasOwn(filter, 'session')) throw new TypeError('sessions and a session in filter exclude each other');
  return { ...filter, session: [...sessions] };
}

/** The sessions a filter names by equality; `undefined` where others may match as well. */
function namedSessions(filter: JsonObject | string | undefined): ReadonlySet<string> | undefined {
  const value = typeof filter === 'string' ? parsed(filter) : filter;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'session')) return undefined;
  const predicate = (value as { readonly session: unknown }).session;
  const named = Array.isArray(predicate) ? (predicate as unknown[]) : [predicate];
  const sessions = named.filter((session) => typeof session === 'string');
  // A number or boolean never equals a session, but what else a filter may come to hold is not known here.
  return sessions.length === named.length && sessions.length > 0 ? new Set(sessions) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
