import type { AepEvent } from '@aepkit/envelope';
import { ATTRIBUTE_DEFAULTS, attributeValue } from './attribute-value.js';
import type { FilterPredicate, FilterScalar } from './filter-source.js';
import { canonicalScalar } from './scalar.js';

/** One member of a filter, compiled. A severity comparison is held as the set of levels within its bounds. */
export interface Clause {
  readonly key: string;
  /** The predicate in normal form. */
  readonly predicate: FilterPredicate;
  /** The values that satisfy the clause, canonical. */
  readonly values: ReadonlySet<FilterScalar>;
  /** The `p` of each pattern `p.*`; on `type` only. */
  readonly prefixes: readonly string[];
  readonly test: EventTest;
}

/** A verdict on one Event. */
export type EventTest = (event: AepEvent) => boolean;

const always: EventTest = () => true;

/** The test of one clause on its own. */
export function clauseTest(key: string, values: ReadonlySet<FilterScalar>, prefixes: readonly string[]): EventTest {
  if (prefixes.length > 0) return typeTest(values, prefixes);
  const fallback = ATTRIBUTE_DEFAULTS.get(key);
  if (fallback !== undefined) {
    return (event) => {
      const value = attributeValue(event, key);
      return value !== undefined && values.has(value);
    };
  }
  const [only] = values;
  // The own-member check comes last: it is the dear part, and it matters only where the value is the right one.
  if (values.size === 1 && (typeof only === 'string' || typeof only === 'boolean')) {
    return (event) => event[key] === only && Object.hasOwn(event, key);
  }
  return (event) => {
    const value = canonicalScalar(event[key]);
    return value !== undefined && values.has(value) && Object.hasOwn(event, key);
  };
}

function typeTest(values: ReadonlySet<FilterScalar>, prefixes: readonly string[]): EventTest {
  const heads = prefixes.map((prefix) => `${prefix}.`);
  return (event) => {
    const type = attributeValue(event, 'type');
    return typeof type === 'string' && (values.has(type) || heads.some((head) => type.startsWith(head)));
  };
}

/** A conjunction: true when every clause holds, so true for none at all. */
export function everyClause(clauses: readonly Clause[]): EventTest {
  const [first, second, third] = clauses.map((clause) => clause.test);
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (third === undefined) return (event) => first(event) && second(event);
  if (clauses.length === 3) return (event) => first(event) && second(event) && third(event);
  const tests = clauses.map((clause) => clause.test);
  return (event) => tests.every((test) => test(event));
}
