import { agreedHeartbeat, capabilitiesOf, heartbeatOf, memberOf, textOf } from './capabilities.js';
import { compileFilter } from './compile-filter.js';
import { DeliveryLane, isEvicted } from './delivery-lane.js';
import { effectiveMode, type DeliveryMode } from './delivery-mode.js';
import { FilterError } from './errors.js';
import type { StreamEntry, StreamPlace, StreamReader } from './event-stream.js';
import type { Filter } from './filter.js';
import { Heartbeat } from './heartbeat.js';
import type { Message } from './message.js';
import { openCursor } from './open-cursor.js';
import { deadLetter, replayReport, timeOf, type Outgoing } from './outgoing.js';
import type { ConnectionCore } from './connection-core.js';
import type { ProducerCore } from './producer-core.js';
import type { ActiveSubscription, SubscriptionFacts } from './producer-subscription.js';
import { refusalOf } from './request-refusal.js';
import { isFinal, nextSessionState, type SessionState, type SessionTrigger } from './session-state.js';
import { subscriptionId, wasIssued } from './subscription-id.js';
import { readWireError, wireError, type WireError } from './wire-error.js';

/** The last time that has a date. */
const LATEST_MS = 8.64e15;

/** What an answer needs of its request. */
type Request = Pick<Message, 'id' | 'source' | 'payload' | 'correlation_id'>;

/** One session at its producer: its state, its subscriptions, and what is still to be delivered into it (§3, §6, C2). */
export class ProducerSession {
  readonly id: string;
  readonly #core: ProducerCore;
  readonly #connection: ConnectionCore;
  readonly #subscriptions = new Map<string, ActiveSubscription>();
  readonly #lane: DeliveryLane;
  /** `source` of the peer, which our messages name as their target. */
  readonly #peer: string;
  #state: SessionState = 'created';
  #issued = 0;
  #opening = 0;
  /** What requests hold whose cursors are being opened. */
  #openingBytes = 0;
  #filterBytes = 0;
  #heartbeat: Heartbeat | undefined;

