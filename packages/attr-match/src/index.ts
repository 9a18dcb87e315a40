export { compileFilter } from './compile-filter.js';
export { FilterError } from './errors.js';
export { FilterIndex } from './filter-index.js';
export { FILTERABLE_ATTRIBUTES } from './filter-key.js';
export { DEFAULT_MAX_KEYS, DEFAULT_MAX_TEXT_BYTES, DEFAULT_MAX_VALUES } from './limits.js';
export { parseFilter } from './parse-filter.js';

export type { FilterErrorCode } from './errors.js';
export type { ClauseExplanation, ClauseReason, Explanation } from './explanation.js';
export type { IndexEntry, IndexStats } from './filter-index.js';
export type { FilterPredicate, FilterScalar, FilterSource, SeverityRange } from './filter-source.js';
export type { Filter } from './filter.js';
export type { FilterLimits } from './limits.js';
