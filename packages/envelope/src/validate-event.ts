import { checkEnvelope } from './check-envelope.js';
import type { EnvelopeIssue } from './errors.js';
import type { AepEvent } from './event.js';
import { jsonIssue } from './json-issue.js';
import { resolveLimits } from './limits.js';

/**
 * Checks a parsed value against the envelope rules (AEP-0001 §5, §6) and returns the first fault, or `undefined` for a
 * valid Event. The verdict is the one `parseEvent` gives on the text, whatever binding it came by; depth and surrogates
 * are looked at too. Only own properties count. Whether the type is registered and what `data` holds is not asked.
 *
 * A core attribute whose value is `undefined` counts as absent.
 *
 * Codes: `not-an-object`, `missing-attribute`, `forbidden-attribute`, `unsupported-version`, `invalid-type`,
 * `invalid-attribute`, `unsafe-integer`, `invalid-name`, `invalid-extension`, `too-deep`, `lone-surrogate`.
 *
 * @example
 * const issue = validateEvent(value);
 * if (issue !== undefined) report(issue.code, issue.path);
 */
export function validateEvent(value: unknown, options?: { readonly maxDepth?: number }): EnvelopeIssue | undefined {
  const { maxDepth } = resolveLimits(options);
  return jsonIssue(value, maxDepth) ?? envelopeIssue(value);
}

/** Whether a value is a valid Event; `validateEvent` says why not. */
export function isEvent(value: unknown): value is AepEvent {
  return validateEvent(value) === undefined;
}

/** The fault of a value by the envelope rules alone, without a look at what `data` holds. */
export function envelopeIssue(value: unknown): EnvelopeIssue | undefined {
  const verdict = checkEnvelope(value, 0);
  return typeof verdict === 'number' ? undefined : verdict;
}
