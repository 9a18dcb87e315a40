import { type TopicFilter } from './topic-filter.js';

interface Node<T> {
  readonly above: Node<T> | undefined;
  /** The segment that leads here from above; `undefined` for `*`. */
  readonly segment: string | undefined;
  readonly literal: Map<string, Node<T>>;
  star: Node<T> | undefined;
  /** Entries whose filter ends here. */
  readonly here: Set<TopicFilterEntry<T>>;
  /** Entries whose filter goes on with `#`. */
  readonly rest: Set<TopicFilterEntry<T>>;
}

/** A handle for {@link TopicFilterIndex.delete}. */
export interface TopicFilterEntry<T> {
  readonly filter: TopicFilter;
  readonly value: T;
}

/**
 * Many topic filters, asked together: a tree of segments, so that what a topic costs follows its segments and its matches and
 * not the number of filters. Only filters that mix names and `*` in many ways at the same places cost more, at most what asking
 * each would.
 */
export class TopicFilterIndex<T> {
  readonly #root: Node<T> = node(undefined, undefined);
  readonly #places = new Map<TopicFilterEntry<T>, { readonly node: Node<T>; readonly set: Set<TopicFilterEntry<T>> }>();

  /** Number of entries. */
  get size(): number {
    return this.#places.size;
  }

  /** Adds a filter with what is to be found by it; the same pair may stand twice. */
  add(filter: TopicFilter, value: T): TopicFilterEntry<T> {
    const entry: TopicFilterEntry<T> = { filter, value };
    let at = this.#root;
    let rest = filter.text === '';
    if (!rest) {
      for (const segment of filter.text.split('.')) {
        if (segment === '#') rest = true;
        else if (segment === '*') at = at.star ??= node(at, undefined);
        else at = child(at, segment);
      }
    }
    const set = rest ? at.rest : at.here;
    set.add(entry);
    this.#places.set(entry, { node: at, set });
    return entry;
  }

  /** Takes an entry out; false where it is out already. */
  delete(entry: TopicFilterEntry<T>): boolean {
    const place = this.#places.get(entry);
    if (place === undefined) return false;
    this.#places.delete(entry);
    place.set.delete(entry);
    for (let at = place.node; at.above !== undefined && isBare(at); at = at.above) {
      if (at.segment === undefined) at.above.star = undefined;
      else at.above.literal.delete(at.segment);
    }
    return true;
  }

  /** The values of all entries whose filter selects the topic, each entry once, in no particular order. */
  match(topic: string): T[] {
    const found: T[] = [];
    let level: Node<T>[] = [this.#root];
    let start = 0;
    while (level.length > 0) {
      for (const at of level) for (const entry of at.rest) found.push(entry.value);
      if (start > topic.length) {
        for (const at of level) for (const entry of at.here) found.push(entry.value);
        break;
      }
      const dot = topic.indexOf('.', start);
      const end = dot < 0 ? topic.length : dot;
      const segment = topic.slice(start, end);
      start = end + 1;
      const next: Node<T>[] = [];
      for (const at of level) {
        const literal = at.literal.get(segment);
        if (literal !== undefined) next.push(literal);
        if (at.star !== undefined) next.push(at.star);
      }
      level = next;
    }
    return found;
  }

  /** Calls back with each value of {@link match}; the callback may add and delete. */
  forEachMatch(topic: string, callback: (value: T) => void): void {
    for (const value of this.match(topic)) callback(value);
  }
}

function node<T>(above: Node<T> | undefined, segment: string | undefined): Node<T> {
  return { above, segment, literal: new Map(), star: undefined, here: new Set(), rest: new Set() };
}

function child<T>(at: Node<T>, segment: string): Node<T> {
  let found = at.literal.get(segment);
  if (found === undefined) at.literal.set(segment, (found = node(at, segment)));
  return found;
}

function isBare(at: Node<unknown>): boolean {
  return at.here.size === 0 && at.rest.size === 0 && at.literal.size === 0 && at.star === undefined;
}
