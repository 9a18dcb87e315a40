import { Clock } from './clock.js';
import { ConnectionCore } from './connection-core.js';
import { isControlType } from './control-type.js';
import { StreamError } from './errors.js';
import type { StreamEntry, StreamPlace } from './event-stream.js';
import { onOneLine } from './member-text.js';
import { MESSAGE_VERSION, type Message } from './message.js';
import { DeliveryEncoder, messageMaker, timeOf } from './outgoing.js';
import { parseMessage } from './parse-message.js';
import type { ConnectOptions, ProducerConnection } from './producer-connection.js';
import type { ProducerCore } from './producer-core.js';
import { resolveProducerOptions, type ProducerOptions } from './producer-options.js';
import type { ProducerSession } from './producer-session.js';
import type { ActiveSubscription, SubscriptionFacts } from './producer-subscription.js';
import { isFinal } from './session-state.js';
import { SubscriptionIndex } from './subscription-index.js';

/** An event to publish: what is left out of the envelope is filled in. */
export type Publication = Pick<Message, 'type' | 'payload'> & Partial<Message>;

/** What a producer has and has done. */
export interface ProducerStats {
  readonly connections: number;
  /** Sessions that are not over. */
  readonly sessions: number;
  readonly subscriptions: number;
  /** Best-effort events that slow consumers did not get. */
  readonly dropped: number;
  readonly deadLettered: number;
  /** Acknowledgements and refusals that make no sense, and get no answer. */
  readonly ignored: number;
}

/**
 * The producer's side of the subscription model: answers requests, routes events to the sessions whose filters match, delivers each in
 * its mode, replays from cursors, delivers again what nobody acknowledged (§3 to §6, C2 to C5). No I/O: a transport calls
 * {@link ProducerConnection.receive} and gets texts through `send`.
 *
 * Throws RangeError and TypeError for options that cannot be used.
 *
 * @example
 * const producer = new SubscriptionProducer({ source: 'memory:main' });
 * const connection = producer.connect({ transport: 'websocket', send: (text) => socket.send(text) });
 * socket.on('message', (text) => connection.receive(text));
 * producer.publish({ type: 'memory.fact.added', payload: { fact: 'x' } });
 */
export class SubscriptionProducer<I = unknown> {
  readonly #core: ProducerCore;
  readonly #connections = new Set<ConnectionCore>();
  readonly #unlisten: () => void;
  readonly #arriving: StreamEntry[] = [];
  #place: StreamPlace;
  #fanningOut = false;
  #closed = false;

  constructor(options: ProducerOptions<I>) {
    const settings = resolveProducerOptions(options);
    this.#core = {
      settings,
      clock: new Clock(settings.now, settings.timers),
      index: new SubscriptionIndex<ActiveSubscription>(),
      encoder: new DeliveryEncoder(),
      make: messageMaker(settings.source, settings.createId, settings.now),
      opening: { count: 0 },
      counts: { dropped: 0, deadLettered: 0, ignored: 0 },
    };
    this.#unlisten = settings.stream.onAppend((entries) => this.#arrive(entries));
    this.#place = settings.stream.head();
  }

  /** Takes in a transport. */
  connect(options: ConnectOptions<I>): ProducerConnection {
    const connection = new ConnectionCore(this.#core, options, (closed) => this.#connections.delete(closed));
    if (this.#closed) connection.close();
    else this.#connections.add(connection);
    return connection;
  }

  /**
   * Adds an event to the stream, and so to every subscription that matches it. Gives the place behind it.
   *
   * A text is one whole message, and delivered as it is spelled but for `delivery`: that way numbers beyond 2^53 pass unharmed.
   *
   * Throws `MessageError` for what is not a message, {@link StreamError} `reserved-type` for a control event (S-O29) and
   * `not-appendable` where the stream is filled elsewhere.
   */
  publish(event: Publication | string): StreamPlace {
    const { settings } = this.#core;
    const filledIn = (fields: Publication): string =>
      JSON.stringify({ aep_version: MESSAGE_VERSION, id: settings.createId(), source: settings.source, created_at: timeOf(settings.now()), ...fields });
    const text = typeof event === 'string' ? event : filledIn(event);
    // Read back: what is delivered later is this copy, and as strict as what comes in.
    const message = parseMessage(text, settings);
    if (isControlType(message.type)) throw new StreamError('reserved-type', `${message.type} belongs to one session and is not published`);
    if (settings.stream.append === undefined) throw new StreamError('not-appendable', 'the stream is filled elsewhere');
    return typeof event === 'string' ? settings.stream.append(message, onOneLine(text)) : settings.stream.append(message);
  }

  /** Every active subscription. */
  subscriptions(): SubscriptionFacts[] {
    return [...this.#connections].flatMap((connection) => connection.sessions().flatMap((session) => session.facts()));
  }

  stats(): ProducerStats {
    const sessions = [...this.#connections].flatMap((connection) => connection.sessions());
    return {
      connections: this.#connections.size,
      sessions: sessions.filter(({ state }) => !isFinal(state)).length,
      subscriptions: sessions.reduce((sum, session) => sum + session.subscriptions, 0),
      ...this.#core.counts,
    };
  }

  /** Closes every session with a `session.closed` and lets go of the stream and the timer. The transports are the caller's. */
  close(reason = 'shutdown'): void {
    this.#closed = true;
    this.#unlisten();
    for (const connection of [...this.#connections]) {
      for (const { id } of connection.sessions()) connection.endSession(id, reason);
      connection.close();
    }
    this.#core.clock.stop();
  }

  /**
   * One event at a time, in the order of the stream: an event that is published while another is fanned out, by a transport in the
   * same process, waits for its turn.
   */
  #arrive(entries: readonly StreamEntry[]): void {
    for (const entry of entries) this.#arriving.push(entry);
    if (this.#fanningOut) return;
    this.#fanningOut = true;
    try {
      // Expiry first: nothing is delivered at or behind that instant (S-O24).
      this.#core.clock.catchUp();
      // Grows while it is walked.
      for (const entry of this.#arriving) this.#fanOut(entry);
    } finally {
      this.#arriving.length = 0;
      this.#fanningOut = false;
    }
  }

  #fanOut(entry: StreamEntry): void {
    const before = this.#place;
    this.#place = { order: entry.order, cursor: entry.cursor };
    const sessions = new Map<ProducerSession, ActiveSubscription[]>();
    for (const subscription of this.#core.index.match(entry.message)) {
      if (entry.held ? entry.order <= subscription.from : entry.order < subscription.from) continue;
      const known = sessions.get(subscription.session);
      if (known === undefined) sessions.set(subscription.session, [subscription]);
      else known.push(subscription);
    }
    for (const [session, matching] of sessions) {
      const live = matching.filter((subscription) => subscription.live);
      try {
        if (live.length > 0 && session.visible(entry.message)) session.offer(entry, before, live);
      } catch (error) {
        // Whoever comes next gets the event all the same.
        session.fail(error);
      }
    }
  }
}
