import type { WireEvent } from '@aepkit/envelope';
import { HeldEvent, type Owner } from './held-event.js';
import { comparePlaces, type Placed } from './place.js';

const UNPLACED = { epoch: 0, seq: 0 } as const;

/** Where a foreign-emitter Event stands in one owner's session: behind what was highest when it came (AEP-0003 §5). */
export interface Anchor extends Placed {
  held: boolean;
  readonly event: ForeignEvent;
}

/**
 * A command or `attention.routed`. Bears its author's source and has no position, so it is anchored in each owner's
 * session of that name, and stays while one anchor does.
 */
export class ForeignEvent extends HeldEvent {
  /** Ascending. */
  #anchors: Anchor[] = [];
  #left = 0;

  constructor(owner: Owner, order: number, wire: WireEvent, copy: boolean) {
    super(owner, UNPLACED, order, wire, copy);
  }

  /** Makes one anchor per place. */
  anchorAt(places: readonly { readonly epoch: number; readonly seq: number }[]): readonly Anchor[] {
    this.#anchors = places.map(({ epoch, seq }) => ({ epoch, seq, order: this.order, held: true, event: this }));
    this.#left = places.length;
    const made = [...this.#anchors];
    this.#anchors.sort(comparePlaces);
    return made;
  }

  /** The highest anchor left. A replay gives the Event out there, once, since sessions of one name are merged. */
  get last(): Anchor | undefined {
    while (this.#anchors.at(-1)?.held === false) this.#anchors.pop();
    return this.#anchors.at(-1);
  }

  /** Lets one anchor go. `true` where it was the last one left. */
  lift(anchor: Anchor): boolean {
    anchor.held = false;
    this.#left -= 1;
    return this.#left === 0;
  }
}
