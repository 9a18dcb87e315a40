import type { AepEvent, JsonObject, JsonValue } from '@aepkit/envelope';

import type { FieldSpec } from '../generated/payloads.js';
import { own } from '../synthesised.js';
import { checkAnswers } from './check-answers.js';
import { keyOf, quoted } from './keys.js';
import { find, sessionOf, type Finding, type Placed, type RequestState, type StreamState } from './stream-state.js';

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
  if (named?.session === place.session && named.type !== 'attention.requested') {
    find(finding, 'wrong-subject', `subject ${quoted(event.subject)} is an Event of type ${named.type}`, '$.subject');
    return;
  }
  const request = requestOf(state, place, event.subject);
  if (event.type === 'attention.answered') {
    checkAnswers(finding, request);
    return;
  }
  if (request.terminal === undefined) {
    request.terminal = { type: event.type, place };
    sessionOf(state, place.sessionKey).open.delete(request.key);
    return;
  }
  const drawn = request.terminal.type === 'attention.timeout' && event.type === 'attention.resolved';
  find(finding, 'second-attention-terminal', `request ${quoted(event.subject)} is closed by ${request.terminal.type}`, '$.type', drawn ? 'warning' : 'error');
}

function raise(state: StreamState, event: AepEvent, place: Placed): void {
  const fields = formFields(event.data);
  const request = requestOf(state, place, event.id, 1 + (fields ?? []).reduce((sum, field) => sum + 1 + (field.choices?.length ?? 0), 0));
  request.raised = place;
  request.kind = kindOf(event.data);
  request.fields = fields;
  if (request.terminal === undefined) sessionOf(state, place.sessionKey).open.set(request.key, request);
}

function requestOf(state: StreamState, place: Placed, id: string, weight?: number): RequestState {
  const key = keyOf(place.sessionKey, id);
  const known = state.requests.get(key);
  if (known !== undefined && weight === undefined) return known;
  const request = known ?? { key, id: id.slice(0, 256), sessionKey: place.sessionKey, raised: undefined, kind: undefined, fields: undefined, terminal: undefined };
  state.requests.set(key, request, weight);
  return request;
}

function kindOf(data: JsonObject | undefined): string | undefined {
  const kind = own(data, 'kind');
  return typeof kind === 'string' ? kind.slice(0, 16) : undefined;
}

/** Only what answers are held against, and only where it has the form the schema asks for. */
function formFields(data: JsonObject | undefined): readonly FieldSpec[] | undefined {
  const fields = own(data, 'fields');
  if (!Array.isArray(fields)) return undefined;
  return (fields as readonly JsonValue[]).flatMap((field) => {
    const id = own(field, 'id');
    const type = own(field, 'type');
    if (typeof id !== 'string' || !(type === 'string' || type === 'number' || type === 'boolean' || type === 'select')) return [];
    const choices = own(field, 'choices');
    const ids = Array.isArray(choices) ? (choices as readonly JsonValue[]).map((choice) => own(choice, 'id')).filter((choice) => typeof choice === 'string') : [];
    return [{ id, type, label: '', other: own(field, 'other') === true, multi: own(field, 'multi') === true, choices: ids.map((choice) => ({ id: choice, label: '' })) }];
  });
}

/** For a stream in order of arrival, once all of it is there: requests raised ahead of the end and closed behind it or never. */
export function openRequests(state: StreamState): readonly { readonly request: RequestState; readonly id: string; readonly source: string }[] {
  const open: { request: RequestState; id: string; source: string }[] = [];
  for (const request of state.requests.values()) {
    const end = state.sessions.get(request.sessionKey)?.end;
    if (end === undefined || request.raised === undefined || !isBefore(request.raised, end.place)) continue;
    if (request.terminal !== undefined && isBefore(request.terminal.place, end.place)) continue;
    open.push({ request, id: end.id, source: end.source });
  }
  return open;
}

function isBefore(a: Placed, b: Placed): boolean {
  return a.epoch === b.epoch ? a.seq < b.seq : a.epoch < b.epoch;
}
