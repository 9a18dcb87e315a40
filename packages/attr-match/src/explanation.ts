import type { AepEvent } from '@aepkit/envelope';
import { ATTRIBUTE_DEFAULTS, attributeValue } from './attribute-value.js';
import type { Clause } from './clause.js';
import type { FilterPredicate, FilterScalar } from './filter-source.js';
import { scalarKind } from './scalar.js';

/**
 * Why a clause holds or fails.
 *
 * - `equal`: the value is one that the clause lists. `pattern`: a `p.*` covers the type. `in-range`: within the bounds.
 * - `absent`: the Event lacks the attribute and it has no default. `different-type`: present, of a JSON type that no listed
 *   value has. `different-value`: same type, other value. `out-of-range`: outside the bounds.
 */
export type ClauseReason =
  | 'equal'
  | 'pattern'
  | 'in-range'
  | 'absent'
  | 'different-type'
  | 'different-value'
  | 'out-of-range';

/** The verdict of one member of a filter on one Event. */
export interface ClauseExplanation {
  readonly key: string;
  readonly matches: boolean;
  readonly reason: ClauseReason;
  /** What the filter asks for, in normal form. */
  readonly expected: FilterPredicate;
  /** What was compared; `undefined` when the attribute is absent. */
  readonly actual: FilterScalar | undefined;
  /** Whether `actual` is the default of an attribute that the Event leaves out (AEP-0003 §6.2.5). */
  readonly defaulted: boolean;
}

/** Why a filter matches an Event or does not: all its members, in the order of the normal form. */
export interface Explanation {
  readonly matches: boolean;
  readonly clauses: readonly ClauseExplanation[];
}

/** Evaluates every clause, also behind the first that fails. */
export function explainClauses(clauses: readonly Clause[], event: AepEvent): Explanation {
  const explained = clauses.map((clause) => explainClause(clause, event));
  return { matches: explained.every((clause) => clause.matches), clauses: explained };
}

function explainClause(clause: Clause, event: AepEvent): ClauseExplanation {
  const { key, predicate: expected } = clause;
  const actual = attributeValue(event, key);
  const matches = clause.test(event);
  const defaulted = ATTRIBUTE_DEFAULTS.has(key) && (!Object.hasOwn(event, key) || event[key] === undefined);
  return { key, matches, reason: reasonOf(clause, matches, actual), expected, actual, defaulted };
}

function reasonOf(clause: Clause, matches: boolean, actual: FilterScalar | undefined): ClauseReason {
  const ranged = typeof clause.predicate === 'object' && !Array.isArray(clause.predicate);
  if (actual === undefined) return 'absent';
  if (ranged) return matches ? 'in-range' : 'out-of-range';
  if (matches) return clause.values.has(actual) ? 'equal' : 'pattern';
  const kinds = new Set([...clause.values, ...clause.prefixes].map(scalarKind));
  return kinds.has(scalarKind(actual)) ? 'different-value' : 'different-type';
}
