import { isCommand, type WireEvent } from '@aepkit/envelope';

import type { SocketClientSettings } from './client-options.js';
import { encodeFrame } from './encode-frame.js';
import type { Frame, HelloFrame } from './frame.js';
import { Lane } from './lane.js';
import type { EndpointHello } from './socket-client.js';
import type { Closed, Refused } from './socket-item.js';
import type { StreamSubscription, SubscriptionHost } from './stream-subscription.js';

/** What the first connection is for besides subscriptions. */
export interface MainEvents {
  opened(endpoint: EndpointHello): void;
  closed(closed: Closed): void;
  refused(refused: Refused): void;
  /** A frame that is about no subscription. */
  frame(frame: Frame): void;
  /** Takes a command whose target this peer is. */
  command(wire: WireEvent): void;
  /** Whether an answer is waited for. */
  waits(): boolean;
}

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
 * The connections of a client, and which subscription is on which.
 *
 * Events do not say which subscription they are for. Where two may be meant, neither may take the Event for a step of its own order: the
 * replay of one would carry the other past what it is still to get, and a break would then lose it. So subscriptions share a connection
 * only where it can be told whose an Event is, by the sessions their filters name or by `match`; others get one of their own. Where two
 * functions turn out to match the same Event, one of the subscriptions moves.
 *
 * A subscription moves as well when the first connection is waited on and its reader, who may be the one that waits, is behind.
 */
export class Berths implements SubscriptionHost {
  readonly settings: SocketClientSettings;
  readonly counts = { events: 0, duplicates: 0, replaced: 0, invalid: 0, unclaimed: 0, opened: 0 };
  readonly #events: MainEvents;
  readonly #all = new Set<Berth>();
  readonly #main: Berth;
  readonly #subscriptions = new Map<string, StreamSubscription>();
  #mainRefused = false;
  #lastId = 0;
  #closed = false;

  constructor(settings: SocketClientSettings, hello: Omit<HelloFrame, 'type' | 'versions'>, events: MainEvents) {
    this.settings = settings;
    this.#events = events;
    this.#main = this.#berth(hello);
  }

  /** The first connection. */
  get main(): Lane {
    return this.#main.lane;
  }

  get size(): number {
    return this.#all.size;
  }

  has(id: string): boolean {
    return this.#subscriptions.has(id);
  }

