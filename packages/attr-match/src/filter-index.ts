import type { AepEvent } from '@aepkit/envelope';
import { ATTRIBUTE_DEFAULTS, attributeValue } from './attribute-value.js';
import { everyClause, type Clause, type EventTest } from './clause.js';
import { clausesOf, type Filter } from './filter.js';
import type { FilterScalar } from './filter-source.js';
import { canonicalScalar } from './scalar.js';

/** One `add` of a {@link FilterIndex}: the handle that `delete` takes. */
export interface IndexEntry<T> {
  readonly filter: Filter;
  readonly value: T;
}

/** What a {@link FilterIndex} holds, for operators and tests. */
export interface IndexStats {
  readonly entries: number;
  /** Non-empty buckets. */
  readonly buckets: number;
  /** Entries that every Event is tested against. */
  readonly unindexed: number;
}

/**
 * How often an Event falls into one bucket of an attribute, as relative guesses: an id is seen once, a session's Events are
 * one in hundreds, an agent's one in a few. An entry goes under the predicate where guess times crowd is least, so many
 * filters pinned to one session spread over their other predicates, while filters for a thousand sessions stay with those.
 */
const FREQUENCY: ReadonlyMap<string, number> = new Map([
  ['id', 1],
  ['cause', 1],
  ['step', 4],
  ['run', 4],
  ['session', 16],
  ['subject', 32],
  ['source', 64],
  ['type', 256],
  ['agent', 512],
  ['epoch', 8192],
  ['severity', 4096],
  ['capture', 8192],
]);
const EXTENSION_FREQUENCY = 256;
const PREFIX_FREQUENCY = 1024;
/** Below this many extension tables, looking all of them up beats listing the Event's members. */
const FEW_TABLES = 8;

interface Entry<T> extends IndexEntry<T> {
  readonly index: FilterIndex<T>;
  /** The clauses that the bucket does not settle; `undefined` when there are none. */
  rest: EventTest | undefined;
  slots: Slot<T>[];
  /** The last Event this entry was met for: it may stand in several buckets of one Event. */
  stamp: number;
  live: boolean;
}

interface Slot<T> {
  readonly entry: Entry<T>;
  readonly bucket: Bucket<T>;
  at: number;
}

interface Bucket<T> {
  readonly slots: Slot<T>[];
  /** Takes the bucket out of its table once it is empty. */
  readonly drop: () => void;
}

type Table<T> = Map<FilterScalar, Bucket<T>>;

/**
 * Finds the filters that match an Event without testing them all. Each entry stands in the buckets of its most selective
 * predicate; an Event is looked up once per attribute and once per dotted prefix of its type, and only the entries found are
 * tested with what is left of their filter. The verdicts are those of {@link Filter.matches}.
 *
 * @example
 * const index = new FilterIndex<Subscription>();
 * const entry = index.add(parseFilter(text), subscription);
 * for (const match of index.match(event)) match.deliver(event);
 * index.delete(entry);
 */
