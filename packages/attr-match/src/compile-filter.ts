import { SEVERITIES, type Severity } from '@aepkit/envelope';
import { clauseTest, type Clause } from './clause.js';
import { FilterError, type FilterErrorCode } from './errors.js';
import { filterKeyClass } from './filter-key.js';
import { compareText, filterOf, type Filter } from './filter.js';
import type { FilterPredicate, FilterScalar, SeverityRange } from './filter-source.js';
import { resolveLimits, type FilterLimits } from './limits.js';
import { canonicalScalar, scalarKind } from './scalar.js';
import { patternPrefix } from './type-pattern.js';

/**
 * Compiles an `attr-match` filter (AEP-0003 §6) from a JSON value: an object that JSON gave, or one built in code, with
 * bigints for integers beyond ±(2^53−1). Only own members count, each is read once, and the value is not kept.
 *
 * Throws {@link FilterError} for anything outside the grammar: the whole filter is refused, whatever its other members say.
 *
 * @example
 * const filter = compileFilter({ type: ['error.*', 'tool.denied'], severity: { gte: 'warning' } });
 * filter.matches(event);
 */
export function compileFilter(value: unknown, limits?: FilterLimits): Filter {
  const { maxTextBytes, maxKeys, maxValues } = resolveLimits(limits);
  if (!isPlainObject(value)) refuse('not-an-object', '$', 'a filter is a plain JSON object');
  const keys = Reflect.ownKeys(value);
  if (keys.length > maxKeys) refuse('too-many-keys', '$', `more than ${maxKeys} keys`);
  const budget = new Budget(maxTextBytes, maxValues);
  return filterOf(keys.map((key) => compileMember(key, value, budget)));
}

function compileMember(key: string | symbol, filter: Record<string, unknown>, budget: Budget): Clause {
  if (typeof key === 'symbol') refuse('invalid-key', '$', 'a symbol is no attribute name');
  const path = `$${keyPath(key)}`;
  budget.text(key, path);
  switch (filterKeyClass(key)) {
    case 'not-filterable':
      return refuse('not-filterable', path, 'this core attribute is not filterable');
    case 'invalid':
      return refuse('invalid-key', path, 'neither a filterable core attribute nor a legal extension name');
    default:
      return compilePredicate(key, filter[key], path, budget);
  }
}

function compilePredicate(key: string, predicate: unknown, path: string, budget: Budget): Clause {
  if (Array.isArray(predicate)) {
    const length = predicate.length;
    if (length === 0) refuse('empty-inclusion', path, 'an inclusion needs an element');
    budget.values(length, path);
    // A hole in a sparse array is no element, whatever stands on the prototype of arrays.
    return listClause(key, Array.from({ length }, (_, i) =>
      readScalar(key, Object.hasOwn(predicate, i) ? predicate[i] : undefined, `${path}[${i}]`, budget, 'inside an array')));
  }
  if (isPlainObject(predicate)) {
    if (key !== 'severity') refuse(comparisonOr(predicate), path, 'a comparison is possible on severity only');
    return rangeClause(predicate, path);
  }
  budget.values(1, path);
  return listClause(key, [readScalar(key, predicate, path, budget)]);
}

function readScalar(key: string, value: unknown, path: string, budget: Budget, where = 'here'): FilterScalar {
  if (isPlainObject(value)) refuse(comparisonOr(value), path, `an object is not possible ${where}`);
  const scalar = canonicalScalar(value);
  if (scalar === undefined) refuse('invalid-predicate', path, 'not a string, an integer or a boolean');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    // Two integers must not match because they round alike (AEP-0003 §6.2.2), and this one may have been rounded.
    refuse('inexact-integer', path, 'an integer beyond ±(2^53−1) has to come as text or as a bigint');
  }
  if (typeof scalar === 'bigint') budget.text(scalar.toString(), path);
  if (typeof scalar === 'string') {
    budget.text(scalar, path);
    if (!scalar.isWellFormed()) refuse('invalid-predicate', path, 'a lone surrogate');
    if (scalar.includes('*') && key !== 'type') refuse('pattern-not-allowed', path, 'patterns are possible on type only');
    if (scalar.includes('*') && patternPrefix(scalar) === undefined) {
      refuse('invalid-pattern', path, 'a pattern is a prefix of type tokens and a final .*');
    }
  }
  return scalar;
}

