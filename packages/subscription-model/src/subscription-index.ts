import { clauseMatches, fieldOf, type Filter, type FilterClause } from './filter.js';
import type { FilterField } from './filter-source.js';
import type { Routable } from './message.js';
import { PatternTree } from './pattern-tree.js';

/** One `add` of a {@link SubscriptionIndex}: the handle that `delete` takes. */
export interface IndexEntry<T> {
  readonly filter: Filter;
  readonly value: T;
}

/**
 * How often an event falls into one value of a field, as relative guesses. An entry goes under the field where guess times crowd
 * is least, so that many subscriptions to one session spread over their other fields.
 */
const FREQUENCY: Readonly<Record<FilterField, number>> = {
  task_id: 4,
  conversation_id: 8,
  session_id: 16,
  topic: 64,
  target: 128,
  source: 128,
  types: 256,
};
/** For each segment that a pattern leaves out. */
const WILDCARD_FACTOR = 8;

/** Entries that stand under one value or pattern. */
export interface Bucket<T> {
  readonly slots: Slot<T>[];
}

interface Slot<T> {
  readonly entry: Entry<T>;
  readonly bucket: Bucket<T>;
  readonly drop: () => void;
  at: number;
}

interface Entry<T> extends IndexEntry<T> {
  readonly index: SubscriptionIndex<T>;
  /** The clauses that the bucket does not settle. */
  readonly rest: readonly FilterClause[];
  slots: Slot<T>[];
  /** The last event this entry was met for: it may stand in several buckets of one event. */
  stamp: number;
  live: boolean;
}

/**
 * Finds the subscriptions that match an event without testing them all. Each stands in the buckets of its most selective field; an
 * event is looked up once for every field, and its type walked once through a tree of patterns. Verdicts are those of
 * {@link Filter.matches}.
 *
 * @example
 * const index = new SubscriptionIndex<Subscriber>();
 * const entry = index.add(compileFilter({ types: 'task.*' }), subscriber);
 * for (const found of index.match(message)) found.deliver(message);
 * index.delete(entry);
 */
export class SubscriptionIndex<T> {
  readonly #tables: readonly (readonly [Exclude<FilterField, 'types'>, Map<string, Bucket<T>>])[] = (
    ['source', 'target', 'topic', 'session_id', 'conversation_id', 'task_id'] as const
  ).map((field) => [field, new Map<string, Bucket<T>>()] as const);
  readonly #tableOf: ReadonlyMap<FilterField, Map<string, Bucket<T>>> = new Map(this.#tables);
  readonly #types = new PatternTree<Bucket<T>>();
  #size = 0;
  #stamp = 0;

  /** How many entries there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds a filter with what it stands for. The same again is a second entry. A filter without clauses is never found. */
  add(filter: Filter, value: T): IndexEntry<T> {
    const chosen = this.#choose(filter.clauses);
    const rest = filter.clauses.filter((clause) => clause !== chosen);
    const entry: Entry<T> = { index: this, filter, value, rest, slots: [], stamp: 0, live: true };
    if (chosen !== undefined) {
      for (const [bucket, drop] of this.#bucketsOf(chosen)) {
        const slot = { entry, bucket, drop, at: bucket.slots.length };
        bucket.slots.push(slot);
        entry.slots.push(slot);
      }
    }
    this.#size += 1;
    return entry;
  }

  /** Removes an entry and the buckets it leaves empty. Gives whether it was there. */
  delete(handle: IndexEntry<T>): boolean {
    const entry = handle as Entry<T>;
    if (entry.index !== this || !entry.live) return false;
    for (const slot of entry.slots) {
      const { slots } = slot.bucket;
      const last = slots.pop();
      if (last !== undefined && last !== slot) {
        slots[slot.at] = last;
        last.at = slot.at;
      }
      if (slots.length === 0) slot.drop();
    }
    entry.slots = [];
    entry.live = false;
    this.#size -= 1;
    return true;
  }

  /** The values of all entries whose filter matches, once for each entry, in no particular order. */
  match(event: Routable): T[] {
    const found: T[] = [];
    const stamp = (this.#stamp += 1);
    for (const [field, table] of this.#tables) {
      if (table.size === 0) continue;
      const value = fieldOf(event, field);
      const bucket = value === undefined ? undefined : table.get(value);
      if (bucket !== undefined) take(bucket, event, stamp, found);
    }
    this.#types.visit(event.type, (bucket) => take(bucket, event, stamp, found));
    return found;
  }

  /** Buckets in use, for operators and tests. */
  get buckets(): number {
    return this.#tables.reduce((sum, [, table]) => sum + table.size, this.#types.size);
  }

  #choose(clauses: readonly FilterClause[]): FilterClause | undefined {
    let best: FilterClause | undefined;
    let least = Infinity;
    for (const clause of clauses) {
      let cost = 0;
      const table = this.#tableOf.get(clause.field);
      for (const value of clause.values) {
        const bucket = table === undefined ? this.#types.get(value.split('.'), false) : table.get(value);
        cost += FREQUENCY[clause.field] * (1 + (bucket?.slots.length ?? 0));
      }
      for (const { segments, open } of clause.patterns) {
        const wild = segments.reduce((count, segment) => count + (segment === '*' ? 1 : 0), open ? 1 : 0);
        const weight = segments.length === 0 ? 1e9 : FREQUENCY.types * WILDCARD_FACTOR ** Math.min(wild, 4);
        cost += weight * (1 + (this.#types.get(segments, open)?.slots.length ?? 0));
      }
      if (cost < least) [best, least] = [clause, cost];
    }
    return best;
  }

  #bucketsOf({ field, values, patterns }: FilterClause): (readonly [Bucket<T>, () => void])[] {
    const table = this.#tableOf.get(field);
    if (table !== undefined) return [...values].map((value) => [bucketIn(table, value), () => table.delete(value)] as const);
    const places = [...[...values].map((text) => ({ segments: text.split('.'), open: false })), ...patterns];
    return places.map(({ segments, open }) => {
      const bucket = this.#types.getOrAdd(segments, open, () => ({ slots: [] }));
      return [bucket, () => this.#types.delete(segments, open)] as const;
    });
  }
}

function bucketIn<T>(table: Map<string, Bucket<T>>, value: string): Bucket<T> {
  let bucket = table.get(value);
  if (bucket === undefined) table.set(value, (bucket = { slots: [] }));
  return bucket;
}

function take<T>(bucket: Bucket<T>, event: Routable, stamp: number, found: T[]): void {
  for (const { entry } of bucket.slots) {
    if (entry.stamp === stamp) continue;
    entry.stamp = stamp;
    if (entry.rest.every((clause) => clauseMatches(clause, event))) found.push(entry.value);
  }
}
