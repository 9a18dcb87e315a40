import { clauseMatches, fieldOf, type FilterClause } from './filter.js';
import type { FilterField } from './filter-source.js';
import type { Routable } from './message.js';

/**
 * Why one field of a filter matches or not: `equal` to a value, selected by a `pattern`, `absent` from the event, or
 * `different` from every value.
 */
export type ClauseReason = 'equal' | 'pattern' | 'absent' | 'different';

/** The verdict of one field. */
export interface ClauseExplanation {
  readonly field: FilterField;
  readonly matches: boolean;
  readonly reason: ClauseReason;
  /** What the event has there. */
  readonly actual: string | undefined;
  /** The value or pattern that matched. */
  readonly by: string | undefined;
}

/** Why a filter matches an event or not. */
export interface Explanation {
  readonly matches: boolean;
  /** One for each field that restricts. None: the filter is empty, and matches nothing (§2.2). */
  readonly clauses: readonly ClauseExplanation[];
}

/** The reasons of every clause. */
export function explainClauses(clauses: readonly FilterClause[], event: Routable): Explanation {
  const explained = clauses.map((clause) => explainClause(clause, event));
  return { matches: explained.length > 0 && explained.every(({ matches }) => matches), clauses: explained };
}

function explainClause(clause: FilterClause, event: Routable): ClauseExplanation {
  const { field, values, patterns } = clause;
  const actual = fieldOf(event, field);
  const matches = clauseMatches(clause, event);
  if (actual === undefined) return { field, matches, reason: 'absent', actual, by: undefined };
  if (values.has(actual)) return { field, matches, reason: 'equal', actual, by: actual };
  const pattern = patterns.find((candidate) => candidate.matches(actual));
  return { field, matches, reason: pattern === undefined ? 'different' : 'pattern', actual, by: pattern?.text };
}
