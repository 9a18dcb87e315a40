import { type AepEvent, type JsonObject, sourceUri, type WireEvent, wireEvent } from '@aepkit/envelope';

import { AGENT } from './agent.js';
import type { Draft } from './draft.js';
import { HookPayload } from './hook-payload.js';
import { mapHook } from './mapping.js';
import { type ClaudeCodeAdapterOptions, type ResolvedOptions, resolveOptions } from './options.js';
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
   * Maps one hook call, given as its JSON value. Gives no Event, one, or several, with their positions.
   *
   * @throws {@link AdapterError} `invalid-payload`; the state is then as before.
   */
  handle(payload: unknown): readonly WireEvent[] {
    const hook = new HookPayload(payload);
    const held = this.#sessions.get(hook.session);
    const session = held ?? new SessionState();
    const events: WireEvent[] = [];
    try {
      mapHook({
        hook,
        session,
        createId: this.#options.createId,
        emit: (draft) => {
          const wire = this.#mint(hook.session, session, draft);
          session.apply(wire.event);
          events.push(wire);
          return wire.event.id;
        },
      });
    } catch (error) {
      // Half a mapping must not stay: what was minted is not emitted, so its positions are given again.
      if (events.length > 0) this.#sessions.delete(hook.session);
      throw error;
    }
    this.#hold(hook.session, session);
    return events;
  }

  #mint(session: string, state: SessionState, draft: Draft): WireEvent {
    const { type } = draft;
    const agentScoped = type.startsWith('agent.');
    const level = this.#options.ceilingOf(type);
    const { host } = this.#options;
    const event: Record<string, JsonObject | string | number> = {
      aep: '0.1',
      id: this.#options.createId(),
      type,
      ...(draft.subject === undefined ? {} : { subject: draft.subject }),
      time: new Date(this.#options.now()).toISOString(),
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
