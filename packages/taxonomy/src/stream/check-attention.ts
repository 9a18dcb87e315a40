import type { AepEvent, JsonObject } from '@aepkit/envelope';

import { formOf } from '../form.js';
import { own } from '../synthesised.js';
import { checkAnswers } from './check-answers.js';
import { cut, keyOf, quoted } from './keys.js';
import { find, sessionOf, type At, type Finding, type Placed, type RequestState, type StreamState } from './stream-state.js';

const LATER: ReadonlySet<string> = new Set(['attention.answered', 'attention.resolved', 'attention.timeout']);

/** What an Event of the attention lifecycle owes wherever it comes from: it names its request (AEP-0002 §7.1, AEP-0004 §6). */
export function checkAttentionLinks(finding: Finding): void {
  const { event } = finding;
  const later = LATER.has(event.type) || event.type === 'attention.routed';
  if (!later && event.type !== 'control.attention.respond') return;
  if (event.subject === undefined) find(finding, 'missing-subject', 'does not name the request it belongs to', '$.subject');
  if (later && event.cause === undefined) find(finding, 'unlinked-attention', 'does not name what led to it', '$.cause', 'warning');
}

/** The lifecycle of requests in one session (AEP-0002 §7). */
export function checkAttention(state: StreamState, finding: Finding, place: Placed): void {
  const { event } = finding;
  if (event.type === 'attention.requested') {
    raise(state, event, place);
    return;
  }
  if (!LATER.has(event.type) || event.subject === undefined) return;
  const named = state.events.get(keyOf(event.source, event.subject));
  if (named?.nameKey === place.nameKey && named.type !== 'attention.requested') {
    find(finding, 'wrong-subject', `subject ${quoted(event.subject)} is an Event of type ${named.type}`, '$.subject');
    return;
  }
  const request = requestOf(state, place, event.subject);
  if (event.type === 'attention.answered') {
    checkAnswers(finding, request);
    return;
  }
  if (request.terminal === undefined) {
    request.terminal = { type: event.type, at: { epoch: place.epoch, seq: place.seq } };
    sessionOf(state, place).open?.delete(request.key);
    return;
  }
  const drawn = request.terminal.type === 'attention.timeout' && event.type === 'attention.resolved';
  find(finding, 'second-attention-terminal', `request ${quoted(event.subject)} is closed by ${request.terminal.type}`, '$.type', drawn ? 'warning' : 'error');
}

function raise(state: StreamState, event: AepEvent, place: Placed): void {
  const fields = own(event.data, 'fields');
  const form = Array.isArray(fields) ? formOf(fields) : undefined;
  let weight = 1;
  for (const field of form?.values() ?? []) weight += 1 + field.choices.size;
  const request = requestOf(state, place, event.id, weight);
  request.raised = { epoch: place.epoch, seq: place.seq };
  request.kind = kindOf(event.data);
  request.form = form;
  if (request.terminal === undefined) (sessionOf(state, place).open ??= new Map()).set(request.key, request);
}

function requestOf(state: StreamState, place: Placed, id: string, weight?: number): RequestState {
  const key = keyOf(place.sessionKey, id);
  const known = state.requests.get(key);
  if (known !== undefined && weight === undefined) return known;
  const request = known ?? { key, id: cut(id), sessionKey: place.sessionKey, raised: undefined, kind: undefined, form: undefined, terminal: undefined };
  state.requests.set(key, request, weight);
  return request;
}

function kindOf(data: JsonObject | undefined): string | undefined {
  const kind = own(data, 'kind');
  return typeof kind === 'string' ? kind.slice(0, 16) : undefined;
}

/** For a stream in order of arrival, once all of it is there: requests raised ahead of the end and closed behind it or never. */
export function openRequests(state: StreamState): readonly { readonly request: RequestState; readonly id: string; readonly source: string }[] {
  const open: { request: RequestState; id: string; source: string }[] = [];
  for (const request of state.requests.values()) {
    const end = state.sessions.get(request.sessionKey)?.end;
    if (end === undefined || request.raised === undefined || !isBefore(request.raised, end.at)) continue;
    if (request.terminal !== undefined && isBefore(request.terminal.at, end.at)) continue;
    open.push({ request, id: end.id, source: end.source });
  }
  return open;
}

function isBefore(a: At, b: At): boolean {
  return a.epoch === b.epoch ? a.seq < b.seq : a.epoch < b.epoch;
}
