/**
 * Why a filter was refused. Every code but the three limits is `invalid-filter` on the wire (AEP-0003 §6.1, §6.5).
 *
 * - `invalid-json`: the text is not strict JSON: syntax, encoding, depth, a lone surrogate.
 * - `duplicate-key`: the text names one member twice, so that two readers could see two filters.
 * - `not-an-object`: the filter is not a plain JSON object.
 * - `not-filterable`: the key is a core attribute that filters may not name.
 * - `invalid-key`: the key is neither a filterable core attribute nor a legal extension name.
 * - `invalid-predicate`: the value is not a scalar, an inclusion array or a comparison.
 * - `inexact-integer`: a JavaScript number beyond ±(2^53−1), which may have been rounded already; pass a bigint.
 * - `empty-inclusion`: an inclusion array without an element.
 * - `invalid-pattern`: a `*` in a `type` predicate that is not the end of a legal `prefix.*`.
 * - `pattern-not-allowed`: a `*` in a string of any other key.
 * - `comparison-not-allowed`: a `gte`/`lte` object on a key other than `severity`, or inside an array.
 * - `invalid-comparison`: a severity comparison with an unknown operator, an unknown level or no bound.
 * - `too-large`, `too-many-keys`, `too-many-values`: a limit of the endpoint, `limit-exceeded` on the wire.
 */
export type FilterErrorCode =
  | 'invalid-json'
  | 'duplicate-key'
  | 'not-an-object'
  | 'not-filterable'
  | 'invalid-key'
  | 'invalid-predicate'
  | 'inexact-integer'
  | 'empty-inclusion'
  | 'invalid-pattern'
  | 'pattern-not-allowed'
  | 'comparison-not-allowed'
  | 'invalid-comparison'
  | 'too-large'
  | 'too-many-keys'
  | 'too-many-values';

const LIMIT_CODES: ReadonlySet<FilterErrorCode> = new Set<FilterErrorCode>(['too-large', 'too-many-keys', 'too-many-values']);

/** A filter that was refused as a whole: there is never a partial filter (AEP-0003 §6.1). */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  /** What is wrong. */
  readonly code: FilterErrorCode;
  /** Where: a path such as `$.severity.gte` or `$.agent[1]`; `$` is the filter itself. */
  readonly path: string;
  /** The code that answers a subscription with this filter (AEP-0003 §6.5). */
  readonly wireCode: 'invalid-filter' | 'limit-exceeded';

  constructor(code: FilterErrorCode, path: string, detail: string, options?: ErrorOptions) {
    super(`${path}: ${detail}`, options);
    this.code = code;
    this.path = path;
    this.wireCode = LIMIT_CODES.has(code) ? 'limit-exceeded' : 'invalid-filter';
  }
}
