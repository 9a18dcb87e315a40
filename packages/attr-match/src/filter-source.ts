import type { Severity } from '@aepkit/envelope';

/** One value of an equality: a string, an integer or a boolean; a bigint beyond ±(2^53−1). */
export type FilterScalar = string | number | bigint | boolean;

/** Inclusive bounds on `severity` (AEP-0003 §6.2.4); at least one of the two. */
export interface SeverityRange {
  readonly gte?: Severity;
  readonly lte?: Severity;
}

/** What one member of a filter asks for: equality, any of several, or bounds on `severity`. */
export type FilterPredicate = FilterScalar | readonly FilterScalar[] | SeverityRange;

/** A filter as data (AEP-0003 §6.1): every member must hold; `{}` matches every Event. */
export type FilterSource = Readonly<Record<string, FilterPredicate>>;
