import { FilterIndex } from '@aepkit/attr-match';
import type { WireEvent } from '@aepkit/envelope';
import { gate } from '@aepkit/taxonomy';
import type { CommittedBatch } from './contracts.js';
import { DeliveryNode, SharedDelivery } from './delivery.js';
import type { Matched, Parcel } from './parcel.js';
import { CEILINGS, type LiveSubscription } from './subscription.js';

const NONE: Matched[] = [];
const NOWHERE = new DeliveryNode();

/** Where the parcels of one connection go. */
export interface Receiver {
  deliver(parcel: Parcel): void;
  /** An Event could not be lowered for it: it must not go on as if nothing was missing. */
  fail(error: unknown): void;
}

/** A connection as fan-out sees it: its receiver and scratch space. */
export class Addressee {
  readonly #receiver: Receiver;
  /** Subscriptions in the index. */
  live = 0;
  eventStamp = 0;
  rank = 0;
  first: LiveSubscription | undefined;
  several: LiveSubscription[] | undefined;
  batchStamp = 0;
  node: DeliveryNode = NOWHERE;
  matched: Matched[] = NONE;
  failure: { readonly error: unknown } | undefined;
  pending: Parcel | undefined;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Hands over what the batch that is being fanned out holds for it, once. */
  flush(): void {
    const parcel = this.pending;
    if (parcel === undefined) return;
    this.pending = undefined;
    if (this.failure === undefined) this.#receiver.deliver(parcel);
    else this.#receiver.fail(this.failure.error);
  }
}

/**
 * Finds who gets what of a committed batch. Cost grows with the matches, not with the subscriptions. An Event goes out
 * once per connection, at the widest ceiling of the subscriptions that it matches there (AEP-0003 §6.4, §6.5), and is
 * lowered once per ceiling.
 */
export class Fanout {
  readonly #index = new FilterIndex<LiveSubscription>();
  #eventStamp = 0;
  #batchStamp = 0;
  #touched: LiveSubscription[] = [];
  readonly #visit = (subscription: LiveSubscription): void => {
    const { addressee } = subscription;
    if (addressee.eventStamp !== this.#eventStamp) {
      addressee.eventStamp = this.#eventStamp;
      addressee.rank = subscription.rank;
      addressee.first = subscription;
      addressee.several = undefined;
      this.#touched.push(subscription);
      return;
    }
    if (subscription.rank > addressee.rank) addressee.rank = subscription.rank;
    if (addressee.several !== undefined) addressee.several.push(subscription);
    else if (addressee.first !== undefined) addressee.several = [addressee.first, subscription];
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
   * Leaves with every addressee what the batch holds for it, and gives those that have something. Calls nobody: what a
   * consumer does in answer to a delivery cannot disturb the matching.
   */
  match(batch: CommittedBatch): readonly Addressee[] {
    this.#batchStamp++;
    const root = new DeliveryNode();
    const addressees: Addressee[] = [];
    for (const [i, wire] of batch.events.entries()) {
      this.#eventStamp++;
      this.#touched.length = 0;
      this.#index.forEachMatch(wire.event, this.#visit);
      if (this.#touched.length === 0) continue;
      const lowered = new Lowered(wire, batch.admissions[i] === 'admitted');
      for (const first of this.#touched) {
        const { addressee } = first;
        if (addressee.batchStamp !== this.#batchStamp) {
          addressee.batchStamp = this.#batchStamp;
          addressee.node = root;
          addressee.matched = addressee.live > 1 ? [] : NONE;
          addressee.failure = undefined;
          addressees.push(addressee);
        }
        let delivery: SharedDelivery;
        try {
          delivery = lowered.at(addressee.rank);
        } catch (error) {
          addressee.failure ??= { error };
          continue;
        }
        addressee.node = addressee.node.child(delivery);
        if (addressee.live > 1) addressee.matched.push(addressee.several ?? first);
      }
    }
    for (const addressee of addressees) {
      const sole = addressee.live > 1 ? undefined : addressee.first;
      addressee.pending = { batch: addressee.node.batch, sole, matched: addressee.matched };
      addressee.node = NOWHERE;
      addressee.matched = NONE;
    }
    return addressees;
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
