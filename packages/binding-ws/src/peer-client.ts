import { type AepEvent, createId, isCommand, type WireEvent } from '@aepkit/envelope';
import type { RosterEntry } from '@aepkit/hub';

import type { SocketClientSettings } from './client-options.js';
import { CLOSE_CODES } from './close-codes.js';
import { encodeFrame } from './encode-frame.js';
import { SocketClientError } from './errors.js';
import type { ErrorFrame, Frame } from './frame.js';
import { Lane } from './lane.js';
import { RosterRequests } from './roster-requests.js';
import { SendQueue } from './send-queue.js';
import type { CommandReceipt, EndpointHello, SendOptions, SocketClient, SocketClientStats, SocketStatus, SocketSubscription } from './socket-client.js';
import type { Closed, Refused } from './socket-item.js';
import { StreamSubscription, type SubscriptionHost } from './stream-subscription.js';
import { resolveSubscribeOptions, type SubscribeOptions } from './subscribe-options.js';

/** One connection and the subscriptions on it. */
interface Berth {
  readonly lane: Lane;
  readonly subscriptions: Set<StreamSubscription>;
  /** Told to end, and not yet confirmed: their Events may still come. */
  readonly leaving: Map<string, StreamSubscription>;
}

/** Reading stops above this part of `maxReceivedBytes` and goes on below the other one. */
const FULL = 1 / 2;
const EMPTY = 1 / 4;

/**
 * The {@link SocketClient} of both platforms.
 *
 * Events do not say which subscription they are for. Where two may be meant, neither may take the Event for a step of its own order: the
 * replay of one would carry the other past what it is still to get, and a break would then lose it. So subscriptions share a connection
 * only where it can be told whose an Event is, by the sessions their filters name or by `match`; others get one of their own. Where two
 * functions turn out to match the same Event, one of the subscriptions moves.
 */
export class PeerClient implements SocketClient, SubscriptionHost {
  readonly settings: SocketClientSettings;
  readonly counts = { events: 0, duplicates: 0, replaced: 0 };
  readonly #berths = new Set<Berth>();
  readonly #main: Berth;
  readonly #queue: SendQueue;
  readonly #rosters: RosterRequests;
  readonly #subscriptions = new Map<string, StreamSubscription>();
  #refused: Refused | undefined;
  #lastId = 0;
  #opened = 0;
  #invalid = 0;
  #unclaimed = 0;
  #closed = false;

  constructor(settings: SocketClientSettings) {
    const { role, identity, capabilities } = settings;
    this.settings = settings;
    const emits = role !== 'consumer';
    const named = emits ? { instance: createId(), ...identity } : identity;
    this.#main = this.#berth({ role, ...(named === undefined ? {} : { identity: named }), ...(capabilities === undefined ? {} : { capabilities }) });
    const { lane } = this.#main;
    this.#queue = new SendQueue(settings, { write: (text) => lane.send(text), ping: (t) => lane.send(encodeFrame({ type: 'ping', t })) });
    this.#rosters = new RosterRequests(settings, (text) => lane.send(text));
    lane.start();
  }

  get endpoint(): EndpointHello | undefined {
    return this.#main.lane.endpoint;
  }

