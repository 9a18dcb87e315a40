import type { Inbox } from '@aepkit/control';
import { epochOf, type AepEvent, type Severity, type WireEvent } from '@aepkit/envelope';

import { BoundedMap } from './bounded-set.js';
import { commandInbox, peerOf, type CommandHost } from './commands.js';
import { DeliveryLedger, FLUSH_GRACE_MS } from './delivery-ledger.js';
import type { AgentEmissionArguments, AgentType } from './emission.js';
import type { SessionMemory } from './epoch-store.js';
import { EmitterError } from './errors.js';
import { checkAgentType, draft, extensionsOf, ignoreThrow, make } from './event-maker.js';
import { EventQueue, keepOf } from './event-queue.js';
import { flushTimeout, type FlushOptions, type FlushOutcome } from './flush-outcome.js';
import { identifier } from './identifiers.js';
import { checkNames } from './known-names.js';
import { Losses, type LossReason } from './losses.js';
import { resolveOptions, type EmitterOptions, type EmitterSettings } from './options.js';
import { Sender } from './sender.js';
import { OwnedSession, type Session, type SessionAttributes, type SessionHost } from './session.js';
import { SessionState } from './session-state.js';
import type { SizedWire } from './wire-of.js';

/** What `emitter.session` takes besides a name. */
export interface SessionOptions extends SessionAttributes {
  /**
   * Events of this session from before, in order, where no store remembers them: their ends and open requests are taken in, their
   * source is kept, and an epoch at or below theirs is refused. They may be a stream; none is held.
   */
  readonly history?: Iterable<AepEvent> | AsyncIterable<AepEvent>;
}

/** What an emitter has done so far. */
export interface EmitterStats {
  readonly emitted: number;
  /** Delivered by the transport; what a spool has taken only when it is out of it. */
  readonly sent: number;
  /** On the disk of a spool, as in {@link FlushOutcome}. */
  readonly spooled: number;
  /** Waiting, those in flight included. */
  readonly queued: number;
  readonly queuedBytes: number;
  readonly failures: number;
  /** Sessions open. */
  readonly sessions: number;
  readonly lost: Readonly<Record<LossReason, number>>;
  readonly lostBySeverity: Readonly<Record<Severity, number>>;
}

/** What a producer of Events works with. `await using` closes it. */
export interface Emitter extends AsyncDisposable {
  /**
   * A session. Without a name a new one, named by a fresh id. By name one that goes on, with an epoch that it never had before; asked
   * for again while it is open, the same one.
   *
   * Rejects with {@link EmitterError} `unknown-name`, `no-epoch-memory`, `invalid-epoch`, `invalid-identifier`, `invalid-extension`,
   * `too-many-sessions`, `closed`, and with what the epoch store rejects with.
   */
  session(name?: string, options?: SessionOptions): Promise<Session>;
  /** Emits an Event about the agent as such: no session, no position (AEP-0001 §5.2). Throws like `session.emit`. */
  emitAgent<Type extends AgentType>(type: Type, ...emission: AgentEmissionArguments<Type>): string;
  /**
   * Sends what waits, without delay, then has a spool deliver what it holds, and waits for both up to a deadline. Where the other side does
   * not answer, what is on the disk stays there without a wait for the deadline. Never rejects over a transport: `trouble` says what it said.
   */
  flush(options?: FlushOptions): Promise<FlushOutcome>;
  /** Takes no more Events, flushes, closes transport and store. What is left in memory is lost. */
  close(options?: FlushOptions): Promise<FlushOutcome>;
  stats(): EmitterStats;
}

/**
 * Makes an emitter: it gives Events their ids, positions and labels, keeps them under the ceiling, and brings them to a transport in
 * batches. A transport that fails never reaches the program that emits.
 *
 * Throws RangeError, TypeError and {@link EmitterError} `invalid-identifier`, `unknown-name` for options that cannot be used.
 *
 * @example
 * const emitter = createEmitter({ agent: 'my-agent', transport: memoryTransport() });
 * const session = await emitter.session();
 * session.emit('run.started', { run: 'r1', data: { trigger: 'user' } });
 * await emitter.close();
 */
export function createEmitter(options: EmitterOptions): Emitter {
  return new QueuedEmitter(resolveOptions(options));
}

