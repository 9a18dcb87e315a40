import type { PayloadOf } from '@aepkit/taxonomy';

import { checkAnswered } from './check-answered.js';
import type { EmissionArguments, EmissionAttributes, SessionType, VendorType } from './emission.js';
import type { RequestMemory, SessionNote } from './epoch-store.js';
import { EmitterError } from './errors.js';
import { checkSessionType, draft, make, readEmission, type AnyEmission, type Draft } from './event-maker.js';
import type { EmitterSettings } from './options.js';
import { RUN_ENDS, type OpenCall, type SessionState } from './session-state.js';
import type { SizedWire } from './wire-of.js';

/** Type of the mark on a call of a tool that has no end when its run or session ends, or when too many are open. */
export const UNFINISHED_TYPE = 'x.aepkit.tool.unfinished';

/** Attributes that every Event of a session gets where it has none of its own. */
export type SessionAttributes = Pick<EmissionAttributes, 'extensions' | 'traceparent'>;

/** How `session.end` ends a session. */
export type SessionEnd = EmissionAttributes & {
  readonly data?: PayloadOf<'session.ended'>;
  /** How requests for attention that are still open are closed. Default `attention.resolved`, dismissed. */
  readonly requests?: 'dismissed' | 'timeout';
};

/** One session of an emitter, which owns its positions (AEP-0001 §5.2). */
export interface Session {
  readonly name: string;
  readonly source: string;
  readonly epoch: number;
  /** Whether `session.ended` was emitted, in this process or before. */
  readonly ended: boolean;
  /** Ids of the requests for attention that have no terminal, oldest first. */
  readonly openRequests: readonly string[];
  /**
   * Emits an Event and gives its id. It is in the queue when this returns, with its position; nothing was sent and no position used
   * when this throws {@link EmitterError}, which it never does over a transport.
   *
   * `session.ended` closes open requests first, as `end` does.
   *
   * @example
   * const call = session.emit('tool.requested', { run, data: { tool: { name: 'Bash', call_id: 'c1' }, args } });
   */
  emit<Type extends SessionType | VendorType>(type: Type, ...emission: EmissionArguments<Type>): string;
  /** Closes what is open, marks calls of tools without an end, emits `session.ended` and gives its id (AEP-0002 §7.2). */
  end(emission?: SessionEnd): string;
  /** Lets go of the session without an end: it may go on elsewhere. `emit` throws `closed` from here on. */
  release(): void;
}

/** What a session needs of its emitter. */
export interface SessionHost {
  readonly settings: EmitterSettings;
  isClosed(): boolean;
  /** Puts an Event into the queue; false where it is lost. Throws `queue-full` where that is wanted. */
  offer(event: SizedWire): boolean;
  note(session: string, note: SessionNote): void;
  ended(session: OwnedSession): void;
  released(session: OwnedSession): void;
}

/** The {@link Session} an emitter hands out. */
export class OwnedSession implements Session {
  readonly name: string;
  readonly source: string;
  readonly epoch: number;
  readonly #host: SessionHost;
  readonly #state: SessionState;
  readonly #attributes: SessionAttributes;
  #nextSeq = 0;
  #released = false;
  /** Dropped so far, and how many of them an Event has told of. */
  #drops = 0;
  #told = 0;

  constructor(place: { readonly name: string; readonly source: string; readonly epoch: number }, state: SessionState, attributes: SessionAttributes, host: SessionHost) {
    this.name = place.name;
    this.source = place.source;
    this.epoch = place.epoch;
    this.#state = state;
    this.#attributes = attributes;
    this.#host = host;
  }

  get ended(): boolean {
    return this.#state.ended;
  }

  get openRequests(): readonly string[] {
    return this.#state.openRequests();
  }

  /** An open request, by the id of its `attention.requested`. */
  request(id: string | undefined): RequestMemory | undefined {
    return this.#state.request(id);
  }

  /** Whether a run is over, or surely none of this session. */
  lacksRun(run: string): boolean {
    return this.#state.lacksRun(run);
  }

  emit<Type extends SessionType | VendorType>(type: Type, ...[emission]: EmissionArguments<Type>): string {
    return type === 'session.ended' ? this.end(emission as SessionEnd | undefined) : this.emitAny(type, emission);
  }