  subscribe(options: SubscribeOptions = {}): SocketSubscription {
    this.#mustBeOpen();
    const resolved = resolveSubscribeOptions(options);
    if (options.id !== undefined && this.#subscriptions.has(options.id)) throw new SocketClientError('duplicate-id', 'A subscription of this client has this id.');
    const subscription = new StreamSubscription(options.id ?? this.#freshId(), resolved, this);
    this.#subscriptions.set(subscription.id, subscription);
    const reading = subscription.begin();
    if (reading === undefined) this.#place(subscription);
    else {
      void reading.then(() => {
        if (!subscription.over) this.#place(subscription);
      });
    }
    return subscription;
  }

  async send(events: readonly (WireEvent | AepEvent)[], { resend = true, signal }: SendOptions = {}): Promise<void> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    const { lane } = this.#main;
    if (this.#refused !== undefined) throw refusedError(this.#refused);
    if (!resend && lane.endpoint === undefined) {
      lane.retry();
      if (!lane.opening) throw new SocketClientError('disconnected', 'There is no connection.', { reason: 'not-written' });
    }
    await this.#queue.add(events, !resend, signal);
  }

  async command(command: WireEvent | AepEvent): Promise<CommandReceipt> {
    this.#mustBeOpen();
    const { lane } = this.#main;
    if (this.#refused !== undefined) return { type: 'not-sent', detail: this.#refused.detail };
    if (lane.endpoint === undefined && !lane.opening) return { type: 'not-sent', detail: 'There is no connection.' };
    try {
      await this.#queue.add([command], true);
      return { type: 'sent' };
    } catch (error) {
      if (!(error instanceof SocketClientError)) throw error;
      const { code, reason = '', message: detail } = error;
      if (code === 'refused') return { type: 'refused', code: reason, detail };
      return code === 'disconnected' && reason === 'written' ? { type: 'unknown', detail } : { type: 'not-sent', detail };
    }
  }

  async roster(): Promise<readonly RosterEntry[]> {
    this.#mustBeOpen();
    const { lane } = this.#main;
    if (this.#refused !== undefined) throw refusedError(this.#refused);
    if (lane.endpoint === undefined && !lane.opening) throw new SocketClientError('disconnected', 'There is no connection.');
    return this.#rosters.ask(lane.endpoint);
  }

  stats(): SocketClientStats {
    return {
      ...this.counts,
      opened: this.#opened,
      sockets: this.#berths.size,
      invalid: this.#invalid,
      unclaimed: this.#unclaimed,
      queuedBytes: this.#queue.bytes,
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const berths = [...this.#berths];
    const closing = berths.map(({ lane }) => lane.close('client-closed'));
    for (const subscription of [...this.#subscriptions.values()]) subscription.close();
    this.#queue.end(closedError);
    this.#rosters.fail(closedError());
    this.#berths.clear();
    await Promise.all(closing);
  }

  left(subscription: StreamSubscription, tell: boolean): void {
    this.#subscriptions.delete(subscription.id);
    for (const other of this.#subscriptions.values()) other.overlaps.delete(subscription);
    const berth = this.#berthOf(subscription);
    if (berth !== undefined && !this.#closed) this.#leave(berth, subscription, tell);
  }

  filled(subscription: StreamSubscription): void {
    const { lane } = subscription;
    if (lane === undefined || subscription.over) return;
    const { maxReceivedBytes } = this.settings;
    const waiting = subscription.waitingBytes;
    if (waiting > maxReceivedBytes * FULL) {
      // What cannot be paused is left, and resumed from what was received (AEP-0003 §7).
      if (!lane.pause() && waiting > maxReceivedBytes) lane.drop('overrun', 'Events were not taken in time.');
    } else if (waiting <= maxReceivedBytes * EMPTY) this.#readOn(this.#berthOf(subscription));
  }

  #readOn(berth: Berth | undefined): void {
    if (berth === undefined || !this.#hasRoom(berth)) return;
    berth.lane.resume();
    berth.lane.release();
  }

  #hasRoom({ subscriptions }: Berth): boolean {
    const most = this.settings.maxReceivedBytes * EMPTY;
    for (const { waitingBytes } of subscriptions) if (waitingBytes > most) return false;
    return true;
  }

  #berth(hello: ConstructorParameters<typeof Lane>[1]): Berth {
    const berth: Berth = {
      lane: new Lane(this.settings, hello, {
        opened: (endpoint) => this.#laneOpened(berth, endpoint),
        event: (wire) => this.#event(berth, wire),
        frame: (frame) => this.#frame(berth, frame),
        invalid: (code, detail) => {
          this.#invalid += 1;
          for (const subscription of berth.subscriptions) subscription.invalid(code, detail);
        },
        closed: (closed) => this.#laneClosed(berth, closed),
        refused: (refused) => this.#laneRefused(berth, refused),
        mayOpen: () => this.#hasRoom(berth),
      }),
      subscriptions: new Set(),
      leaving: new Map(),
    };
    this.#berths.add(berth);
    return berth;
  }

  #berthOf({ lane }: StreamSubscription): Berth | undefined {
    if (lane === undefined) return undefined;
    for (const berth of this.#berths) if (berth.lane === lane) return berth;
    return undefined;
  }

  /** Finds a connection for a subscription. Says whether there is one. */
  #place(subscription: StreamSubscription): boolean {
    const { onCommand, role, identity, maxSockets } = this.settings;
    const apart = ({ subscriptions }: Berth): boolean => [...subscriptions].every((other) => subscription.isApartFrom(other));
    // A command that is somebody else's must not come where those come that this peer is to carry out (AEP-0004 §4.5).
    const usable = [...this.#berths].filter((berth) => berth !== this.#main || (onCommand === undefined && role !== 'emitter' && this.#refused === undefined));
    let berth = usable.find(apart);
    if (berth === undefined && this.#berths.size < maxSockets) {
      berth = this.#berth({ role: 'consumer', ...(identity === undefined ? {} : { identity }) });
    }
    if (berth === undefined) {
      if (subscription.lane === undefined) subscription.refused({ type: 'refused', code: 'limit-exceeded', detail: `This client has ${maxSockets} connections.` }, false);
      return false;
    }
    berth.subscriptions.add(subscription);
    subscription.lane = berth.lane;
    if (berth.lane.endpoint === undefined) berth.lane.start();
    else subscription.ask();
    return true;
  }

  #leave(berth: Berth, subscription: StreamSubscription, tell: boolean): void {
    berth.subscriptions.delete(subscription);
    if (berth !== this.#main && berth.subscriptions.size === 0) {
      this.#berths.delete(berth);
      void berth.lane.close('done');
      return;
    }
    if (tell && berth.lane.send(encodeFrame({ type: 'unsubscribe', id: subscription.id }))) berth.leaving.set(subscription.id, subscription);
    this.#readOn(berth);
  }

  #laneOpened(berth: Berth, endpoint: EndpointHello): void {
    this.#opened += 1;
    // Subscriptions go ahead of commands: an ack must not come before somebody listens (AEP-0004 §3).
    for (const subscription of berth.subscriptions) subscription.ask();
    if (berth !== this.#main) return;
    this.#queue.opened();
    this.#rosters.opened(endpoint);
    this.#tell({ type: 'open', endpoint });
  }

  #laneClosed(berth: Berth, closed: Closed): void {
    berth.leaving.clear();
    for (const subscription of berth.subscriptions) subscription.closed(closed);
    if (berth !== this.#main) return;
    this.#queue.closed(closed.code === CLOSE_CODES.tooLarge);
    this.#rosters.fail(new SocketClientError('disconnected', 'The connection ended.'));
    this.#tell(closed);
  }

  #laneRefused(berth: Berth, refused: Refused): void {
    const subscriptions = [...berth.subscriptions];
    if (berth === this.#main) {
      this.#refused = refused;
      this.#queue.end(() => refusedError(refused));
      this.#rosters.fail(refusedError(refused));
    }
    for (const subscription of subscriptions) subscription.refused(refused, false);
    if (berth === this.#main) this.#tell(refused);
  }

  #event(berth: Berth, wire: WireEvent): void {
    const { event } = wire;
    const { onCommand } = this.settings;
    if (berth === this.#main && onCommand !== undefined && isCommand(event.type)) {
      harmless(() => onCommand(wire));
      return;
    }
    const takers = [...berth.subscriptions].filter((subscription) => subscription.takes(event));
    const isGoing = [...berth.leaving.values()].some((subscription) => subscription.takes(event));
    if (takers.length === 0 && !isGoing) this.#unclaimed += 1;
    const shared = takers.length > 1 || isGoing;
    let fresh = false;
    for (const subscription of takers) fresh = subscription.event(wire, shared) || fresh;
    if (fresh) berth.lane.progress();
    if (takers.length > 1) this.#part(berth, takers);
  }

  /** Events of one are those of another as well: only one of them can stay. */
  #part(berth: Berth, takers: readonly StreamSubscription[]): void {
    for (const one of takers) for (const other of takers) if (one !== other) one.overlaps.add(other);
    for (const subscription of takers.slice(1)) {
      if (subscription.over) continue;
      // Where there is no other connection both stay: no position moves over what may be the other's, and repeats are dropped.
      berth.subscriptions.delete(subscription);
      subscription.moved();
      if (!this.#place(subscription)) berth.subscriptions.add(subscription);
      else if (berth.lane.send(encodeFrame({ type: 'unsubscribe', id: subscription.id }))) berth.leaving.set(subscription.id, subscription);
    }
  }

  #frame(berth: Berth, frame: Frame): void {
    const find = (id: string | undefined): StreamSubscription | undefined => [...berth.subscriptions].find((subscription) => subscription.id === id);
    switch (frame.type) {
      case 'subscribed':
        find(frame.id)?.subscribed();
        return;
      case 'unsubscribed':
        berth.leaving.delete(frame.id);
        return;
      case 'replay-exhausted':
        find(frame.sub)?.exhausted(frame);
        return;
      case 'pong':
        if (berth === this.#main && this.#queue.pong(frame.t)) berth.lane.progress();
        return;
      case 'roster':
        if (berth === this.#main) this.#rosters.answered(frame);
        return;
      case 'error':
        this.#error(berth, frame, find(frame.id));
        return;
      default:
    }
  }

  #error(berth: Berth, frame: ErrorFrame, subscription: StreamSubscription | undefined): void {
    const { cause } = frame;
    if (subscription !== undefined) subscription.refusedRequest(frame);
    else if (berth === this.#main && this.#rosters.refused(frame)) return;
    if (cause === undefined || berth !== this.#main) return;
    this.#queue.refused(frame);
    harmless(() => this.settings.onRefused?.({ ...frame, cause }));
  }

  #tell(status: SocketStatus): void {
    harmless(() => this.settings.onStatus?.(status));
  }

  #freshId(): string {
    do this.#lastId += 1;
    while (this.#subscriptions.has(`s-${this.#lastId}`));
    return `s-${this.#lastId}`;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function closedError(): SocketClientError {
  return new SocketClientError('closed', 'The client was closed.');
}

function refusedError({ code, detail }: Refused): SocketClientError {
  return new SocketClientError('refused', detail === '' ? 'The endpoint refuses the connection.' : detail, { reason: code });
}

function harmless(call: () => void): void {
  try {
    call();
  } catch {
    // What a callback throws is not about the connection.
  }
}
