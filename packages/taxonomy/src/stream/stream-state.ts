import type { AepEvent, Capture } from '@aepkit/envelope';

import type { FormField } from '../form.js';
import { boundedMap, type BoundedMap } from './bounded-map.js';
import type { StreamIssue, StreamIssueCode } from './stream-issue.js';
import type { StreamOptions } from './stream-options.js';

/** A place in the order of a session. */
export interface At {
  readonly epoch: number;
  readonly seq: number;
}

/** A sequenced Event and the session it belongs to. */
export interface Placed extends At {
  /** `(source, session)` as one key. */
  readonly sessionKey: string;
  /** The bare session as a key. */
  readonly nameKey: string;
}

/** An Event that later ones may name. */
export interface KnownEvent {
  readonly fingerprint: number;
  /** Cut where it is long. */
  readonly type: string;
  readonly command: boolean;
  /** The bare session as a key. */
  readonly nameKey: string | undefined;
}

export interface SessionState {
  /** Highest position so far. */
  epoch: number;
  seq: number;
  /** The bare session as a key. */
  readonly nameKey: string;
  /** The `session.ended`, where there was one. */
  end: { readonly id: string; readonly source: string; readonly at: At } | undefined;
  /** Requests without a terminal, by key. */
  open: Map<string, RequestState> | undefined;
}

/** A request for attention; known before it is seen where a later Event names it. */
export interface RequestState {
  readonly key: string;
  readonly id: string;
  readonly sessionKey: string;
  /** Where it was raised; `undefined` while only later Events were seen. */
  raised: At | undefined;
  kind: string | undefined;
  form: ReadonlyMap<string, FormField> | undefined;
  terminal: { readonly type: string; readonly at: At } | undefined;
}

export interface UnitState {
  start: string | undefined;
  ended: boolean;
}

/** Everything a {@link StreamValidator} remembers. */
export interface StreamState {
  readonly options: Required<StreamOptions>;
  readonly events: BoundedMap<KnownEvent>;
  readonly positions: BoundedMap<true>;
  readonly sessions: BoundedMap<SessionState>;
  readonly units: BoundedMap<UnitState>;
  readonly requests: BoundedMap<RequestState>;
  readonly commands: BoundedMap<true>;
  readonly acks: BoundedMap<true>;
}

export function streamState(options: Required<StreamOptions>): StreamState {
  const sessions = boundedMap<SessionState>(options.maxSessions);
  return {
    options,
    events: boundedMap(options.maxEvents),
    positions: boundedMap(options.maxEvents),
    sessions,
    units: boundedMap(options.maxUnits),
    requests: boundedMap<RequestState>(options.maxRequests, (request) => sessions.get(request.sessionKey)?.open?.delete(request.key)),
    commands: boundedMap(options.maxUnits),
    acks: boundedMap(options.maxUnits),
  };
}

export function sessionOf(state: StreamState, { sessionKey, nameKey }: Placed): SessionState {
  const known = state.sessions.get(sessionKey);
  if (known !== undefined) return known;
  const session: SessionState = { nameKey, epoch: -1, seq: -1, end: undefined, open: undefined };
  state.sessions.set(sessionKey, session);
  return session;
}

/** Where the checks put what they find in one Event. */
export interface Finding {
  readonly event: AepEvent;
  readonly level: Capture;
  readonly issues: StreamIssue[];
}

export function find(finding: Finding, code: StreamIssueCode, message: string, path?: string, severity: 'error' | 'warning' = 'error'): void {
  const { event, issues } = finding;
  issues.push({ code, severity, message, source: event.source, eventId: event.id, ...(path === undefined ? {} : { path }) });
}
