import { EnvelopeError, parseJson, type JsonValue } from '@aepkit/envelope';

import { DEFAULT_DELIVERY_MODE, isDeliveryMode, type DeliveryMode } from './delivery-mode.js';
import { FilterError } from './errors.js';
import { explainClauses } from './explanation.js';
import { CRITERIA, FILTER_FIELDS, type FilterField, type FilterSource } from './filter-source.js';
import { clauseMatches, type Filter, type FilterClause } from './filter.js';
import { measureJson } from './measure-json.js';
import { DEFAULT_MAX_DEPTH, filterBounds, type FilterBounds, type FilterLimits } from './limits.js';
import type { Routable } from './message.js';
import { compilePattern, type TypePattern } from './type-pattern.js';

/** Options of {@link compileFilter}. */
export interface CompileOptions extends FilterLimits {
  /**
   * For evaluating what nobody requests: a filter needs no criterion, so that `{}` compiles and matches nothing, and a malformed
   * pattern selects nothing instead of being refused (§2.2, S-O3). Default false.
   */
  readonly lenient?: boolean;
}

/**
 * Compiles the payload of a `subscription.requested` (§2, §3.1). Refuses it as a whole, with the place that is wrong.
 *
 * Throws {@link FilterError}; RangeError for a bad limit.
 *
 * @example
 * const filter = compileFilter({ types: ['memory.*'], target: 'agent:researcher' });
 * filter.matches(message);
 */
export function compileFilter(value: unknown, options: CompileOptions = {}): Filter {
  const bounds = filterBounds(options);
  if (!isPlainObject(value)) throw new FilterError('not-an-object', '$', 'a filter is an object');
  // One reading: what is checked below and what is echoed later is this copy, whatever the caller does with its own.
  const { source, bytes } = copyOf(value, bounds);
  const lenient = options.lenient ?? false;
  const counter = { left: bounds.maxValues };
  const clauses = FILTER_FIELDS.flatMap((field) => clauseOf(source, field, bounds, counter, lenient) ?? []);
  const fromCursor = optionOf(source, 'from_cursor');
  const mode = modeOf(optionOf(source, 'delivery_mode'));
  if (!lenient && !clauses.some(({ field }) => CRITERIA.includes(field))) {
    throw new FilterError('no-criterion', '$', 'subscription must include at least one filter criterion');
  }
  // Equality costs less than patterns, so types, which stand first, are looked at last.
  const cheapest = clauses.toReversed();
  return Object.freeze({
    matches: (event: Routable) => cheapest.length > 0 && cheapest.every((clause) => clauseMatches(clause, event)),
    explain: (event: Routable) => explainClauses(clauses, event),
    clauses: Object.freeze(clauses),
    source,
    fromCursor,
    mode,
    bytes,
  });
}

/**
 * {@link compileFilter} for JSON text, read strictly: a member named twice, a lone surrogate and bad UTF-8 are refused.
 *
 * Throws {@link FilterError}; RangeError for a bad limit.
 */
export function parseFilter(text: string | Uint8Array, options: CompileOptions = {}): Filter {
  const { maxFilterBytes } = filterBounds(options);
  let value: JsonValue;
  try {
    value = parseJson(text, { maxBytes: maxFilterBytes, maxDepth: DEFAULT_MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const code = error.code === 'too-large' || error.code === 'too-deep' ? error.code : 'invalid-json';
    throw new FilterError(code, error.path, 'not a filter in strict JSON', { cause: error });
  }
  return compileFilter(value, options);
}

/** Whether an event matches a filter, compiled or as written; an empty one matches nothing (§2.2). Throws {@link FilterError}. */
export function matches(filter: Filter | FilterSource, event: Routable): boolean {
  return (isCompiled(filter) ? filter : compileFilter(filter, { lenient: true })).matches(event);
}

function isCompiled(filter: Filter | FilterSource): filter is Filter {
  return typeof filter.matches === 'function';
}

function copyOf(value: object, { maxFilterBytes }: FilterBounds): { readonly source: Record<string, JsonValue>; readonly bytes: number } {
  const measured = measureJson(value, maxFilterBytes, DEFAULT_MAX_DEPTH);
  if (measured === 'too-deep') throw new FilterError('too-deep', '$', `a filter has more than ${DEFAULT_MAX_DEPTH} levels`);
  if (measured > maxFilterBytes) throw new FilterError('too-large', '$', `a filter has more than ${maxFilterBytes} bytes`);
  return { source: deepFreeze(JSON.parse(JSON.stringify(value)) as Record<string, JsonValue>), bytes: measured };
}

function clauseOf(
  source: Readonly<Record<string, JsonValue>>,
  field: FilterField,
  bounds: FilterBounds,
  counter: { left: number },
  lenient: boolean,
): FilterClause | undefined {
  if (!Object.hasOwn(source, field)) return undefined;
  const given = source[field];
  const path = `$.${field}`;
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw new FilterError('empty-list', path, `${field} is an empty array`);
  counter.left -= list.length;
  if (counter.left < 0) throw new FilterError('too-many-values', path, `a filter has more than ${bounds.maxValues} values`);
  const values = new Set<string>();
  const patterns = new Map<string, TypePattern>();
  for (const [at, item] of list.entries()) {
    const place = Array.isArray(given) ? `${path}[${at}]` : path;
    if (typeof item !== 'string') throw new FilterError('invalid-value', place, `${field} takes a string or an array of strings`);
    if (field !== 'types') values.add(item);
    else addPattern(item, place, bounds, lenient, values, patterns);
  }
  return { field, values, patterns: Object.freeze([...patterns.values()]) };
}

function addPattern(
  text: string,
  path: string,
  { maxSegments }: FilterBounds,
  lenient: boolean,
  values: Set<string>,
  patterns: Map<string, TypePattern>,
): void {
  try {
    const pattern = compilePattern(text, { maxSegments, path });
    if (text.includes('*')) patterns.set(text, pattern);
    else values.add(text);
  } catch (error) {
    if (!(lenient && error instanceof FilterError && error.code === 'invalid-pattern')) throw error;
  }
}

function optionOf(source: Readonly<Record<string, JsonValue>>, name: string): string | undefined {
  if (!Object.hasOwn(source, name)) return undefined;
  const value = source[name];
  if (typeof value !== 'string') throw new FilterError('invalid-value', `$.${name}`, `${name} takes a string`);
  return value;
}

function modeOf(text: string | undefined): DeliveryMode {
  if (text === undefined) return DEFAULT_DELIVERY_MODE;
  if (isDeliveryMode(text)) return text;
  throw new FilterError('unknown-mode', '$.delivery_mode', 'delivery_mode is best_effort, at_least_once or replayable');
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Depth is bounded by the time this runs. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
