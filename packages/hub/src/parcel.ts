import { SharedBatch, type SharedDelivery } from './delivery.js';
import type { LiveSubscription } from './subscription.js';

/** The subscriptions of one connection that an Event matched. */
export type Matched = LiveSubscription | readonly LiveSubscription[];

/** What one committed batch holds for one connection, with the subscriptions it is for. */
export interface Parcel {
  readonly batch: SharedBatch;
  /** The only subscription of the connection at that time; otherwise {@link Parcel.matched} tells. */
  readonly sole: LiveSubscription | undefined;
  /** One per delivery; empty where there is a sole subscription. */
  readonly matched: readonly Matched[];
}

/** The same parcel with a part of its batch, or `undefined` where nothing is left. */
export function withBatch(parcel: Parcel, part: SharedBatch): Parcel | undefined {
  if (part === parcel.batch) return parcel;
  if (part.deliveries.length === 0) return undefined;
  if (parcel.sole !== undefined) return { batch: part, sole: parcel.sole, matched: [] };
  const kept = new Set(part.deliveries);
  const { deliveries } = parcel.batch;
  const stays = (i: number): boolean => deliveries[i] !== undefined && kept.has(deliveries[i]);
  return { batch: part, sole: undefined, matched: parcel.matched.filter((_, i) => stays(i)) };
}

/** The same parcel without what only the given subscription wanted, or `undefined` where nothing is left. */
export function withoutSubscription(parcel: Parcel, subscription: LiveSubscription): Parcel | undefined {
  if (parcel.sole !== undefined) return parcel.sole === subscription ? undefined : parcel;
  const deliveries: SharedDelivery[] = [];
  const matched: Matched[] = [];
  for (const [i, delivery] of parcel.batch.deliveries.entries()) {
    const rest = [parcel.matched[i] ?? []].flat().filter((each) => each !== subscription);
    if (rest.length === 0) continue;
    deliveries.push(delivery);
    matched.push(rest);
  }
  if (deliveries.length === 0) return undefined;
  const batch = deliveries.length === parcel.batch.deliveries.length ? parcel.batch : new SharedBatch(deliveries);
  return { batch, sole: undefined, matched };
}
