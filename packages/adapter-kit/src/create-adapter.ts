import { type AepEvent, type JsonObject, sourceUri, type WireEvent, wireEvent } from '@aepkit/envelope';

import { idBehind, isCallKey } from './call-key.js';
import type { AdapterSpec } from './define-adapter.js';
import { AdapterError } from './errors.js';
import type { Decision, EventDraft, HookAdapter, Question } from './hook-adapter.js';
import { hookCall, type PayloadNames } from './hook-call.js';
import type { HookRecord } from './hook-record.js';
import { levelDraft, lowerEvent, redactAgain } from './level-draft.js';
import type { LeveledEvent } from './draft.js';
import { merge } from './merge.js';
import { type AdapterOptions, limitOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { parseRecord } from './parse-record.js';
import { type Placed, placeSteps } from './place-steps.js';
import { readCall } from './read-call.js';
import { SessionState, stateTypes } from './session-state.js';
import type { Steps } from './step.js';
import { categoryOf, vendorType } from './vendor-type.js';

/** A declaration, ready to run. */
export interface Declared {
  readonly spec: AdapterSpec;
  readonly names: PayloadNames;
  readonly question: (payload: unknown) => Question | undefined;
  readonly reply: (payload: unknown, decision: Decision) => string;
}

/** Makes a {@link HookAdapter}. */
export function createAdapter({ spec, names, question, reply }: Declared, given: AdapterOptions): HookAdapter {
  const { agent } = spec;
  const options: ResolvedOptions = resolveOptions(given);
  const { host, ceilingOf, redactor, maxContentBytes, maxSessions, createId, now } = options;
  const sessions = new Map<string, SessionState>();
  // Those that were read here need no second look.
  const ours = new WeakSet<object>();

  const hold = (session: string, state: SessionState): void => {
    sessions.delete(session);
    sessions.set(session, state);
    if (sessions.size > maxSessions) for (const oldest of sessions.keys()) return void sessions.delete(oldest);
  };

  const shape = (event: LeveledEvent, record: Pick<HookRecord, 'ceiling' | 'ceilings'> | undefined, foreign: boolean): { capture: string; data?: JsonObject } => {
    const own = lowerEvent(event, ceilingOf(event.type));
    const { capture, data, content } = record === undefined ? own : lowerEvent(own, recordCeiling(record, event.type));
    if (data === undefined) return { capture };
    if (content === undefined) return { capture, data };
    const shown = foreign && capture === 'redacted' ? redactAgain(content, redactor) : content;
    return shown === undefined ? { capture: 'metadata', data } : { capture, data: merge(data, shown) };
  };

  const wire = (session: string, state: SessionState, time: number, id: string, { event, scope, run, cause }: Placed, shaped: { capture: string; data?: JsonObject }): WireEvent => {
    const members: Record<string, JsonObject | string | number> = {
      aep: '0.1',
      id,
      type: event.type,
      ...(event.subject === undefined ? {} : { subject: event.subject }),
      time: new Date(time).toISOString(),
      // A session keeps the source it began with, even where the host has another name by now (AEP-0001 §5.2).
      source: scope === 'agent' ? sourceUri({ host, agent }) : (state.source ?? sourceUri({ host, agent, session })),
      agent,
    };
    if (scope !== 'agent') {
      members.session = session;
      if (run !== undefined) members.run = run;
      members.seq = state.nextSeq;
      if (state.epoch > 0) members.epoch = state.epoch;
      if (cause !== undefined) members.cause = cause;
    }
    if (event.severity !== undefined) members.severity = event.severity;
    members.capture = shaped.capture;
    if (shaped.data !== undefined) members.data = shaped.data;
    return wireEvent(members as unknown as AepEvent);
  };

  const adapter: HookAdapter = {
    agent,
    stateTypes: stateTypes(agent),
    question,
    reply,
    sessionOf: (payload) => hookCall(payload, names).session,
    knows: (session) => sessions.has(session),
    forget: (session) => void sessions.delete(session),
    requests: (session) => sessions.get(session)?.requests() ?? [],

    async restore(session, events) {
      const state = new SessionState(agent);
      for await (const event of events) if (event.session === session && event.agent === agent) state.apply(event);
      hold(session, state);
    },

    read(payload, { key, held = false, expiresAt, ceiling } = {}) {
      if (key !== undefined && !isCallKey(key)) throw new AdapterError('invalid-key', '$', 'the key of a call must be a ULID');
      const call = hookCall(payload, names);
      const mapping = Object.hasOwn(spec.hooks, call.hook) ? spec.hooks[call.hook] : undefined;
      const steps: Steps = mapping === undefined ? { do: 'emit', event: { type: vendorType(agent, call.hook), data: {} } } : mapping(call);
      const named = spec.time?.(call);
      const time = named !== undefined && named >= 0 && named <= MAX_TIME_MS ? named : now();
      const record = readCall(call, steps, { agent, options: ceiling === undefined ? options : limitOptions(options, ceiling), time: Math.max(0, Math.floor(time)), key, run: spec.run?.(call), held: held && question(payload) !== undefined, expiresAt });
      ours.add(record);
      return record;
    },

    place(input) {
      const foreign = typeof input !== 'object' || input === null || !ours.has(input);
      const record = foreign ? parseRecord(input) : (input as HookRecord);
      if (record.agent !== agent) throw new AdapterError('invalid-record', '$.agent', `must be ${agent}`);
      const { key, session } = record;
      const state = sessions.get(session) ?? new SessionState(agent);
      const events: WireEvent[] = [];
      try {
        placeSteps({
          record,
          session: state,
          namedRuns: spec.namedRuns === true,
          createId: () => key ?? createId(),
          emit: (placed) => {
            const id = key === undefined ? createId() : idBehind(key, events.length);
            const made = wire(session, state, record.time, id, placed, shape(placed.event, record, foreign));
            state.apply(made.event);
            events.push(made);
            return id;
          },
        });
      } catch (error) {
        // Half a placing must not stay: what was minted is not emitted, so its positions are given again.
        if (events.length > 0) sessions.delete(session);
        throw error;
      }
      hold(session, state);
      return events;
    },

    handle: (payload, read) => adapter.place(adapter.read(payload, read)),

    identities({ key, session, steps }) {
      if (key === undefined) return [];
      // One or the other: a key that another session used up for an Event about the agent says nothing about this one.
      const source = steps[0]?.scope === 'agent' ? sourceUri({ host, agent }) : (sessions.get(session)?.source ?? sourceUri({ host, agent, session }));
      return [{ source, id: key }];
    },

    mint(session: string, draft: EventDraft) {
      const state = sessions.get(session);
      if (state === undefined) throw new AdapterError('unknown-session', '$.session', 'the state of this session is not held');
      const { id = createId(), run = state.run?.id, cause, type, subject, severity, data, text } = draft;
      const event = levelDraft({ type, subject, severity, ...(data === undefined ? {} : { data }), ...(text === undefined ? {} : { text }) }, { ceiling: ceilingOf(type), redactor, maxContentBytes });
      const shaped = shape(event, undefined, false);
      const made = wire(session, state, Math.max(0, Math.floor(now())), id, { event, run, cause }, data === undefined && text === undefined ? { capture: shaped.capture } : shaped);
      state.apply(made.event);
      hold(session, state);
      return made;
    },
  };
  return adapter;
}

// An Event has four digits for the year.
const MAX_TIME_MS = Date.UTC(9999, 11, 31);

/** What the record of a call may tell in an Event of this type. */
function recordCeiling({ ceiling, ceilings }: Pick<HookRecord, 'ceiling' | 'ceilings'>, type: string): HookRecord['ceiling'] {
  const category = categoryOf(type);
  return (ceilings !== undefined && Object.hasOwn(ceilings, category) ? ceilings[category] : undefined) ?? ceiling;
}
