import type { AepEvent, Capture, JsonObject, Severity, WireEvent } from '@aepkit/envelope';

import type { HookRecord } from './hook-record.js';
import type { OpenRequest } from './session-state.js';

/** That a call can be held until somebody answers it. */
export interface Question {
  readonly kind: 'permission';
  /** Ids of the options of its request. */
  readonly options: readonly string[];
}

/** What somebody decided about a call that was held. */
export interface Decision {
  readonly behavior: 'allow' | 'deny';
  /** Told to the agent when it is denied. */
  readonly message?: string | undefined;
}

/** How a call is read. */
export interface ReadOptions {
  /** The ULID of this call: its Events get the same ids however often it is placed. */
  readonly key?: string | undefined;
  /** Whether somebody waits for an answer, so that its request can be answered through control (AEP-0008). */
  readonly held?: boolean | undefined;
  /** Until when, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
  /** The most that is told of this call, where that is less than the adapter's own ceilings allow. */
  readonly ceiling?: Capture | undefined;
}

/** An Event of a session that comes from somewhere else than a hook. */
export interface EventDraft {
  readonly type: string;
  readonly id?: string | undefined;
  readonly subject?: string | undefined;
  readonly run?: string | undefined;
  readonly cause?: string | undefined;
  readonly severity?: Severity | undefined;
  /** What `metadata` may show. */
  readonly data?: JsonObject | undefined;
  /** What `redacted` shows beyond it, before the pipeline. */
  readonly text?: JsonObject | undefined;
}

/**
 * Turns the hook calls of one agent into Events (AEP-0002 Annex A, AEP-0003 §9).
 *
 * It holds the position and the open units of each session. That state is a fold over the Events it made, so that
 * {@link restore} continues a session after a restart; {@link knows} tells whether a session has to be restored first.
 */
export interface HookAdapter {
  readonly agent: string;
  /** Types of the Events that a session is restored from, beside its last one. */
  readonly stateTypes: readonly string[];
  /** The session a payload belongs to. @throws {@link AdapterError} `invalid-payload`. */
  sessionOf(payload: unknown): string;
  /** Whether the state of a session is held. */
  knows(session: string): boolean;
  /**
   * Rebuilds the state of a session from its own Events, those of one source, in order of position. They are taken in one at a
   * time and none is held. All of them do, and so do those of {@link stateTypes} followed by the last of any type. Events of
   * other agents are skipped.
   *
   * The state is there when the promise is fulfilled: until then no hook of this session may be handled. When `events` fails,
   * the promise rejects with its error and the state is as before.
   */
  restore(session: string, events: Iterable<AepEvent> | AsyncIterable<AepEvent>): Promise<void>;
  /** Forgets a session. Use it when Events of it could not be kept; then restore. */
  forget(session: string): void;
  /**
   * Reads one hook call, given as its JSON value, at the ceiling: pure, whatever the state of the session. The record can be stored and
   * sent; {@link place} makes Events of it.
   *
   * @throws {@link AdapterError} `invalid-payload`, `invalid-key`.
   */
  read(payload: unknown, options?: ReadOptions): HookRecord;
  /**
   * Makes the Events of a record, with their positions: none, one, or several. A record is input, so it is checked; of its ceiling and
   * the adapter's the lower one holds.
   *
   * @throws {@link AdapterError} `invalid-record`; the state is then as before.
   */
  place(record: unknown): readonly WireEvent[];
  /** {@link place} of {@link read}. */
  handle(payload: unknown, options?: ReadOptions): readonly WireEvent[];
  /**
   * What the first Event of a record with a key is known by, wherever it was kept: whoever has an Event of one of these has had the call.
   * The session has to be known or new.
   */
  identities(record: HookRecord): readonly { readonly source: string; readonly id: string }[];
  /**
   * Makes an Event of a session at its next position and takes it into the state: acks, and what becomes of a call that was held.
   *
   * @throws {@link AdapterError} `unknown-session`; EnvelopeError where the draft makes no Event.
   */
  mint(session: string, draft: EventDraft): WireEvent;
  /** The open requests of a session. */
  requests(session: string): readonly OpenRequest[];
  /** What a call asks, where it can be held. @throws {@link AdapterError} `invalid-payload`. */
  question(payload: unknown): Question | undefined;
  /** What the hook prints for the agent. @throws {@link AdapterError} `invalid-payload` for a call that asks nothing. */
  reply(payload: unknown, decision: Decision): string;
}
