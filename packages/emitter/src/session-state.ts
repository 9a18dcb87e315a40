import type { AepEvent, JsonObject, JsonValue } from '@aepkit/envelope';
import { gateData, type Choice, type FieldSpec } from '@aepkit/taxonomy';

import { BoundedMap, BoundedSet } from './bounded-set.js';
import { checkDelta, stateKey, stateRevision } from './check-delta.js';
import { EmitterError } from './errors.js';
import type { RequestMemory, SessionMemory, SessionNote } from './epoch-store.js';

export const RUN_ENDS: ReadonlySet<string> = new Set(['run.finished', 'run.failed', 'run.cancelled']);
const TOOL_ENDS: ReadonlySet<string> = new Set(['tool.completed', 'tool.failed', 'tool.denied']);
const ACKS: ReadonlySet<string> = new Set(['control.accepted', 'control.rejected']);

/** What an Event says about the units of its session. */
export interface Fact {
  readonly type: string;
  readonly id?: string;
  readonly subject?: string | undefined;
  readonly run?: string | undefined;
  readonly step?: string | undefined;
  readonly cause?: string | undefined;
  readonly data?: JsonObject | undefined;
}

interface OpenRequest {
  readonly memory: RequestMemory;
  readonly units: number;
  answer?: string;
}

/** A call of a tool without an end. */
export interface OpenCall {
  /** Id of its `tool.requested`. */
  readonly id: string;
  readonly name: string;
  readonly callId: string | undefined;
  readonly subject: string | undefined;
  readonly run: string | undefined;
}

/** Bounds of a {@link SessionState}. */
export interface StateLimits {
  readonly maxUnits: number;
  readonly maxRequests: number;
  /** Of what open requests offer, as JSON. */
  readonly maxRequestUnits: number;
  /** Whether the session is a new one, of which nothing can be unknown here. */
  readonly fresh: boolean;
}

/**
 * What has begun and ended in one session: enough to refuse a second end (AEP-0002 §2.5), to close requests for attention before
 * the session (AEP-0002 §7.2), and to name the start of a unit in the `cause` of its end (AEP-0002 §2.1).
 */
export class SessionState {
  ended = false;
  readonly #closedRuns: BoundedSet;
  readonly #closedTools: BoundedSet;
  readonly #settled: BoundedSet;
  readonly #acked: BoundedSet;
  readonly #starts: BoundedMap<string>;
  /** States by key: the revision that was reached, -1 where none was said. */
  readonly #states: BoundedMap<number>;
  /** Runs that an Event named. */
  readonly #runs: BoundedSet;
  readonly #requests = new Map<string, OpenRequest>();
  #requestUnits = 0;
  readonly #calls = new Map<string, OpenCall>();
  readonly #limits: StateLimits;

  constructor(limits: StateLimits) {
    const { maxUnits } = limits;
    this.#limits = limits;
    this.#closedRuns = new BoundedSet(maxUnits);
    this.#closedTools = new BoundedSet(maxUnits);
    this.#settled = new BoundedSet(maxUnits);
    this.#acked = new BoundedSet(maxUnits);
    this.#starts = new BoundedMap(maxUnits);
    this.#states = new BoundedMap(maxUnits);
    this.#runs = new BoundedSet(maxUnits);
  }

