import type { DeliveryMode } from './delivery-mode.js';
import type { Explanation } from './explanation.js';
import type { FilterField, FilterSource } from './filter-source.js';
import type { Routable } from './message.js';
import type { TypePattern } from './type-pattern.js';

/** One field of a filter, compiled. */
export interface FilterClause {
  readonly field: FilterField;
  /** Values that are compared for equality; for `types` the patterns without a wildcard. */
  readonly values: ReadonlySet<string>;
  /** Patterns with a wildcard; only of `types`. */
  readonly patterns: readonly TypePattern[];
}

/** A compiled filter (§2). Immutable; made by `compileFilter` and `parseFilter`. */
export interface Filter {
  /** Whether every field that is given matches (§2.2). A filter without fields matches nothing. */
  matches(event: Routable): boolean;
  /** The same verdict with a reason for each field. */
  explain(event: Routable): Explanation;
  /** The fields that restrict, in the order of §2. */
  readonly clauses: readonly FilterClause[];
  /** The filter as it was given, fields that are ignored included; a frozen copy (§3.2 echoes it). */
  readonly source: FilterSource;
  /** Where replay is asked to begin (§5). */
  readonly fromCursor: string | undefined;
  /** The mode that is asked for; `best_effort` where the filter names none (S-O12). */
  readonly mode: DeliveryMode;
  /** About how many bytes `source` takes. */
  readonly bytes: number;
}

/** The part of an event that a clause looks at (§2). */
export function fieldOf(event: Routable, field: FilterField): string | undefined {
  return field === 'types' ? event.type : event[field];
}

/** Whether one field matches: any one of its values is enough (§2). A field that the event lacks matches none (S-O8). */
export function clauseMatches({ field, values, patterns }: FilterClause, event: Routable): boolean {
  const value = fieldOf(event, field);
  if (value === undefined) return false;
  return values.has(value) || (patterns.length > 0 && patterns.some((pattern) => pattern.matches(value)));
}
