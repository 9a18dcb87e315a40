/** Something that stands in the order of a session. */
export interface Placed {
  readonly epoch: number;
  readonly seq: number;
  /** Order of admission; decides between two on one position (AEP-0001 §7.2). */
  readonly order: number;
  /** `false` from its eviction on. */
  readonly held: boolean;
}

/** The order of a session: by position, then by arrival. */
export function comparePlaces(a: Placed, b: Placed): number {
  return a.epoch - b.epoch || a.seq - b.seq || a.order - b.order;
}

/** The order of admission. */
export function compareOrder(a: { readonly order: number }, b: { readonly order: number }): number {
  return a.order - b.order;
}
