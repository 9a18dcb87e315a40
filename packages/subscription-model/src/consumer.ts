import { agreedHeartbeat, heartbeatOf, memberOf, textOf } from './capabilities.js';
import { Clock } from './clock.js';
import { compileFilter } from './compile-filter.js';
import type { EventItem } from './consumer-item.js';
import { resolveConsumerOptions, type ConsumerOptions, type ConsumerSettings } from './consumer-options.js';
import { TrackedSubscription, type ConsumerSubscription } from './consumer-subscription.js';
import { deliveryReport } from './delivery-report.js';
import { isControlType } from './control-type.js';
import { isDeliveryMode } from './delivery-mode.js';
import { ConsumerError, MessageError } from './errors.js';
import { EventIntake } from './event-intake.js';
import type { FilterSource } from './filter-source.js';
import { Heartbeat } from './heartbeat.js';
import { MESSAGE_VERSION, type Message } from './message.js';
import { acknowledgement, messageMaker, refusal, type Outgoing } from './outgoing.js';
import { parseMessage } from './parse-message.js';
import { isFinal, nextSessionState, type SessionState } from './session-state.js';
import { SubscriptionRoster } from './subscription-roster.js';
import { readWireError, wireError, type WireError } from './wire-error.js';

/**
 * The consumer's side of the subscription model: one session after the other, its subscriptions, duplicates, acknowledgements and
 * cursors (§3 to §5, C2 to C6). No I/O: a transport calls {@link SubscriptionConsumer.receive} and gets texts through `send`.
 *
 * Throws RangeError and TypeError for options that cannot be used.
 *
 * @example
 * const consumer = new SubscriptionConsumer({ source: 'agent:researcher', send: (text) => socket.send(text), onItem });
 * consumer.open();
 * const memory = consumer.subscribe({ types: 'memory.*', delivery_mode: 'replayable' });
 * function onItem(item: ConsumerItem) {
 *   if (item.type === 'event') store(item.message).then(() => consumer.processed(item));
 * }
 */