function listClause(key: string, read: readonly FilterScalar[]): Clause {
  const scalars = [...new Set(read)].sort(compareScalars);
  const prefixes = new Map<FilterScalar, string>();
  for (const scalar of scalars) {
    const prefix = key === 'type' && typeof scalar === 'string' ? patternPrefix(scalar) : undefined;
    if (prefix !== undefined) prefixes.set(scalar, prefix);
  }
  const values = new Set(scalars.filter((scalar) => !prefixes.has(scalar)));
  const [only, ...others] = scalars;
  const predicate = only !== undefined && others.length === 0 ? only : Object.freeze(scalars);
  return clause(key, predicate, values, [...prefixes.values()]);
}

function rangeClause(range: Record<string, unknown>, path: string): Clause {
  const bounds = Object.create(null) as { gte?: Severity; lte?: Severity };
  const operators = Reflect.ownKeys(range);
  for (const operator of operators) {
    if (operator !== 'gte' && operator !== 'lte') {
      const at = typeof operator === 'symbol' ? path : `${path}${keyPath(operator)}`;
      refuse('invalid-comparison', at, 'the operators are gte and lte');
    }
    const level = range[operator];
    if (!isSeverity(level)) refuse('invalid-comparison', `${path}.${operator}`, 'not a severity');
    bounds[operator] = level;
  }
  if (operators.length === 0) refuse('invalid-comparison', path, 'a comparison needs gte, lte or both');
  const { gte, lte } = bounds;
  const normal: SeverityRange = Object.assign(Object.create(null) as SeverityRange, gte && { gte }, lte && { lte });
  const low = gte === undefined ? 0 : SEVERITIES.indexOf(gte);
  const high = lte === undefined ? SEVERITIES.length : SEVERITIES.indexOf(lte) + 1;
  return clause('severity', Object.freeze(normal), new Set<FilterScalar>(SEVERITIES.slice(low, Math.max(low, high))), []);
}

function clause(
  key: string,
  predicate: FilterPredicate,
  values: ReadonlySet<FilterScalar>,
  prefixes: readonly string[],
): Clause {
  return { key, predicate, values, prefixes, test: clauseTest(key, values, prefixes) };
}

/** Bounds on what one filter may cost, counted while it is read. */
class Budget {
  #bytes: number;
  #values: number;
  readonly #maxBytes: number;
  readonly #maxValues: number;

  constructor(maxBytes: number, maxValues: number) {
    this.#bytes = this.#maxBytes = maxBytes;
    this.#values = this.#maxValues = maxValues;
  }

  text(text: string, path: string): void {
    // A UTF-16 unit is at least one byte of UTF-8, so a text too long by units needs no encoding.
    this.#bytes -= text.length > this.#bytes ? text.length : encoder.encode(text).length;
    if (this.#bytes < 0) refuse('too-large', path, `more than ${this.#maxBytes} bytes`);
  }

  values(count: number, path: string): void {
    this.#values -= count;
    if (this.#values < 0) refuse('too-many-values', path, `more than ${this.#maxValues} values`);
  }
}

const encoder = new TextEncoder();

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // Members that hide on a prototype would be dropped in silence, and the filter would match more than it says.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSeverity(value: unknown): value is Severity {
  return typeof value === 'string' && (SEVERITIES as readonly string[]).includes(value);
}

function comparisonOr(value: object): FilterErrorCode {
  return Object.hasOwn(value, 'gte') || Object.hasOwn(value, 'lte') ? 'comparison-not-allowed' : 'invalid-predicate';
}

const TYPE_ORDER = ['boolean', 'number', 'string'];

function compareScalars(a: FilterScalar, b: FilterScalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [kindA, kindB] = [scalarKind(a), scalarKind(b)];
  if (kindA === kindB) return a < b ? -1 : 1;
  return TYPE_ORDER.indexOf(kindA) - TYPE_ORDER.indexOf(kindB);
}

function keyPath(key: string): string {
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return /^[A-Za-z_$][\w$]*$/.test(key) && shown === key ? `.${key}` : `[${JSON.stringify(shown)}]`;
}

function refuse(code: FilterErrorCode, path: string, detail: string): never {
  throw new FilterError(code, path, detail);
}