  constructor(core: ProducerCore, connection: ConnectionCore, id: string, peer: string) {
    this.id = id;
    this.#core = core;
    this.#connection = connection;
    this.#peer = peer;
    this.#lane = new DeliveryLane(core.settings, core.clock, {
      canSend: () => connection.canSend,
      deliver: (entry, mode) => connection.sendText(this.#encode(entry, mode)),
      redeliver: (entry, mode, attempt) => {
        this.#send({ type: 'event.redelivered', payload: { original_event_id: entry.message.id, attempt } });
        connection.sendText(this.#encode(entry, mode));
      },
      deadLetter: ({ entry: { message }, subscriptions, settled, attempts }, error = wireError('internal_error', 'not acknowledged in time')) => {
        for (const subscription of subscriptions) {
          if (settled.has(subscription)) continue;
          core.counts.deadLettered += 1;
          core.settings.onIncident({ type: 'dead-letter', sessionId: id, subscriptionId: subscription.id, message, attempts, error });
          this.#send(deadLetter(message.id, subscription.id, attempts, error));
        }
      },
      replayed: ({ id: subscriptionId, filter }, to, count) => this.#send(replayReport(subscriptionId, filter.fromCursor ?? '', to, count)),
      dropped: (message) => {
        core.counts.dropped += 1;
        core.settings.onIncident({ type: 'dropped', sessionId: id, message });
      },
      failed: (subscriptions, error) => this.#lost(subscriptions, error),
      subscriptions: () => this.#subscriptions.values(),
      visible: (message) => this.visible(message),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /** Bytes of the filters of its subscriptions, and of requests whose cursors are being opened. */
  get filterBytes(): number {
    return this.#filterBytes + this.#openingBytes;
  }

  facts(): SubscriptionFacts[] {
    return [...this.#subscriptions.values()].map((subscription) => ({
      sessionId: this.id,
      subscriptionId: subscription.id,
      filter: subscription.filter.source,
      mode: subscription.mode,
      expiresAt: subscription.expiresAt,
      lastSequence: subscription.lastSequence,
      acknowledgedCursor: subscription.acknowledgedCursor,
      pending: this.#lane.pendingOf(subscription),
    }));
  }

  visible(message: Message): boolean {
    const { visible } = this.#core.settings;
    return visible === undefined || visible(message, { identity: this.#connection.identity, sessionId: this.id });
  }

  offer(entry: StreamEntry, before: StreamPlace, subscriptions: readonly ActiveSubscription[]): void {
    if (!isFinal(this.#state)) this.#lane.offer(entry, before, subscriptions);
  }

  drained(): void {
    this.#lane.drained();
  }

  /** Something about its connection threw. */
  fail(error: unknown): void {
    this.#connection.fail(error);
  }

  /** `session.opened`: agrees and is ready at once (C2). */
  open(request: Message): void {
    this.#move('opened');
    const { settings, clock } = this.#core;
    const heartbeat = agreedHeartbeat(settings.heartbeatIntervalMs, heartbeatOf(request.payload));
    const { transport, replay } = this.#connection;
    const capabilities = { ...capabilitiesOf(transport, this.#modes(), replay, heartbeat) };
    this.#move('ready');
    this.#send({ type: 'session.ready', payload: { session_id: this.id, capabilities }, causation_id: request.id, correlation_id: request.correlation_id });
    // A transport may have closed while it took the answer.
    if (heartbeat === 0 || isFinal(this.#state)) return;
    this.#heartbeat = new Heartbeat(
      clock,
      heartbeat,
      () => this.#send({ type: 'session.heartbeat', payload: { session_id: this.id } }),
      () => {
        const error = { ...wireError('session_timeout', 'three heartbeats are missing') };
        this.end('error', { type: 'session.error', payload: { session_id: this.id, error } });
      },
    );
  }

  /** A message of the peer in this session, which is not over. */
  receive(message: Message): void {
    this.#heartbeat?.heard();
    const { type, payload } = message;
    switch (type) {
      case 'session.ready':
        if (textOf(payload, 'session_id') !== this.id || typeof memberOf(payload, 'capabilities') !== 'object') {
          this.#connection.refuse(message, wireError('invalid_envelope', 'session.ready carries session_id and capabilities'));
        }
        return;
      case 'session.heartbeat':
        return;
      case 'session.closed':
        this.end('closed');
        return;
      case 'session.error':
        this.end('error');
        return;
      case 'capabilities.requested':
        this.#send({
          type: 'capabilities.declared',
          payload: { ...capabilitiesOf(this.#connection.transport, this.#modes(), this.#connection.replay, this.#core.settings.heartbeatIntervalMs) },
          causation_id: message.id,
        });
        return;
      case 'subscription.requested':
        this.#request(message);
        return;
      case 'subscription.cancelled':
        this.#cancel(message);
        return;
      case 'event.acknowledged':
      case 'event.rejected': {
        const id = textOf(payload, 'acknowledged_event_id');
        if (id === undefined) this.#core.counts.ignored += 1;
        else if (type === 'event.acknowledged') this.#lane.acknowledge(id);
        else this.#lane.reject(id, readWireError(memberOf(payload, 'error')));
        return;
      }
      default:
        this.#connection.refuse(message, wireError('protocol_error', `${type} is not for a producer`));
    }
  }

  /** The session is over, and its subscriptions with it, without a message for each (§6, S-O31, S-O32). */
  end(trigger: SessionTrigger, last?: Outgoing): void {
    if (isFinal(this.#state)) return;
    this.#move(trigger);
    this.#heartbeat?.stop();
    this.#lane.close();
    for (const subscription of [...this.#subscriptions.values()]) this.#end(subscription);
    if (last !== undefined) this.#send(last);
  }

  #move(trigger: SessionTrigger): void {
    this.#state = nextSessionState(this.#state, trigger) ?? this.#state;
  }

  #modes(): readonly DeliveryMode[] {
    const { modes } = this.#core.settings;
    return this.#connection.replay ? modes : modes.filter((mode) => mode !== 'replayable');
  }

  #encode(entry: StreamEntry, mode: DeliveryMode): string {
    return this.#core.encoder.encode(entry, mode, this.#connection.replay && entry.held);
  }

  #send(outgoing: Outgoing): void {
    this.#connection.send({ target: this.#peer, session_id: this.id, ...outgoing });
  }

  #request(request: Message): void {
    let filter: Filter;
    try {
      filter = compileFilter(request.payload, this.#core.settings);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      const { code, path, detail } = error;
      // What is too large to look at is too large to send back.
      const echo = code === 'too-large' || code === 'too-deep' ? {} : { filter: request.payload };
      this.#reject(request, wireError('subscription_rejected', detail, { reason: code, path }), echo);
      return;
    }
    const refusal = refusalOf(filter, this.#core, this.#connection, { id: this.id, count: this.#subscriptions.size + this.#opening });
    if (refusal !== undefined) {
      this.#reject(request, refusal, { filter: request.payload });
      return;
    }
    if (filter.fromCursor === undefined) {
      this.#create(request, filter, []);
      return;
    }
    this.#openCursor(request, filter, filter.fromCursor);
  }

  #openCursor({ id, source, correlation_id, payload }: Message, filter: Filter, cursor: string): void {
    const echo = { filter: payload };
    // Not the whole message, which may hold much that nobody counts.
    const request: Request = { id, source, payload, ...(correlation_id === undefined ? {} : { correlation_id }) };
    const bytes = filter.bytes + id.length + source.length + (correlation_id?.length ?? 0);
    openCursor(this.#core.settings.stream, cursor, {
      // The session may be over by now, and its subscriptions with it.
      wanted: () => this.#state === 'ready',
      waiting: (count) => {
        this.#opening += count;
        this.#openingBytes += count * bytes;
        this.#core.opening.count += count;
      },
      opened: (readers) => this.#create(request, filter, readers),
      missing: () => this.#reject(request, wireError('subscription_rejected', 'cursor not available', { reason: 'cursor not available' }), echo),
      failed: () => this.#reject(request, wireError('internal_error', 'the stream cannot be read'), echo),
    });
  }

  #create(request: Request, filter: Filter, readers: readonly StreamReader[]): void {
    const { settings, clock, index } = this.#core;
    this.#issued += 1;
    const now = settings.now();
    const subscription: ActiveSubscription = {
      id: subscriptionId(this.#issued),
      filter,
      mode: effectiveMode(filter.mode, this.#modes()),
      session: this,
      expiresAt: now + settings.lifetimeMs > LATEST_MS ? Infinity : now + settings.lifetimeMs,
      from: settings.stream.head().order,
      catchingUp: readers.length > 0,
      live: true,
      indexed: undefined,
      expiry: undefined,
      lastSequence: undefined,
      acknowledgedCursor: undefined,
    };
    this.#subscriptions.set(subscription.id, subscription);
    this.#filterBytes += filter.bytes;
    subscription.expiry = clock.at(subscription.expiresAt === Infinity ? Infinity : clock.now() + settings.lifetimeMs, () => this.#expire(subscription));
    const { id, mode, expiresAt } = subscription;
    this.#answer(request, 'subscription.created', {
      subscription_id: id,
      filter: request.payload,
      created_at: timeOf(now),
      expires_at: expiresAt === Infinity ? null : timeOf(expiresAt),
      delivery_mode: mode,
      // Where live delivery starts, so that a consumer that has got nothing yet can come back to it.
      ...(this.#connection.replay && readers.length === 0 ? { cursor: settings.stream.head().cursor } : {}),
    });
    // A transport in the same process may have brought the cancellation already.
    if (!subscription.live) {
      readers.forEach((reader) => reader.close());
      return;
    }
    // Behind the answer: no event is delivered for a subscription that its consumer does not know of (§3).
    subscription.from = Math.max(subscription.from, readers.at(-1)?.upTo.order ?? 0);
    subscription.indexed = index.add(filter, subscription);
    if (readers.length > 0) this.#lane.replay(subscription, readers);
  }

  #reject(request: Request, error: WireError, echo: { readonly filter?: Message['payload'] }): void {
    this.#answer(request, 'subscription.rejected', { ...echo, error: { ...error } });
  }

  #answer(request: Request, type: string, payload: Exclude<Outgoing['payload'], string | number | boolean | null>): void {
    this.#send({ type, payload, target: request.source, causation_id: request.id, correlation_id: request.correlation_id });
  }

  #cancel(request: Message): void {
    const id = textOf(request.payload, 'subscription_id');
    const subscription = id === undefined ? undefined : this.#subscriptions.get(id);
    if (subscription !== undefined) {
      this.#end(subscription);
      this.#answer(request, 'subscription.cancelled', { subscription_id: subscription.id });
      return;
    }
    // One that has ended crosses with its end and is harmless; any other was never issued in this session (S-O22).
    if (id === undefined || !wasIssued(id, this.#issued)) {
      this.#connection.refuse(request, wireError('subscription_error', 'no such subscription in this session'));
    }
  }

  #expire(subscription: ActiveSubscription, reason?: string): void {
    this.#end(subscription);
    this.#send({
      type: 'subscription.expired',
      payload: { subscription_id: subscription.id, ...(reason === undefined ? {} : { reason }) },
    });
  }

  #end(subscription: ActiveSubscription): void {
    const { clock, index } = this.#core;
    subscription.live = false;
    this.#subscriptions.delete(subscription.id);
    this.#filterBytes -= subscription.filter.bytes;
    clock.cancel(subscription.expiry);
    if (subscription.indexed !== undefined) index.delete(subscription.indexed);
    this.#lane.forget(subscription);
  }

  /** A gap is never silent: what cannot be delivered in order ends the subscription, and the consumer asks anew (S-O18). */
  #lost(subscriptions: readonly ActiveSubscription[], error: unknown): void {
    const { onIncident } = this.#core.settings;
    const evicted = isEvicted(error);
    if (!evicted) onIncident({ type: 'stream-failed', sessionId: this.id, error });
    for (const subscription of subscriptions) {
      // A transport in the same process may have ended it when it was told of the one before.
      if (!subscription.live) continue;
      if (evicted) onIncident({ type: 'events-lost', sessionId: this.id, subscriptionId: subscription.id });
      this.#expire(subscription, evicted ? 'events_lost' : 'stream_failed');
    }
  }
}
