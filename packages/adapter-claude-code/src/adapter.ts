import { type AepEvent, type JsonObject, sourceUri, type WireEvent, wireEvent } from '@aepkit/envelope';

import { AGENT } from './agent.js';
import type { Draft } from './draft.js';
import { idBehind, isCallKey } from './call-key.js';
import { AdapterError } from './errors.js';
import { HookPayload } from './hook-payload.js';
import { type HookRecord, parseRecord } from './hook-record.js';
import { AGENT_HOOKS, mapHook } from './mapping.js';
import { categoryOf, type ClaudeCodeAdapterOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { readHook } from './read-hook.js';
import { SessionState } from './session-state.js';

/**
 * Turns the hook calls of Claude Code into Events (AEP-0002 Annex A.1, AEP-0003 §9).
 *
 * It holds the position and the open units of each session. That state is a fold over the Events it made, so that
 * {@link restore} continues a session after a restart; {@link knows} tells whether a session has to be restored first.
 *
 * @example
 * ```ts
 * const adapter = new ClaudeCodeAdapter({ host: 'laptop' });
 * const events = adapter.handle({ session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' });
 * ```
 */
export class ClaudeCodeAdapter {
  readonly #options: ResolvedOptions;
  readonly #sessions = new Map<string, SessionState>();

  /** @throws {@link AdapterError} `unsupported-ceiling`; RangeError for an option out of bounds. */
  constructor(options: ClaudeCodeAdapterOptions) {
    this.#options = resolveOptions(options);
  }

  /** The session a payload belongs to. @throws {@link AdapterError} `invalid-payload`. */
  sessionOf(payload: unknown): string {
    return new HookPayload(payload).session;
  }

  /** Whether the state of a session is held. */
  knows(session: string): boolean {
    return this.#sessions.has(session);
  }

  /**
   * Rebuilds the state of a session from its own Events, those of one source, in order of position. They are taken in one at a
   * time and none is held. All of them do, and so do those of {@link STATE_TYPES} followed by the last of any type. Events of
   * other agents are skipped.
   *
   * The state is there when the promise is fulfilled: until then no hook of this session may be handled. When `events` fails,
   * the promise rejects with its error and the state is as before.
   */
  async restore(session: string, events: Iterable<AepEvent> | AsyncIterable<AepEvent>): Promise<void> {
    const state = new SessionState();
    for await (const event of events) if (event.session === session && event.agent === AGENT) state.apply(event);
    this.#hold(session, state);
  }

  /** Forgets a session. Use it when what {@link handle} returned could not be kept; then restore. */
  forget(session: string): void {
    this.#sessions.delete(session);
  }

  /**
   * Reads one hook call, given as its JSON value, at the ceiling: pure, whatever the state of the session. The record can be stored and
   * sent; {@link place} makes Events of it.
   *
   * @param key the ULID of this call: its Events get the same ids however often it is placed
   * @throws {@link AdapterError} `invalid-payload`, `invalid-key`.
   */
  read(payload: unknown, key?: string): HookRecord {
    if (key !== undefined && !isCallKey(key)) throw new AdapterError('invalid-key', '$', 'the key of a call must be a ULID');
    const { ceiling, ceilings, now } = this.#options;
    return readHook(payload, { ceiling, ceilings, time: Math.max(0, Math.floor(now())), key });
  }

  /**
   * Makes the Events of a record, with their positions: none, one, or several. A record is input, so it is checked; of its ceiling and
   * the adapter's the lower one holds.
   *
   * @throws {@link AdapterError} `invalid-record`; the state is then as before.
   */
  place(input: unknown): readonly WireEvent[] {
    const record = parseRecord(input);
    const held = this.#sessions.get(record.session);
    const session = held ?? new SessionState();
    const events: WireEvent[] = [];
    const { key } = record;
    try {
      mapHook({
        record,
        session,
        createId: () => key ?? this.#options.createId(),
        emit: (draft) => {
          const id = key === undefined ? this.#options.createId() : idBehind(key, events.length);
          const wire = this.#mint(record, session, draft, id);
          session.apply(wire.event);
          events.push(wire);
          return id;
        },
      });
    } catch (error) {
      // Half a mapping must not stay: what was minted is not emitted, so its positions are given again.
      if (events.length > 0) this.#sessions.delete(record.session);
      throw error;
    }
    this.#hold(record.session, session);
    return events;
  }

  /** {@link place} of {@link read}. */
  handle(payload: unknown, key?: string): readonly WireEvent[] {
    return this.place(this.read(payload, key));
  }

  /**
   * What the first Event of a record with a key is known by, wherever it was kept: whoever has an Event of one of these has had the call.
   * The session has to be known or new.
   */
  identities({ key, session, hook }: HookRecord): readonly { readonly source: string; readonly id: string }[] {
    if (key === undefined) return [];
    const { host } = this.#options;
    // One or the other: a key that another session used up for an Event about the agent says nothing about this one.
    const source = AGENT_HOOKS.has(hook) ? sourceUri({ host, agent: AGENT }) : (this.#sessions.get(session)?.source ?? sourceUri({ host, agent: AGENT, session }));
    return [{ source, id: key }];
  }

  #mint(record: HookRecord, state: SessionState, draft: Draft, id: string): WireEvent {
    const { type } = draft;
    const agentScoped = type.startsWith('agent.');
    const { session } = record;
    const level = this.#options.ceilingOf(type) === 'none' ? 'none' : levelOf(record, type);
    const { host } = this.#options;
    const event: Record<string, JsonObject | string | number> = {
      aep: '0.1',
      id,
      type,
      ...(draft.subject === undefined ? {} : { subject: draft.subject }),
      time: new Date(record.time).toISOString(),
      // A session keeps the source it began with, even where the host has another name by now (AEP-0001 §5.2).
      source: agentScoped ? sourceUri({ host, agent: AGENT }) : (state.source ?? sourceUri({ host, agent: AGENT, session })),
      agent: AGENT,
    };
    if (!agentScoped) {
      event.session = session;
      if (draft.run !== undefined) event.run = draft.run;
      event.seq = state.nextSeq;
      if (state.epoch > 0) event.epoch = state.epoch;
      if (draft.cause !== undefined) event.cause = draft.cause;
    }
    if (draft.severity !== undefined) event.severity = draft.severity;
    event.capture = level;
    if (level !== 'none') event.data = draft.data;
    return wireEvent(event as unknown as AepEvent);
  }

  #hold(session: string, state: SessionState): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, state);
    if (this.#sessions.size > this.#options.maxSessions) {
      for (const oldest of this.#sessions.keys()) return void this.#sessions.delete(oldest);
    }
  }
}

/** What the record of a call may tell in an Event of this type. */
function levelOf({ ceiling, ceilings }: HookRecord, type: string): 'none' | 'metadata' {
  const category = categoryOf(type);
  return (ceilings !== undefined && Object.hasOwn(ceilings, category) ? ceilings[category] : undefined) ?? ceiling;
}
