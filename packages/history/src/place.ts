/** A position whose session goes without saying. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** A place in the order of a session: by position, then by arrival (AEP-0001 §7.2). */
export interface Spot extends Place {
  readonly pos: number;
}

/** Orders {@link Spot}s. */
export function compareSpots(a: Spot, b: Spot): number {
  return a.epoch - b.epoch || a.seq - b.seq || a.pos - b.pos;
}
