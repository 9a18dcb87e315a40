export { DEFAULT_LOOKAHEAD, DEFAULT_MAX_DEPTH, MIN_NAME_LENGTH } from './options.js';
export { createRedactor } from './redactor.js';
export { RedactionError } from './errors.js';
export { redactionRules } from './rules.js';

export type { Finding } from './finding.js';
export type { RedactionErrorCode } from './errors.js';
export type { RedactionStream } from './redaction-stream.js';
export type { Redactor, TextScan, ValueScan } from './redactor.js';
export type { RedactorOptions, TokenPattern } from './options.js';
export type { Rule, RuleStep } from './rule.js';
export type { TokenAlphabet } from './token-row.js';