  /** `emit` for what was not typed. */
  emitAny(type: unknown, emission: AnyEmission | undefined): string {
    const draft = this.#draft(type, emission);
    if (RUN_ENDS.has(draft.type) && this.#state.openCalls(draft.run).length > 0) {
      // All that can be refused is refused before the first call is marked.
      this.#make(draft);
      for (const call of this.#state.openCalls(draft.run)) this.#mark(call, draft.time);
    }
    const id = this.#send(draft);
    const overdue = this.#state.ended ? undefined : this.#state.overdueCall();
    if (overdue !== undefined) this.#mark(overdue, draft.time);
    return id;
  }

  end(emission?: SessionEnd): string {
    const { requests = 'dismissed', ...rest } = readEmission(emission) as SessionEnd;
    const ending = this.#draft('session.ended', rest);
    // All that can be refused is refused before the first request is closed.
    this.#state.check(ending, false);
    this.#make(ending);
    for (const subject of this.#state.openRequests()) {
      const closing: AnyEmission = { subject, time: ending.time, ...(requests === 'timeout' ? {} : { data: { resolution: 'dismissed' } }) };
      this.emitAny(requests === 'timeout' ? 'attention.timeout' : 'attention.resolved', closing);
    }
    for (const call of this.#state.openCalls()) this.#mark(call, ending.time);
    return this.#send(ending);
  }

  /** Says of a call that no end of it was seen. How it ended is not known, so nothing is claimed about that, and a late end is taken. */
  #mark(call: OpenCall, time: string): void {
    const { id, name, callId, subject, run } = call;
    this.#state.marked(call);
    const data = { tool: { name, ...(callId === undefined ? {} : { call_id: callId }) }, inferred: true };
    this.#send(this.#draft(UNFINISHED_TYPE, { cause: id, time, data, ...(subject === undefined ? {} : { subject }), ...(run === undefined ? {} : { run }) }));
  }

  /** Makes the ack of a command, with the next position; `offerAck` brings it on its way, each time it is wanted. */
  makeAck(type: 'control.accepted' | 'control.rejected', emission: AnyEmission): SizedWire {
    // Not refused where the id was acked before: the same id of another source is another command (AEP-0004 §2.3).
    const event = this.#draft(type, emission, false);
    const made = this.#make(event);
    this.#nextSeq += 1;
    this.#told = this.#drops;
    this.#state.apply({ ...event, id: made.wire.event.id, data: event.original });
    return made;
  }

  offerAck(ack: SizedWire): void {
    if (!this.#host.offer(ack)) this.#drops += 1;
  }

  release(): void {
    this.#released = true;
    this.#host.released(this);
  }

  /** An Event of this session was dropped. */
  dropped(): void {
    this.#drops += 1;
  }

  #draft(type: unknown, emission: AnyEmission | undefined, check = true): Draft {
    if (this.#released || this.#host.isClosed()) throw new EmitterError('closed', 'the emitter was closed, or the session released');
    const result = draft(type, emission, this.#host.settings);
    checkSessionType(result.type);
    if (check) this.#state.check({ ...result, data: result.original }, emission?.late === true);
    const { extensions, traceparent } = this.#attributes;
    return {
      ...result,
      cause: result.cause ?? this.#state.causeOf({ ...result, data: result.original }),
      traceparent: result.traceparent ?? traceparent,
      extensions: { ...extensions, ...result.extensions },
    };
  }

  #make(event: Draft): SizedWire {
    const { settings } = this.#host;
    const request = event.type === 'attention.answered' ? this.#state.request(event.subject) : undefined;
    const made = make(
      event,
      {
        id: settings.createId(),
        source: this.source,
        session: this.name,
        seq: this.#nextSeq,
        epoch: this.epoch,
        fields: request?.fields,
        drops: this.#drops === this.#told ? undefined : this.#drops,
      },
      settings,
    );
    if (request !== undefined) checkAnswered(made.wire.event, request);
    return made;
  }

  #send(event: Draft): string {
    const made = this.#make(event);
    const { id } = made.wire.event;
    const told = this.#drops;
    const kept = this.#host.offer(made);
    this.#nextSeq += 1;
    if (kept) this.#told = told;
    else this.#drops += 1;
    // An answer is held against what consumers were shown; where that is nothing, against what there was to show.
    const data = event.type === 'attention.requested' ? (made.wire.event.data ?? event.original) : event.original;
    const note = this.#state.apply({ ...event, id, data });
    if (note !== undefined) this.#host.note(this.name, note);
    if (note?.type === 'ended') this.#host.ended(this);
    return id;
  }
}
