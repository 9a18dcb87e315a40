import { FilterIndex } from '@aepkit/attr-match';
import type { WireEvent } from '@aepkit/envelope';
import { gate } from '@aepkit/taxonomy';
import type { CommittedBatch } from './contracts.js';
import { DeliveryNode, SharedDelivery } from './delivery.js';
import type { Matched, Parcel } from './parcel.js';
import { CEILINGS, type LiveSubscription } from './subscription.js';

/**
 * UTF-16 units of Events after which a committed batch is cut. A commit may hold many megabytes; handed over in one write
 * they would stand in memory once for every consumer that gets a part of its own, before its sink can say that it is full.
 */
export const SLICE_LENGTH: number = 256 * 1024;

/** Where the parcels of one connection go. */
export interface Receiver {
  /** `commit` is one number for all slices of a committed batch, and another for the next. */
  deliver(parcel: Parcel, commit: number): void;
  /** An Event could not be lowered for it: it must not go on as if nothing was missing. */
  fail(error: unknown): void;
}

/**
 * A connection as fan-out sees it. Of thousands only a few are touched per batch, each of them cold in the caches of the
 * processor; so what fan-out notes here are small integers, places in lists that are hot.
 */
export class Addressee {
  readonly receiver: Receiver;
  /** Subscriptions in the index. */
  live = 0;
  event = 0;
  hit = 0;
  slice = 0;
  route = 0;

  constructor(receiver: Receiver) {
    this.receiver = receiver;
  }
}

/** What one slice of the running batch holds for one connection. */
class Route {
  readonly receiver: Receiver;
  readonly #sole: LiveSubscription | undefined;
  readonly #matched: Matched[] = [];
  #node: DeliveryNode;
  #failure: { readonly error: unknown } | undefined;
  #done = false;

  constructor(receiver: Receiver, sole: LiveSubscription | undefined, root: DeliveryNode) {
    this.receiver = receiver;
    this.#sole = sole;
    this.#node = root;
  }

  add(delivery: SharedDelivery, matched: Matched): void {
    this.#node = this.#node.child(delivery);
    if (this.#sole === undefined) this.#matched.push(matched);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Hands over, once. */
  flush(commit: number): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#failure === undefined) this.receiver.deliver({ batch: this.#node.batch, sole: this.#sole, matched: this.#matched }, commit);
    else this.receiver.fail(this.#failure.error);
  }
}

/**
 * Finds who gets what of a committed batch. Cost grows with the matches, not with the subscriptions. An Event goes out
 * once per connection, at the widest ceiling of the subscriptions that it matches there (AEP-0003 §6.4, §6.5), and is
 * lowered once per ceiling.
 */
export class Fanout {
  readonly #index = new FilterIndex<LiveSubscription>();
  #commit = 0;
  #event = 0;
  #slice = 0;
  /** Of all slices of the running batch, in order. */
  #routes: Route[] = [];
  /** Of the running Event, one per connection: the first subscription that matched, the widest ceiling, all that matched. */
  readonly #first: LiveSubscription[] = [];
  readonly #rank: number[] = [];
  readonly #several: (LiveSubscription[] | undefined)[] = [];
  readonly #visit = (subscription: LiveSubscription): void => {
    const { addressee } = subscription;
    if (addressee.event !== this.#event) {
      addressee.event = this.#event;
      addressee.hit = this.#first.length;
      this.#first.push(subscription);
      this.#rank.push(subscription.rank);
      return;
    }
    const { hit } = addressee;
    const several = this.#several[hit];
    const first = this.#first[hit];
    if (several !== undefined) several.push(subscription);
    else if (first !== undefined) this.#several[hit] = [first, subscription];
    this.#rank[hit] = Math.max(this.#rank[hit] ?? 0, subscription.rank);
  };

  get size(): number {
    return this.#index.size;
  }

  add(subscription: LiveSubscription): void {
    subscription.entry = this.#index.add(subscription.filter, subscription);
    subscription.addressee.live++;
  }

  delete(subscription: LiveSubscription): void {
    if (subscription.entry === undefined) return;
    this.#index.delete(subscription.entry);
    subscription.entry = undefined;
    subscription.addressee.live--;
  }

  /**
   * Serves a committed batch. Matching comes first and calls nobody, so what a consumer does in answer to a delivery cannot
   * disturb it; then `matched` is called; then the connections are served.
   */
  run(batch: CommittedBatch, matched: () => void): void {
    this.#match(batch);
    matched();
    for (const route of this.#routes) route.flush(this.#commit);
    this.#routes = [];
  }

  /** Serves one connection ahead of its turn in the running batch, if there is one. */
  flush(addressee: Addressee): void {
    for (const route of this.#routes) if (route.receiver === addressee.receiver) route.flush(this.#commit);
  }

  #match(batch: CommittedBatch): void {
    this.#commit++;
    this.#slice++;
    this.#routes = [];
    if (this.#index.size === 0) return;
    let root = new DeliveryNode();
    let length = 0;
    let i = -1;
    for (const wire of batch.events) {
      i++;
      if (length >= SLICE_LENGTH) {
        this.#slice++;
        root = new DeliveryNode();
        length = 0;
      }
      length += wire.json.length;
      this.#event++;
      this.#first.length = 0;
      this.#rank.length = 0;
      this.#several.length = 0;
      this.#index.forEachMatch(wire.event, this.#visit);
      if (this.#first.length === 0) continue;
      const lowered = new Lowered(wire, batch.admissions[i] === 'admitted');
      for (const [hit, first] of this.#first.entries()) {
        const route = this.#routeOf(first, root);
        try {
          route.add(lowered.at(this.#rank[hit] ?? 0), this.#several[hit] ?? first);
        } catch (error) {
          route.fail(error);
        }
      }
    }
  }

  #routeOf(first: LiveSubscription, root: DeliveryNode): Route {
    const { addressee } = first;
    const known = addressee.slice === this.#slice ? this.#routes[addressee.route] : undefined;
    if (known !== undefined) return known;
    const route = new Route(addressee.receiver, addressee.live > 1 ? undefined : first, root);
    addressee.slice = this.#slice;
    addressee.route = this.#routes.length;
    this.#routes.push(route);
    return route;
  }
}

/** One Event at every ceiling that somebody wants it at. */
class Lowered {
  readonly #wire: WireEvent;
  readonly #admitted: boolean;
  readonly #byRank: (SharedDelivery | undefined)[] = [];

  constructor(wire: WireEvent, admitted: boolean) {
    this.#wire = wire;
    this.#admitted = admitted;
  }

  at(rank: number): SharedDelivery {
    return (this.#byRank[rank] ??= this.#make(rank));
  }

  #make(rank: number): SharedDelivery {
    const wire = lower(this.#wire, rank);
    // Equal texts have to be one object, or consumers with different ceilings would share nothing of an ordinary Event.
    for (const made of this.#byRank) if (made?.event === wire) return made;
    return new SharedDelivery(wire, this.#admitted);
  }
}

/** The Event at the ceiling of the given rank; itself where that changes nothing. */
export function lower(wire: WireEvent, rank: number): WireEvent {
  const ceiling = CEILINGS[rank];
  return ceiling === undefined ? wire : gate(wire, ceiling);
}