  freshId(): string {
    do this.#lastId += 1;
    while (this.#subscriptions.has(`s-${this.#lastId}`));
    return `s-${this.#lastId}`;
  }

  add(subscription: StreamSubscription): void {
    this.#subscriptions.set(subscription.id, subscription);
    const reading = subscription.begin();
    if (reading === undefined) this.#place(subscription);
    else {
      void reading.then(() => {
        if (!subscription.over) this.#place(subscription);
      });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closing = Array.from(this.#all, ({ lane }) => lane.close('client-closed'));
    for (const subscription of [...this.#subscriptions.values()]) subscription.close();
    this.#all.clear();
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
      if (lane === this.main && this.#events.waits() && this.#move(this.#main, subscription)) return;
      // What cannot be paused is left, and resumed from what was received (AEP-0003 §7).
      if (!lane.pause() && waiting > maxReceivedBytes) lane.drop('overrun', 'Events were not taken in time.');
    } else if (lane.blocked && waiting <= maxReceivedBytes * EMPTY) this.#readOn(this.#berthOf(subscription));
  }

  /** Lets the first connection be read, whatever its subscriptions wait for. */
  clearMain(): void {
    const most = this.settings.maxReceivedBytes * EMPTY;
    for (const subscription of [...this.#main.subscriptions]) if (subscription.waitingBytes > most) this.#move(this.#main, subscription);
  }

  /** Has a subscription go on over another connection, if there is one. */
  #move(berth: Berth, subscription: StreamSubscription): boolean {
    const { lane } = berth;
    berth.subscriptions.delete(subscription);
    subscription.moved();
    if (!this.#place(subscription, berth)) {
      berth.subscriptions.add(subscription);
      return false;
    }
    if (lane.send(encodeFrame({ type: 'unsubscribe', id: subscription.id }))) berth.leaving.set(subscription.id, subscription);
    this.#readOn(berth);
    return true;
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

  #berth(hello: Omit<HelloFrame, 'type' | 'versions'>): Berth {
    const berth: Berth = {
      lane: new Lane(this.settings, hello, {
        opened: (endpoint) => this.#opened(berth, endpoint),
        event: (wire) => this.#event(berth, wire),
        frame: (frame) => this.#frame(berth, frame),
        invalid: (code, detail) => {
          this.counts.invalid += 1;
          for (const subscription of berth.subscriptions) subscription.invalid(code, detail);
        },
        closed: (closed) => {
          berth.leaving.clear();
          for (const subscription of berth.subscriptions) subscription.closed(closed);
          if (berth === this.#main) this.#events.closed(closed);
        },
        refused: (refused) => {
          if (berth === this.#main) this.#mainRefused = true;
          for (const subscription of [...berth.subscriptions]) subscription.refused(refused, false);
          if (berth === this.#main) this.#events.refused(refused);
        },
        mayOpen: () => this.#hasRoom(berth),
      }),
      subscriptions: new Set(),
      leaving: new Map(),
    };
    this.#all.add(berth);
    return berth;
  }

  #berthOf({ lane }: StreamSubscription): Berth | undefined {
    if (lane === undefined) return undefined;
    for (const berth of this.#all) if (berth.lane === lane) return berth;
    return undefined;
  }

  /** Finds a connection for a subscription, another than `not`. Says whether there is one. */
  #place(subscription: StreamSubscription, not?: Berth): boolean {
    const { onCommand, role, identity, maxSockets } = this.settings;
    const apart = ({ subscriptions }: Berth): boolean => [...subscriptions].every((other) => subscription.isApartFrom(other));
    // A command that is somebody else's must not come where those come that this peer is to carry out (AEP-0004 §4.5).
    const main = onCommand === undefined && role !== 'emitter' && !this.#mainRefused;
    let berth = [...this.#all].find((each) => each !== not && (each !== this.#main || main) && apart(each));
    if (berth === undefined && this.#all.size < maxSockets) {
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
      this.#all.delete(berth);
      void berth.lane.close('done');
      return;
    }
    if (tell && berth.lane.send(encodeFrame({ type: 'unsubscribe', id: subscription.id }))) berth.leaving.set(subscription.id, subscription);
    this.#readOn(berth);
  }

  #opened(berth: Berth, endpoint: EndpointHello): void {
    this.counts.opened += 1;
    // Subscriptions go ahead of commands: an ack must not come before somebody listens (AEP-0004 §3).
    for (const subscription of berth.subscriptions) subscription.ask();
    if (berth === this.#main) this.#events.opened(endpoint);
  }

  #event(berth: Berth, wire: WireEvent): void {
    const { event } = wire;
    if (berth === this.#main && this.settings.onCommand !== undefined && isCommand(event.type)) {
      this.#events.command(wire);
      return;
    }
    const takers: StreamSubscription[] = [];
    for (const subscription of berth.subscriptions) if (subscription.takes(event)) takers.push(subscription);
    const isGoing = berth.leaving.size > 0 && [...berth.leaving.values()].some((subscription) => subscription.takes(event));
    if (takers.length === 0 && !isGoing) this.counts.unclaimed += 1;
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
      // Where there is no other connection both stay: no position moves over what may be the other's, and repeats are dropped.
      if (!subscription.over && berth.subscriptions.has(subscription)) this.#move(berth, subscription);
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
      case 'error': {
        const subscription = find(frame.id);
        if (subscription !== undefined) subscription.refusedRequest(frame);
        else if (berth === this.#main) this.#events.frame(frame);
        return;
      }
      default:
        if (berth === this.#main) this.#events.frame(frame);
    }
  }
}