export class FilterIndex<T> {
  readonly #core: ReadonlyMap<string, Table<T>> = new Map([...FREQUENCY.keys()].map((key) => [key, new Map()]));
  readonly #plain: readonly (readonly [string, Table<T>])[] = [...this.#core].filter(
    ([key]) => !ATTRIBUTE_DEFAULTS.has(key),
  );
  readonly #defaulted: readonly (readonly [string, Table<T>])[] = [...this.#core].filter(([key]) =>
    ATTRIBUTE_DEFAULTS.has(key),
  );
  readonly #prefixes: Table<T> = new Map();
  readonly #extensions = new Map<string, Table<T>>();
  readonly #everything: Bucket<T> = { slots: [], drop: () => undefined };
  /** How many prefixes there are of each length. */
  readonly #prefixLengths = new Map<number, number>();
  #size = 0;
  #stamp = 0;

  /** How many entries there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds a filter with what it stands for. The same filter and the same value may be added again: that is a second entry. */
  add(filter: Filter, value: T): IndexEntry<T> {
    const clauses = clausesOf(filter);
    const chosen = this.#choose(clauses);
    const left = clauses.filter((clause) => clause !== chosen);
    const rest = left.length === 0 ? undefined : everyClause(left);
    const entry: Entry<T> = { index: this, filter, value, rest, slots: [], stamp: 0, live: true };
    for (const bucket of chosen === undefined ? [this.#everything] : this.#bucketsFor(chosen)) {
      const slot = { entry, bucket, at: bucket.slots.length };
      bucket.slots.push(slot);
      entry.slots.push(slot);
    }
    this.#size += 1;
    return entry;
  }

  /** Removes an entry and the buckets it leaves empty. Gives whether it was there. */
  delete(handle: IndexEntry<T>): boolean {
    const entry = handle as Entry<T>;
    if (entry.index !== this || !entry.live) return false;
    for (const slot of entry.slots) {
      const { slots, drop } = slot.bucket;
      const last = slots.pop();
      if (last !== undefined && last !== slot) {
        slots[slot.at] = last;
        last.at = slot.at;
      }
      if (slots.length === 0) drop();
    }
    entry.slots = [];
    entry.live = false;
    this.#size -= 1;
    return true;
  }

  /** The values of all entries whose filter matches, once per entry, in no particular order. */
  match(event: AepEvent): T[] {
    return this.#collect(event).map((entry) => entry.value);
  }

  /**
   * Calls back for each matching entry. The callback may add and delete: an entry that is deleted before its turn is left
   * out, one that is added waits for the next Event.
   */
  forEachMatch(event: AepEvent, callback: (value: T, entry: IndexEntry<T>) => void): void {
    for (const entry of this.#collect(event)) if (entry.live) callback(entry.value, entry);
  }

  /** What is held. Walks the tables, not the entries. */
  stats(): IndexStats {
    let buckets = this.#prefixes.size;
    for (const tables of [this.#core, this.#extensions]) for (const table of tables.values()) buckets += table.size;
    const unindexed = this.#everything.slots.length;
    return { entries: this.#size, buckets: buckets + (unindexed > 0 ? 1 : 0), unindexed };
  }

  #choose(clauses: readonly Clause[]): Clause | undefined {
    let best: Clause | undefined;
    let bestCost = Infinity;
    for (const clause of clauses) {
      const table = this.#core.get(clause.key) ?? this.#extensions.get(clause.key);
      const frequency = FREQUENCY.get(clause.key) ?? EXTENSION_FREQUENCY;
      let cost = 0;
      for (const value of clause.values) cost += frequency * (1 + crowd(table, value));
      for (const prefix of clause.prefixes) cost += PREFIX_FREQUENCY * (1 + crowd(this.#prefixes, prefix));
      if (cost < bestCost) [best, bestCost] = [clause, cost];
    }
    return best;
  }

  #bucketsFor(clause: Clause): Bucket<T>[] {
    const table = this.#core.get(clause.key);
    const buckets = [...clause.values].map((value) =>
      table === undefined ? this.#extensionBucket(clause.key, value) : bucketIn(table, value),
    );
    return [...buckets, ...clause.prefixes.map((prefix) => this.#prefixBucket(prefix))];
  }

  #prefixBucket(prefix: string): Bucket<T> {
    const lengths = this.#prefixLengths;
    const known = this.#prefixes.get(prefix);
    if (known !== undefined) return known;
    lengths.set(prefix.length, (lengths.get(prefix.length) ?? 0) + 1);
    return bucketIn(this.#prefixes, prefix, () => {
      const others = (lengths.get(prefix.length) ?? 0) - 1;
      if (others > 0) lengths.set(prefix.length, others);
      else lengths.delete(prefix.length);
    });
  }

  #extensionBucket(name: string, value: FilterScalar): Bucket<T> {
    let table = this.#extensions.get(name);
    if (table === undefined) this.#extensions.set(name, (table = new Map<FilterScalar, Bucket<T>>()));
    const found = table;
    return bucketIn(found, value, () => {
      if (found.size === 0) this.#extensions.delete(name);
    });
  }

  #collect(event: AepEvent): Entry<T>[] {
    const found: Entry<T>[] = [];
    const stamp = (this.#stamp += 1);
    take(this.#everything, event, stamp, found);
    for (const [key, table] of this.#plain) if (table.size > 0) lookUp(table, key, event, stamp, found);
    for (const [key, table] of this.#defaulted) {
      if (table.size === 0) continue;
      const value = attributeValue(event, key);
      const bucket = value === undefined ? undefined : table.get(value);
      if (bucket !== undefined) take(bucket, event, stamp, found);
    }
    if (this.#prefixes.size > 0) this.#collectPrefixes(event, stamp, found);
    if (this.#extensions.size > 0) this.#collectExtensions(event, stamp, found);
    return found;
  }

  #collectPrefixes(event: AepEvent, stamp: number, found: Entry<T>[]): void {
    const type = attributeValue(event, 'type');
    if (typeof type !== 'string') return;
    // A prefix is cut out and hashed only where one of its length is subscribed: hashing each prefix of a type that is
    // nothing but dots would take the square of its length.
    for (let dot = type.indexOf('.'); dot >= 0; dot = type.indexOf('.', dot + 1)) {
      const bucket = this.#prefixLengths.has(dot) ? this.#prefixes.get(type.slice(0, dot)) : undefined;
      if (bucket !== undefined) take(bucket, event, stamp, found);
    }
  }

  #collectExtensions(event: AepEvent, stamp: number, found: Entry<T>[]): void {
    // Whichever is fewer: neither many subscribed names nor an Event with many members may cost more than the other has.
    if (this.#extensions.size <= FEW_TABLES) {
      for (const [name, table] of this.#extensions) lookUp(table, name, event, stamp, found);
      return;
    }
    const names = Object.keys(event);
    if (names.length < this.#extensions.size) {
      for (const name of names) {
        const table = this.#extensions.get(name);
        if (table !== undefined) lookUp(table, name, event, stamp, found);
      }
    } else {
      for (const [name, table] of this.#extensions) lookUp(table, name, event, stamp, found);
    }
  }
}

function crowd<T>(table: Table<T> | undefined, value: FilterScalar): number {
  return table?.get(value)?.slots.length ?? 0;
}

function bucketIn<T>(table: Table<T>, value: FilterScalar, dropped?: () => void): Bucket<T> {
  const known = table.get(value);
  if (known !== undefined) return known;
  const bucket: Bucket<T> = {
    slots: [],
    drop: () => {
      table.delete(value);
      dropped?.();
    },
  };
  table.set(value, bucket);
  return bucket;
}

function lookUp<T>(table: Table<T>, key: string, event: AepEvent, stamp: number, found: Entry<T>[]): void {
  const value = canonicalScalar(event[key]);
  if (value === undefined) return;
  const bucket = table.get(value);
  if (bucket !== undefined && Object.hasOwn(event, key)) take(bucket, event, stamp, found);
}

function take<T>(bucket: Bucket<T>, event: AepEvent, stamp: number, found: Entry<T>[]): void {
  for (const { entry } of bucket.slots) {
    if (entry.stamp === stamp) continue;
    entry.stamp = stamp;
    if (entry.rest === undefined || entry.rest(event)) found.push(entry);
  }
}