/** How long `close` waits for a transport or store that does not end, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;

class QueuedEmitter implements Emitter, SessionHost, CommandHost {
  readonly settings: EmitterSettings;
  readonly #queue: EventQueue;
  readonly #sender: Sender;
  readonly #losses: Losses;
  readonly #ledger: DeliveryLedger;
  /** Open ones, also while they are being opened, and those that have ended. */
  readonly #sessions = new Map<string, Promise<OwnedSession>>();
  readonly #ended = new Map<string, Promise<OwnedSession>>();
  /** Who counts what is dropped. */
  readonly #owners = new Map<string, OwnedSession>();
  /** Epochs given to names by this emitter. */
  readonly #epochs: BoundedMap<number>;
  readonly #inbox: Inbox | undefined;
  #agentDrops = 0;
  #agentTold = 0;
  #emitted = 0;
  #closing: Promise<FlushOutcome> | undefined;

  constructor(settings: EmitterSettings) {
    this.settings = settings;
    this.#queue = new EventQueue(settings);
    this.#losses = new Losses(settings.onLoss);
    this.#ledger = new DeliveryLedger(settings.transport);
    this.#epochs = new BoundedMap<number>(settings.maxSessions);
    this.#sender = new Sender(this.#queue, settings, {
      sent: (events) => {
        this.#ledger.taken(events);
      },
      lost: (reason, entries, error) => {
        this.#ledger.lost(error);
        for (const { wire } of entries) this.#lose(reason, wire, error);
      },
      failed: (failure) => {
        this.#ledger.failed(failure.error);
        ignoreThrow(() => settings.onError?.(failure));
      },
    });
    this.#inbox = commandInbox(settings, this);
    settings.transport.attach?.(peerOf(settings, this.#inbox));
  }

  // Up to the first `await` in `#open` in the turn of the call: two calls for one name get one session.
  async session(name?: string, options: SessionOptions = {}): Promise<Session> {
    if (this.isClosed()) throw new EmitterError('closed', 'the emitter was closed');
    checkNames('option of a session', options);
    const attributes = { ...options, extensions: extensionsOf(options.extensions) as NonNullable<SessionOptions['extensions']> };
    if (name !== undefined) {
      identifier('session', name);
      const known = this.#sessions.get(name) ?? this.#ended.get(name);
      if (known !== undefined) return known;
      if (this.settings.epochs === undefined) {
        throw new EmitterError('no-epoch-memory', 'a session by name needs epochs, without them every session is a new one', { path: '$.session' });
      }
    }
    const fresh = name ?? this.#freshName();
    const { maxSessions } = this.settings;
    if (this.#sessions.size >= maxSessions) throw new EmitterError('too-many-sessions', `more than ${maxSessions} sessions are open`);
    const opening = this.#open(fresh, attributes, name === undefined);
    this.#sessions.set(fresh, opening);
    opening.catch(() => {
      this.#sessions.delete(fresh);
    });
    return opening;
  }

  emitAgent<Type extends AgentType>(type: Type, ...[emission]: AgentEmissionArguments<Type>): string {
    if (this.isClosed()) throw new EmitterError('closed', 'the emitter was closed');
    const event = draft(type, emission, this.settings);
    checkAgentType(event.type);
    const told = this.#agentDrops;
    const made = make(event, { id: this.settings.createId(), source: this.settings.source(), drops: told === this.#agentTold ? undefined : told }, this.settings);
    if (this.offer(made)) this.#agentTold = told;
    else this.#agentDrops += 1;
    return made.wire.event.id;
  }

  async flush(options: FlushOptions = {}): Promise<FlushOutcome> {
    return this.#flush(flushTimeout(options));
  }

  // A time that is none closes nothing.
  async close(options: FlushOptions = {}): Promise<FlushOutcome> {
    this.#closing ??= this.#close(flushTimeout(options));
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  stats(): EmitterStats {
    return {
      emitted: this.#emitted,
      sent: this.#ledger.sent,
      spooled: this.#ledger.spooled,
      queued: this.#queue.count,
      queuedBytes: this.#queue.bytes,
      failures: this.#ledger.failures,
      sessions: this.#sessions.size,
      lost: this.#losses.byReason,
      lostBySeverity: this.#losses.bySeverity,
    };
  }

  isClosed(): boolean {
    return this.#closing !== undefined;
  }

  offer({ wire, bytes }: SizedWire): boolean {
    const dropped = this.#queue.offer(wire, bytes);
    if (dropped === undefined && this.settings.throwWhenFull && keepOf(wire) === 2) {
      throw new EmitterError('queue-full', 'the queue is full of Events that are never dropped');
    }
    this.#emitted += 1;
    if (dropped === undefined) {
      this.#losses.add('queue-full', wire.event);
      return false;
    }
    for (const entry of dropped) this.#lose('queue-full', entry.wire);
    this.#sender.wake();
    return true;
  }

  owned(session: string): OwnedSession | undefined {
    return this.#owners.get(session);
  }

  note(session: string, note: Parameters<SessionHost['note']>[1]): void {
    const { epochs, onTrouble } = this.settings;
    try {
      epochs?.note?.(session, note);
    } catch (error) {
      ignoreThrow(() => onTrouble?.({ type: 'memory', error }));
    }
  }

  ended(session: OwnedSession): void {
    const opening = this.#sessions.get(session.name);
    if (opening === undefined) return;
    this.#sessions.delete(session.name);
    this.#ended.set(session.name, opening);
    if (this.#ended.size > this.settings.maxSessions) {
      for (const oldest of this.#ended.keys()) {
        this.#ended.delete(oldest);
        this.#owners.delete(oldest);
        break;
      }
    }
  }

  released(session: OwnedSession): void {
    this.#sessions.delete(session.name);
    this.#ended.delete(session.name);
    this.#owners.delete(session.name);
  }

  /** A name is never given to a second session (AEP-0001 §5.2). */
  #freshName(): string {
    const name = identifier('session', this.settings.createId());
    if (this.#sessions.has(name) || this.#ended.has(name) || this.#epochs.get(name) !== undefined) {
      throw new EmitterError('invalid-identifier', 'createId gave an id that it had given before', { path: '$.session' });
    }
    return name;
  }

  async #open(name: string, options: SessionOptions, fresh: boolean): Promise<OwnedSession> {
    const { epochs, source, maxUnits, maxRequests, maxRequestUnits } = this.settings;
    const proposed = source(name);
    let used = this.#epochs.get(name) ?? -1;
    let before: string | undefined;
    const state = new SessionState({ maxUnits, maxRequests, maxRequestUnits, fresh });
    for await (const event of options.history ?? []) {
      if (event.session !== name || event.seq === undefined) continue;
      before = event.source;
      used = Math.max(used, epochOf(event));
      state.restore(event);
    }
    const memory: SessionMemory = epochs === undefined ? { epoch: 0 } : await epochs.open(name, before ?? proposed, used);
    state.remember(memory);
    const { epoch } = memory;
    if (!Number.isSafeInteger(epoch) || epoch <= used) throw new EmitterError('invalid-epoch', 'the epoch was used before, or is none', { path: '$.epoch' });
    if (this.isClosed()) throw new EmitterError('closed', 'the emitter was closed');
    this.#epochs.set(name, epoch);
    const session = new OwnedSession({ name, source: memory.source ?? before ?? proposed, epoch }, state, options, this);
    this.#owners.set(name, session);
    if (session.ended) this.ended(session);
    return session;
  }

  #lose(reason: LossReason, { event }: WireEvent, error?: unknown): void {
    this.#losses.add(reason, event, error);
    if (event.session === undefined) this.#agentDrops += 1;
    else this.#owners.get(event.session)?.dropped();
  }

  async #flush(timeoutMs: number): Promise<FlushOutcome> {
    const { transport, timers } = this.settings;
    const order = this.#queue.newest;
    const abort = new AbortController();
    let timer: unknown;
    const over = new Promise<void>((resolve) => {
      if (timeoutMs === Infinity || transport.flush === undefined) return;
      timer = timers.setTimeout(() => {
        abort.abort();
        timer = timers.setTimeout(resolve, FLUSH_GRACE_MS);
      }, timeoutMs);
    });
    await this.#sender.flush(order, timeoutMs);
    await Promise.race([this.#ledger.flush(abort.signal), over]);
    timers.clearTimeout(timer);
    const { oldest, count, bytes } = this.#queue;
    return this.#outcome(oldest === undefined || oldest > order, count, bytes);
  }

  #outcome(done: boolean, left: number, leftBytes: number): FlushOutcome {
    const { spooled } = this.#ledger;
    const trouble = this.#ledger.trouble(!done || spooled > 0);
    return { done, left, leftBytes, spooled, lost: this.#losses.total, ...(trouble === undefined ? {} : { trouble }) };
  }

  async #close(timeoutMs: number): Promise<FlushOutcome> {
    // Nothing can be acked any more: a retry finds whoever takes over.
    this.#inbox?.close();
    await this.#flush(timeoutMs);
    const { transport, epochs, timers } = this.settings;
    // Whatever hangs here is not waited for: the program wants to end.
    let timer: unknown;
    const enough = new Promise<void>((resolve) => {
      timer = timers.setTimeout(resolve, CLOSE_GRACE_MS);
    });
    const ending = [this.#sender.stop().then(() => transport.close?.()), Promise.resolve().then(() => epochs?.close?.())];
    await Promise.race([Promise.allSettled(ending), enough]);
    timers.clearTimeout(timer);
    const left = this.#queue.clear();
    for (const { wire } of left) this.#lose('closed', wire);
    this.#losses.tell();
    return this.#outcome(left.length === 0, left.length, left.reduce((sum, { bytes }) => sum + bytes, 0));
  }
}