export class SubscriptionConsumer {
  readonly #settings: ConsumerSettings;
  readonly #clock: Clock;
  readonly #make: (outgoing: Outgoing) => Message;
  readonly #intake: EventIntake;
  readonly #subscriptions = new SubscriptionRoster();
  #state: SessionState = 'closed';
  #sessionId: string | undefined;
  #heartbeat: Heartbeat | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ConsumerOptions) {
    this.#settings = resolveConsumerOptions(options);
    this.#clock = new Clock(this.#settings.now, this.#settings.timers);
    this.#make = messageMaker(this.#settings.source, this.#settings.createId, this.#settings.now);
    this.#intake = new EventIntake(this.#subscriptions, this.#settings);
  }

  /** Where the session stands; `closed` before the first one. */
  get state(): SessionState {
    return this.#state;
  }

  /** Id of the session, the last one where there is none. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Subscriptions that are not over for good. */
  get subscriptions(): readonly ConsumerSubscription[] {
    return [...this.#subscriptions];
  }

  /**
   * Opens a session (C2). When the producer is ready, everything that is subscribed is asked for, and what was asked for in an earlier
   * session again, from its cursor (C6). Throws {@link ConsumerError} `already-open`.
   */
  open(): void {
    if (!isFinal(this.#state)) throw new ConsumerError('already-open', 'the session is still there');
    const { createId, heartbeatIntervalMs } = this.#settings;
    this.#sessionId = `sess_${createId()}`;
    this.#state = 'opened';
    const capabilities = heartbeatIntervalMs > 0 ? { capabilities: { heartbeat_interval_ms: heartbeatIntervalMs } } : {};
    this.#send({ type: 'session.opened', payload: { session_id: this.#sessionId, version: MESSAGE_VERSION, ...capabilities } });
  }

  /**
   * Asks for a subscription, now or as soon as the session is ready. To go on after a restart, give the cursor that was kept as
   * `from_cursor`. Throws `FilterError` for what the producer would refuse.
   */
  subscribe(filter: FilterSource): ConsumerSubscription {
    const subscription = new TrackedSubscription(compileFilter(filter), this.#settings.maxRemembered);
    this.#subscriptions.add(subscription);
    if (this.#state === 'ready') this.#request(subscription);
    return subscription;
  }

  /** Cancels (§3.4). Events that are under way come as `late`. Throws {@link ConsumerError} `unknown-subscription`. */
  cancel(handle: ConsumerSubscription): void {
    const subscription = this.#subscriptions.find((one) => one === handle);
    if (subscription === undefined) throw new ConsumerError('unknown-subscription', 'it is over, or of another consumer');
    const { state } = subscription;
    subscription.state = 'cancelled';
    // One that has no id yet stays known, and is cancelled when its id comes.
    if (state === 'requested' || state === 'cancelled') return;
    if (state === 'active') this.#sendCancel(subscription);
    else this.#subscriptions.delete(subscription);
  }

  /** An event is processed: acknowledges it where its mode asks for it (C4), and moves the cursors. */
  processed({ message, mode }: EventItem): void {
    if (mode === 'best_effort') return;
    this.#intake.processed(message.id);
    this.#acknowledge(message);
  }

  /**
   * An event cannot be processed: tells the producer, who delivers it again where the error is retryable (C4, C5). It stays ahead of
   * the cursor until it is processed or given up.
   */
  reject({ message, mode }: EventItem, error: WireError): void {
    if (mode === 'best_effort') return;
    this.#intake.refused(message.id);
    this.#refuse(message.id, error);
  }

  /** Takes one message of the producer. What is wrong with it is answered and told, never thrown. */
  receive(input: string | Uint8Array | { readonly bad: string }): void {
    this.#clock.catchUp();
    if (typeof input === 'object' && 'bad' in input) {
      this.#settings.onItem({ type: 'bad', error: undefined, detail: input.bad });
      return;
    }
    let message: Message;
    try {
      message = parseMessage(input, this.#settings);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      const { id, type } = error.facts;
      // Answering a refusal with a refusal would never end.
      if (type?.startsWith('event.') !== true) this.#refuse(id, wireError(error.wireCode, error.message, { reason: error.code }));
      this.#settings.onItem({ type: 'bad', error, detail: error.message });
      return;
    }
    this.#heartbeat?.heard();
    // Events may name the session they arose in, which need not be ours (S-O27).
    if (!isControlType(message.type)) this.#event(message, input);
    else if (message.session_id !== undefined && message.session_id !== this.#sessionId) this.#settings.onItem({ type: 'ignored', message });
    else if (!this.#control(message)) this.#settings.onItem({ type: 'ignored', message });
  }

  /** Settles when the session is over. */
  whenOver(): Promise<void> {
    return new Promise((resolve) => {
      if (isFinal(this.#state)) resolve();
      else this.#waiting.push(resolve);
    });
  }

  /** The transport is gone. The next `open` goes on where this session was. */
  disconnected(): void {
    this.#over('disconnected', undefined, undefined);
  }

  /** Closes the session (C2), and with it every subscription (§6). */
  close(reason = 'done'): void {
    if (isFinal(this.#state)) return;
    this.#send({ type: 'session.closed', payload: { session_id: this.#sessionId ?? '', reason } });
    this.#over('closed', reason, undefined);
  }

  #event(message: Message, input: string | Uint8Array): void {
    const { item, acknowledge } = this.#intake.take(message, input);
    if (acknowledge) this.#acknowledge(message);
    this.#settings.onItem(item);
  }

  /** Gives whether the message has a place here and now. */
  #control(message: Message): boolean {
    const { payload } = message;
    const { onItem } = this.#settings;
    switch (message.type) {
      case 'session.ready':
        return this.#ready(payload);
      case 'session.heartbeat':
        return true;
      case 'session.closed':
        return this.#over('closed', textOf(payload, 'reason'), undefined);
      case 'session.error':
        return this.#over('error', undefined, readWireError(memberOf(payload, 'error')));
      case 'subscription.created':
        return this.#created(message);
      case 'subscription.rejected':
        return this.#rejected(this.#subscriptions.requested(message), readWireError(memberOf(payload, 'error')));
      case 'subscription.cancelled':
      case 'subscription.expired':
        return this.#ended(message);
      case 'event.replayed':
      case 'event.redelivered':
        onItem(deliveryReport(message));
        return true;
      case 'event.dead_lettered': {
        const eventId = textOf(payload, 'original_event_id') ?? '';
        const subscription = this.#subscriptions.withId(textOf(payload, 'subscription_id'));
        subscription?.settled(eventId);
        onItem({ type: 'dead-letter', eventId, subscription, error: readWireError(memberOf(payload, 'error')) });
        return true;
      }
      case 'event.rejected': {
        const messageId = textOf(payload, 'acknowledged_event_id');
        const error = readWireError(memberOf(payload, 'error'));
        const request = this.#subscriptions.find((one) => one.requestId === messageId && one.state === 'requested');
        if (!this.#rejected(request, error)) onItem({ type: 'refused', messageId, error });
        return true;
      }
      default:
        return false;
    }
  }

  #ready(payload: Message['payload']): boolean {
    if (textOf(payload, 'session_id') !== this.#sessionId || nextSessionState(this.#state, 'ready') === undefined) return false;
    this.#state = 'ready';
    const heartbeat = agreedHeartbeat(this.#settings.heartbeatIntervalMs, heartbeatOf(payload));
    if (heartbeat > 0) {
      const sessionId = this.#sessionId ?? '';
      this.#heartbeat = new Heartbeat(
        this.#clock,
        heartbeat,
        () => this.#send({ type: 'session.heartbeat', payload: { session_id: sessionId } }),
        () => this.#over('error', undefined, wireError('session_timeout', 'three heartbeats are missing')),
      );
    }
    this.#settings.onItem({
      type: 'ready',
      sessionId: this.#sessionId ?? '',
      capabilities: (memberOf(payload, 'capabilities') as Message['payload'] | undefined) ?? null,
    });
    for (const subscription of this.#subscriptions) {
      if (subscription.state === 'waiting' || subscription.state === 'ended') this.#request(subscription);
    }
    return true;
  }

  #request(subscription: TrackedSubscription): void {
    if (this.#state !== 'ready') return;
    const { cursor, filter } = subscription;
    subscription.resumed = subscription.state === 'ended';
    subscription.gap = subscription.established && cursor === undefined;
    subscription.state = 'requested';
    const payload = { ...filter.source, ...(cursor === undefined ? {} : { from_cursor: cursor }) } as Message['payload'];
    // Noted first: a transport in the same process answers before the call is over.
    this.#send({ type: 'subscription.requested', payload }, (id) => (subscription.requestId = id));
  }

  #created(message: Message): boolean {
    const { payload } = message;
    const subscription = this.#subscriptions.requested(message);
    const id = textOf(payload, 'subscription_id');
    if (subscription === undefined || id === undefined) return false;
    subscription.id = id;
    if (subscription.state === 'cancelled') this.#sendCancel(subscription);
    if (subscription.state !== 'requested') return true;
    subscription.state = 'active';
    subscription.established = true;
    const mode = memberOf(payload, 'delivery_mode');
    subscription.mode = isDeliveryMode(mode) ? mode : undefined;
    subscription.startAt(textOf(payload, 'cursor'));
    this.#settings.onItem({ type: 'created', subscription, resumed: subscription.resumed, gap: subscription.gap });
    return true;
  }

  #rejected(subscription: TrackedSubscription | undefined, error: WireError): boolean {
    if (subscription === undefined) return false;
    this.#finish(subscription, 'rejected');
    this.#settings.onItem({ type: 'rejected', subscription, error, resumed: subscription.resumed });
    return true;
  }

  /** `subscription.cancelled` and `subscription.expired` of the producer. */
  #ended({ type, payload }: Message): boolean {
    const subscription = this.#subscriptions.withId(textOf(payload, 'subscription_id'));
    if (subscription === undefined) return false;
    if (type === 'subscription.cancelled') {
      this.#finish(subscription, 'cancelled');
      this.#settings.onItem({ type: 'cancelled', subscription });
    } else {
      this.#finish(subscription, 'expired');
      this.#settings.onItem({ type: 'expired', subscription, reason: textOf(payload, 'reason') });
    }
    return true;
  }

  #finish(subscription: TrackedSubscription, state: 'rejected' | 'cancelled' | 'expired'): void {
    if (!subscription.isFinal) subscription.state = state;
    this.#subscriptions.delete(subscription);
  }

  #over(trigger: 'closed' | 'disconnected' | 'error', reason: string | undefined, error: WireError | undefined): true {
    const state = nextSessionState(this.#state, trigger);
    if (state !== 'closed' && state !== 'error') return true;
    this.#state = state;
    this.#heartbeat?.stop();
    this.#heartbeat = undefined;
    this.#subscriptions.endSession();
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#settings.onItem({ type: 'session-ended', state, reason, error });
    return true;
  }

  #sendCancel({ id }: ConsumerSubscription): void {
    this.#send({ type: 'subscription.cancelled', payload: { subscription_id: id ?? '' } });
  }

  #acknowledge({ id, delivery }: Message): void {
    this.#send(acknowledgement(id, delivery?.cursor));
  }

  #refuse(id: string | undefined, error: WireError): void {
    this.#send(refusal(id, error));
  }

  /** Sends within the session, unless it is over. */
  #send(outgoing: Outgoing, sending?: (id: string) => void): void {
    if (isFinal(this.#state)) return;
    const message = this.#make({ target: this.#settings.target, session_id: this.#sessionId, ...outgoing });
    sending?.(message.id);
    this.#settings.send(JSON.stringify(message));
  }
}
