export { createRedactor } from './redactor.js';

export type { Finding } from './finding.js';
export type { Redactor, RedactorOptions, RedactionStream, TextScan, ValueScan } from './redactor.js';
export type { Rule, RuleStep } from './rule.js';
