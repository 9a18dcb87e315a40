import { severityRank, severityOf, type WireEvent } from '@aepkit/envelope';

/** What one Event costs besides its text, in bytes: its objects, and its place in the lists. */
export const ENTRY_OVERHEAD_BYTES = 512;

const NOTICE: number = severityRank('notice');

/** How an Event fares when room is short: 0 `debug` and 1 `info` may be dropped, 2 never (AEP-0003 §8.4). */
export type Keep = 0 | 1 | 2;

/** `control.*` counts as never dropped: an ack is an answer that somebody waits for. */
export function keepOf({ event }: WireEvent): Keep {
  const rank = severityRank(severityOf(event));
  if (rank >= NOTICE || event.type.startsWith('control.')) return 2;
  return rank === 0 ? 0 : 1;
}

/** An Event that waits. */
export interface QueueEntry {
  readonly wire: WireEvent;
  readonly keep: Keep;
  readonly bytes: number;
  readonly order: number;
  /** Neighbours of all that wait, and of those with the same `keep`. */
  previous: QueueEntry | undefined;
  next: QueueEntry | undefined;
  previousSame: QueueEntry | undefined;
  nextSame: QueueEntry | undefined;
}

/** Bounds of an {@link EventQueue}. */
export interface QueueLimits {
  readonly maxQueuedEvents: number;
  readonly maxQueuedBytes: number;
}

interface Sum {
  count: number;
  bytes: number;
}

interface Ends {
  first: QueueEntry | undefined;
  last: QueueEntry | undefined;
}

/**
 * Events on their way out, in order, bounded by count and by bytes, those in flight included. Where room is short, `debug` goes
 * first and `info` next, the oldest of each ahead; an Event is never put before one that it is worth less than. Linked, so that any
 * place is left in constant time and a dead transport costs no memory for what was dropped.
 */
export class EventQueue {
  readonly #limits: QueueLimits;
  readonly #all: Ends = { first: undefined, last: undefined };
  readonly #same: readonly [Ends, Ends, Ends] = [
    { first: undefined, last: undefined },
    { first: undefined, last: undefined },
    { first: undefined, last: undefined },
  ];
  #order = 0;
  #flying: QueueEntry[] = [];
  #waitingCount = 0;
  #waitingBytes = 0;
  #flyingBytes = 0;
  /** What could be dropped, of `debug` and of `info`. */
  readonly #expendable: readonly [Sum, Sum] = [
    { count: 0, bytes: 0 },
    { count: 0, bytes: 0 },
  ];

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Events in here. */
  get count(): number {
    return this.#waitingCount + this.#flying.length;
  }

  get bytes(): number {
    return this.#waitingBytes + this.#flyingBytes;
  }

  /** Events that wait, without those in flight. */
  get waiting(): number {
    return this.#waitingCount;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Order of the newest Event ever given. */
  get newest(): number {
    return this.#order;
  }

  /** Order of the oldest Event in here; `undefined` where it is empty. */
  get oldest(): number | undefined {
    return this.#flying[0]?.order ?? this.#all.first?.order;
  }

  /**
   * Puts an Event at the end, and gives what had to go for it. `undefined`: there is no room even so, and nothing changed.
   */
  offer(wire: WireEvent, size: number): readonly QueueEntry[] | undefined {
    const keep = keepOf(wire);
    const bytes = size + ENTRY_OVERHEAD_BYTES;
    const { maxQueuedEvents, maxQueuedBytes } = this.#limits;
    let overCount = this.count + 1 - maxQueuedEvents;
    let overBytes = this.bytes + bytes - maxQueuedBytes;
    const dropped: QueueEntry[] = [];
    if (overCount > 0 || overBytes > 0) {
      // First whether it helps: nothing is dropped for an Event that finds no room in the end.
      let count = 0;
      let room = 0;
      for (const level of [0, 1] as const) {
        if (level > keep) break;
        count += this.#expendable[level].count;
        room += this.#expendable[level].bytes;
      }
      if (count < overCount || room < overBytes) return undefined;
      for (const level of [0, 1] as const) {
        for (let entry = this.#same[level].first; entry !== undefined && (overCount > 0 || overBytes > 0); entry = this.#same[level].first) {
          this.#remove(entry);
          dropped.push(entry);
          overCount -= 1;
          overBytes -= entry.bytes;
        }
      }
    }
    this.#order += 1;
    this.#append({ wire, keep, bytes, order: this.#order, previous: undefined, next: undefined, previousSame: undefined, nextSame: undefined });
    return dropped;
  }

  /** Takes the next Events into flight, where they count but are not dropped. Only when none is in flight. */
  take(maxEvents: number, maxBytes: number): readonly QueueEntry[] {
    const batch: QueueEntry[] = [];
    let bytes = 0;
    for (let entry = this.#all.first; entry !== undefined; entry = this.#all.first) {
      const size = entry.bytes - ENTRY_OVERHEAD_BYTES;
      if (batch.length >= maxEvents || (batch.length > 0 && bytes + size > maxBytes)) break;
      this.#remove(entry);
      batch.push(entry);
      bytes += size;
      this.#flyingBytes += entry.bytes;
    }
    this.#flying = batch;
    return batch;
  }

  /** Events in flight that are settled, by their places: taken, or refused for good. */
  settle(places: (place: number) => boolean): readonly QueueEntry[] {
    const gone: QueueEntry[] = [];
    this.#flying = this.#flying.filter((entry, place) => {
      if (!places(place)) return true;
      gone.push(entry);
      this.#flyingBytes -= entry.bytes;
      return false;
    });
    return gone;
  }

  get flying(): readonly QueueEntry[] {
    return this.#flying;
  }

  /** Empties it. */
  clear(): readonly QueueEntry[] {
    const gone = [...this.settle(() => true)];
    for (let entry = this.#all.first; entry !== undefined; entry = this.#all.first) {
      this.#remove(entry);
      gone.push(entry);
    }
    return gone;
  }

  #append(entry: QueueEntry): void {
    const { last } = this.#all;
    entry.previous = last;
    if (last === undefined) this.#all.first = entry;
    else last.next = entry;
    this.#all.last = entry;
    const same = this.#same[entry.keep];
    entry.previousSame = same.last;
    if (same.last === undefined) same.first = entry;
    else same.last.nextSame = entry;
    same.last = entry;
    this.#account(entry, 1);
  }

  #remove(entry: QueueEntry): void {
    const { previous, next, previousSame, nextSame } = entry;
    if (previous === undefined) this.#all.first = next;
    else previous.next = next;
    if (next === undefined) this.#all.last = previous;
    else next.previous = previous;
    const same = this.#same[entry.keep];
    if (previousSame === undefined) same.first = nextSame;
    else previousSame.nextSame = nextSame;
    if (nextSame === undefined) same.last = previousSame;
    else nextSame.previousSame = previousSame;
    entry.previous = entry.next = entry.previousSame = entry.nextSame = undefined;
    this.#account(entry, -1);
  }

  #account(entry: QueueEntry, sign: 1 | -1): void {
    this.#waitingCount += sign;
    this.#waitingBytes += sign * entry.bytes;
    if (entry.keep === 2) return;
    const level = this.#expendable[entry.keep];
    level.count += sign;
    level.bytes += sign * entry.bytes;
  }
}
