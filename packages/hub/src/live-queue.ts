import { type Parcel, withBatch, withoutSubscription } from './parcel.js';
import type { LiveSubscription } from './subscription.js';

/** What waits for one consumer, in order. It knows its bytes; who owns it bounds them. */
export class LiveQueue {
  #parcels: Parcel[] = [];
  #head = 0;
  /** Parcels in front that hold nothing droppable any more: a second look at them would be in vain. */
  #thinned = 0;
  #bytes = 0;

  /** Bytes of all Events in it, overhead included. */
  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#head === this.#parcels.length;
  }

  push(parcel: Parcel): void {
    this.#parcels.push(parcel);
    this.#bytes += parcel.batch.bytes;
  }

  /** Takes parcels from the front, at least one, and further ones as long as they stay within `maxBytes`. */
  take(maxBytes: number): readonly Parcel[] {
    const taken: Parcel[] = [];
    let bytes = 0;
    for (let parcel = this.#parcels[this.#head]; parcel !== undefined; parcel = this.#parcels[this.#head]) {
      if (taken.length > 0 && bytes + parcel.batch.bytes > maxBytes) break;
      taken.push(parcel);
      bytes += parcel.batch.bytes;
      this.#head++;
    }
    this.#bytes -= bytes;
    this.#thinned = Math.max(0, this.#thinned - taken.length);
    if (this.#head === this.#parcels.length || this.#head > 1024) {
      this.#parcels = this.#parcels.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  /** Drops `debug` and `info`, oldest first, until no more than `target` bytes are left. Gives how many Events went. */
  thin(target: number): number {
    let dropped = 0;
    let place = this.#head + this.#thinned;
    let emptied = false;
    for (let parcel = this.#parcels[place]; parcel !== undefined && this.#bytes > target; parcel = this.#parcels[++place]) {
      const { essential } = parcel.batch;
      if (essential !== parcel.batch) {
        dropped += parcel.batch.deliveries.length - essential.deliveries.length;
        this.#bytes -= parcel.batch.bytes - essential.bytes;
        emptied ||= essential.deliveries.length === 0;
        this.#parcels[place] = withBatch(parcel, essential) ?? { ...parcel, batch: essential, matched: [] };
      }
    }
    this.#thinned = place - this.#head;
    if (emptied) this.#compact();
    return dropped;
  }

  /** Forgets what the log can give a second time. */
  forget(): void {
    this.#rewrite((parcel) => withBatch(parcel, parcel.batch.unreadable));
  }

  /** Removes what only the given subscription wanted. */
  remove(subscription: LiveSubscription): void {
    this.#rewrite((parcel) => withoutSubscription(parcel, subscription));
  }

  clear(): void {
    this.#parcels = [];
    this.#head = 0;
    this.#thinned = 0;
    this.#bytes = 0;
  }

  #compact(): void {
    const front = this.#parcels.slice(this.#head, this.#head + this.#thinned).filter(({ batch }) => batch.deliveries.length > 0);
    this.#parcels = [...front, ...this.#parcels.slice(this.#head + this.#thinned)];
    this.#head = 0;
    this.#thinned = front.length;
  }

  #rewrite(change: (parcel: Parcel) => Parcel | undefined): void {
    const parcels = this.#parcels.slice(this.#head);
    this.clear();
    for (const parcel of parcels) {
      const changed = change(parcel);
      if (changed !== undefined) this.push(changed);
    }
  }
}