  /** Takes in what a store remembers. What the history says is settled stays so. */
  remember({ ended, closedRuns, requests }: Omit<SessionMemory, 'epoch'>): void {
    this.ended ||= ended ?? false;
    for (const run of closedRuns ?? []) this.#closedRuns.add(run);
    for (const request of requests ?? []) if (!this.#settled.has(request.id) && !this.#requests.has(request.id)) this.#opened({ ...request });
  }

  /** Ids of the requests that have no terminal, oldest first. */
  openRequests(): readonly string[] {
    return [...this.#requests.keys()];
  }

  request(id: string | undefined): RequestMemory | undefined {
    return id === undefined ? undefined : this.#requests.get(id)?.memory;
  }

  /** Whether a run is over, or surely none of this session. */
  lacksRun(run: string): boolean {
    return this.#closedRuns.has(run) || (this.#limits.fresh && this.#runs.complete && !this.#runs.has(run));
  }

  /** Calls of tools that have no end and no mark, oldest first; those of one run where it is given. */
  openCalls(run?: string): readonly OpenCall[] {
    const calls = [...this.#calls.values()];
    return run === undefined ? calls : calls.filter((call) => call.run === run);
  }

  /** The oldest call of more than can be remembered. */
  overdueCall(): OpenCall | undefined {
    return this.#calls.size > this.#limits.maxUnits ? this.#calls.values().next().value : undefined;
  }

  /** The call is marked; an end of it may still come. */
  marked(call: OpenCall): void {
    this.#calls.delete(call.id);
  }

  /** Throws {@link EmitterError} where the Event would break a rule of the session. Changes nothing. */
  check(fact: Fact, late: boolean): void {
    const { type, run, subject, cause } = fact;
    if (this.ended) {
      if (type === 'session.ended') throw second('the session', '$.type');
      if (!late) throw new EmitterError('session-ended', 'the session is over', { path: '$.session' });
    }
    if (RUN_ENDS.has(type) && run !== undefined && this.#closedRuns.has(run)) throw second('the run', '$.run');
    if (TOOL_ENDS.has(type) && this.#closedTools.has(toolKey(fact) ?? '')) throw second('the tool call', '$.data.tool.call_id');
    if (ACKS.has(type) && cause !== undefined && this.#acked.has(cause)) {
      throw new EmitterError('second-ack', 'the command was acknowledged before', { path: '$.cause' });
    }
    if (type === 'state.delta') this.#checkDelta(fact);
    if (type === 'attention.requested') this.#checkRoom(fact);
    if (isLaterAttention(type) && subject !== undefined && !this.#requests.has(subject)) {
      if (this.#settled.has(subject)) throw second('the request', '$.subject');
      throw new EmitterError('unknown-request', 'no open request of this session has this id', { path: '$.subject' });
    }
  }

  #checkRoom({ data }: Fact): void {
    const { maxRequests, maxRequestUnits } = this.#limits;
    if (this.#requests.size >= maxRequests) throw new EmitterError('too-many-requests', `more than ${maxRequests} requests are open`);
    if (this.#requestUnits + unitsOf(own(data, 'options'), own(data, 'fields')) > maxRequestUnits) {
      throw new EmitterError('too-many-requests', `open requests offer more than ${maxRequestUnits} characters`, { path: '$.data' });
    }
  }

  #opened(memory: RequestMemory): void {
    const units = unitsOf(memory.options, memory.fields);
    this.#requestUnits += units - (this.#requests.get(memory.id)?.units ?? 0);
    this.#requests.set(memory.id, { memory, units });
  }

  #settle(id: string): void {
    this.#requestUnits -= this.#requests.get(id)?.units ?? 0;
    this.#requests.delete(id);
    this.#settled.add(id);
  }

  /** A change has to be one of the last snapshot of its key (AEP-0002 §5.4), so there has to be one that consumers have. */
  #checkDelta({ data }: Fact): void {
    checkDelta(data);
    const reached = this.#states.get(stateKey(data));
    if (reached === undefined) throw new EmitterError('invalid-delta', 'there is no snapshot of this key', { path: '$.data.key' });
    const revision = stateRevision(data);
    if (revision !== undefined && revision <= reached) throw new EmitterError('invalid-delta', 'is no later revision', { path: '$.data.rev' });
  }

  /** What led to an Event, where the session knows: the start of the unit that it ends. */
  causeOf(fact: Fact): string | undefined {
    const { type, subject } = fact;
    if (isLaterAttention(type) && subject !== undefined) {
      return (type === 'attention.resolved' ? this.#requests.get(subject)?.answer : undefined) ?? subject;
    }
    const key = endKey(fact);
    return key === undefined ? undefined : this.#starts.get(key);
  }

  /** Takes an Event in, and tells what a store has to remember of it. */
  apply(fact: Fact & { readonly id: string }): SessionNote | undefined {
    const { type, id, run, subject, cause } = fact;
    if (run !== undefined) this.#runs.add(run);
    const begins = startKey(fact);
    if (begins !== undefined) this.#starts.set(begins, id);
    const ends = endKey(fact);
    if (ends !== undefined) this.#starts.delete(ends);
    if (type === 'state.snapshot' || type === 'state.delta') {
      const key = stateKey(fact.data);
      this.#states.set(key, stateRevision(fact.data) ?? (type === 'state.delta' ? (this.#states.get(key) ?? -1) : -1));
    }
    if (type === 'tool.requested') {
      const name = own(own(fact.data, 'tool'), 'name');
      const call = callId(fact);
      this.#calls.set(id, { id, name: typeof name === 'string' ? name : '', callId: typeof call === 'string' ? call : undefined, subject, run });
    } else if (TOOL_ENDS.has(type)) {
      this.#ended(fact);
      const key = toolKey(fact);
      if (key !== undefined) this.#closedTools.add(key);
    } else if (ACKS.has(type) && cause !== undefined) this.#acked.add(cause);
    else if (type === 'session.ended') {
      this.ended = true;
      return { type: 'ended' };
    } else if (RUN_ENDS.has(type) && run !== undefined) {
      this.#closedRuns.add(run);
      return { type: 'run-closed', run };
    } else if (type === 'attention.requested') {
      const { request, options } = requestOf(fact);
      this.#opened(options === undefined ? request : { ...request, options });
      return { type: 'requested', request };
    } else if (type === 'attention.answered' && subject !== undefined) {
      const request = this.#requests.get(subject);
      if (request !== undefined) request.answer = id;
    } else if ((type === 'attention.resolved' || type === 'attention.timeout') && subject !== undefined) {
      this.#settle(subject);
      return { type: 'settled', id: subject };
    }
    return undefined;
  }

  /** An end belongs to the call with its id, or else to the one that its cause names. */
  #ended(fact: Fact): void {
    const id = callId(fact);
    for (const call of this.#calls.values()) {
      if (typeof id === 'string' ? call.callId === id : call.id === fact.cause) {
        this.#calls.delete(call.id);
        return;
      }
    }
  }

  /** Takes in an Event of the session that was emitted before this process began. */
  restore(event: AepEvent): void {
    if (event.seq === undefined) return;
    this.apply({ ...event, data: event.data });
  }
}

function isLaterAttention(type: string): boolean {
  return type === 'attention.answered' || type === 'attention.resolved' || type === 'attention.timeout';
}

function second(what: string, path: string): EmitterError {
  return new EmitterError('second-terminal', `${what} has ended before`, { path });
}

/** A request as a store keeps it, and its options with the labels that they have in the Event. */
function requestOf({ id, subject, run, data }: Fact & { readonly id: string }): { readonly request: RequestMemory; readonly options: readonly Choice[] | undefined } {
  // Structure only: what a store keeps is at rest, and no ceiling is asked again.
  const shown = data === undefined ? undefined : gateData('attention.requested', data, 'metadata', { agent: '' });
  const fields = own(shown, 'fields');
  const kind = own(shown, 'kind');
  const structure = choicesOf(shown);
  const request = {
    id,
    kind: typeof kind === 'string' ? kind : 'other',
    ...(subject === undefined ? {} : { subject }),
    ...(run === undefined ? {} : { run }),
    ...(structure === undefined ? {} : { options: structure }),
    ...(Array.isArray(fields) ? { fields: fields as unknown as readonly FieldSpec[] } : {}),
  };
  return { request, options: choicesOf(data) };
}

/** What answers are held against, and no more of it: an option may hold members of a vendor. */
function choicesOf(data: JsonObject | undefined): readonly Choice[] | undefined {
  const options = own(data, 'options');
  if (!Array.isArray(options)) return undefined;
  return (options as readonly JsonValue[]).flatMap((option) => {
    const [id, label] = [own(option, 'id'), own(option, 'label')];
    return typeof id === 'string' && typeof label === 'string' ? [{ id, label }] : [];
  });
}

/** UTF-16 units of values as JSON. */
function unitsOf(...values: readonly (JsonValue | undefined)[]): number {
  return values.reduce((sum: number, value) => sum + (value === undefined ? 0 : JSON.stringify(value).length), 0);
}

/** Key under which the start of a unit is found by its end. */
function startKey(fact: Fact): string | undefined {
  switch (fact.type) {
    case 'run.started':
      return keyOf('run', fact.run);
    case 'run.step.started':
      return keyOf('step', fact.step);
    case 'tool.requested':
      return keyOf('tool', callId(fact));
    case 'progress.task.planned':
      return keyOf('task', own(own(fact.data, 'task'), 'id'));
    default:
      return undefined;
  }
}

function endKey(fact: Fact): string | undefined {
  if (RUN_ENDS.has(fact.type)) return keyOf('run', fact.run);
  if (TOOL_ENDS.has(fact.type)) return keyOf('tool', callId(fact));
  if (fact.type === 'run.step.finished') return keyOf('step', fact.step);
  if (fact.type === 'progress.task.completed') return keyOf('task', own(own(fact.data, 'task'), 'id'));
  return undefined;
}

function keyOf(unit: string, id: JsonValue | undefined): string | undefined {
  return typeof id === 'string' ? `${unit}:${id}` : undefined;
}

/** A tool call without an id is known by the Event that began it; without that, no second end of it can be told. */
function toolKey(fact: Fact): string | undefined {
  return keyOf('call', callId(fact)) ?? keyOf('cause', fact.cause);
}

function callId(fact: Fact): JsonValue | undefined {
  return own(own(fact.data, 'tool'), 'call_id');
}

function own(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
