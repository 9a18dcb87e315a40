import type { AepEvent } from '@aepkit/envelope';
import { everyClause, type Clause } from './clause.js';
import { explainClauses, type Explanation } from './explanation.js';
import type { FilterPredicate, FilterScalar, FilterSource } from './filter-source.js';

/** A compiled `attr-match` filter (AEP-0003 §6). Immutable; made by `compileFilter` and `parseFilter`. */
export interface Filter {
  /** Whether every member of the filter holds for the Event. The Event's own capture is seen, not that of a ceiling. */
  matches(event: AepEvent): boolean;
  /** The same verdict with the reason of every member, for people who wonder why. */
  explain(event: AepEvent): Explanation;
  /**
   * The sessions outside of which nothing can match: the values of a `session` member, else `undefined`. A replay needs to
   * read no other session.
   */
  readonly sessions: ReadonlySet<string> | undefined;
  /** The normal form: keys in order, each value once and in order, one value without an array. Frozen. */
  readonly source: FilterSource;
  /** The normal form as JSON text, integers to the digit. Two filters with one text are the same filter. */
  readonly text: string;
  /** The normal form for `JSON.stringify`, integers to the digit where the runtime has `JSON.rawJSON`. */
  toJSON(): unknown;
}

const compiled = new WeakMap<Filter, readonly Clause[]>();

/** Builds a filter out of clauses that have been checked. */
export function filterOf(unordered: readonly Clause[]): Filter {
  const clauses = unordered.toSorted((a, b) => compareText(a.key, b.key));
  const source = Object.create(null) as Record<string, FilterPredicate>;
  for (const clause of clauses) source[clause.key] = clause.predicate;
  const pinned = clauses.find((clause) => clause.key === 'session');
  const filter: Filter = Object.freeze({
    matches: everyClause(clauses),
    explain: (event: AepEvent) => explainClauses(clauses, event),
    sessions: pinned === undefined ? undefined : new Set([...pinned.values].filter((value) => typeof value === 'string')),
    source: Object.freeze(source),
    text: textOf(source),
    toJSON: () => jsonOf(source),
  });
  compiled.set(filter, clauses);
  return filter;
}

/** The clauses of a filter that this module built; a `TypeError` for anything else. */
export function clausesOf(filter: Filter): readonly Clause[] {
  const clauses = compiled.get(filter);
  if (clauses === undefined) throw new TypeError('not a filter of compileFilter or parseFilter');
  return clauses;
}

/** Code-unit order, the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(source: FilterSource): string {
  const members = Object.entries(source).map(([key, predicate]) => `${JSON.stringify(key)}:${predicateText(predicate)}`);
  return `{${members.join(',')}}`;
}

function predicateText(predicate: FilterPredicate): string {
  if (isList(predicate)) return `[${predicate.map(predicateText).join(',')}]`;
  return typeof predicate === 'bigint' ? predicate.toString() : JSON.stringify(predicate);
}

function jsonOf(source: FilterSource): unknown {
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => [key, isList(value) ? value.map(rawInteger) : rawInteger(value)]),
  );
}

function rawInteger(value: FilterPredicate): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  return typeof value === 'bigint' && rawJSON !== undefined ? rawJSON(value.toString()) : value;
}

function isList(predicate: FilterPredicate): predicate is readonly FilterScalar[] {
  return Array.isArray(predicate);
}
