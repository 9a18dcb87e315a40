import type { AepEvent, Capture } from '@aepkit/envelope';

import type { FieldSpec } from '../generated/payloads.js';
import { boundedMap, type BoundedMap } from './bounded-map.js';
import type { StreamIssue, StreamIssueCode } from './stream-issue.js';
import type { StreamOptions } from './stream-options.js';

/** A sequenced Event and the session it belongs to. */
export interface Placed {
  /** `(source, session)` as one key. */
  readonly sessionKey: string;
  readonly session: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface SessionState {
  /** Highest position so far. */
  epoch: number;
  seq: number;
  /** The `session.ended`, where there was one. */
  end: { readonly id: string; readonly source: string; readonly place: Placed } | undefined;
  /** Requests without a terminal, by key. */
  readonly open: Map<string, RequestState>;
}

/** A request for attention; known before it is seen where a later Event names it. */
export interface RequestState {
  readonly key: string;
  readonly id: string;
  readonly sessionKey: string;
  /** Where it was raised; `undefined` while only later Events were seen. */
  raised: Placed | undefined;
  kind: string | undefined;
  fields: readonly FieldSpec[] | undefined;
  terminal: { readonly type: string; readonly place: Placed } | undefined;
}

export interface UnitState {
  start: string | undefined;
  ended: boolean;
}

/** Everything a {@link StreamValidator} remembers. */
export interface StreamState {
  readonly options: Required<StreamOptions>;
  readonly events: BoundedMap<{ readonly fingerprint: string; readonly type: string; readonly session: string | undefined }>;
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
    requests: boundedMap<RequestState>(options.maxRequests, (request) => sessions.get(request.sessionKey)?.open.delete(request.key)),
    commands: boundedMap(options.maxUnits),
    acks: boundedMap(options.maxUnits),
  };
}

export function sessionOf(state: StreamState, key: string): SessionState {
  const known = state.sessions.get(key);
  if (known !== undefined) return known;
  const session: SessionState = { epoch: -1, seq: -1, end: undefined, open: new Map() };
  state.sessions.set(key, session);
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
