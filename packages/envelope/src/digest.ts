import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

import { EnvelopeError } from './errors.js';
import type { JsonValue } from './json.js';
import { jsonIssue } from './json-issue.js';

const DIGEST_BYTES = 16;

/**
 * The canonical JSON text of a value (RFC 8785): members sorted, no white space, one spelling per number.
 *
 * Throws {@link EnvelopeError} `not-json` for a value without a JSON form, a `bigint` included, and `lone-surrogate`.
 */
export function canonicalJson(value: JsonValue): string {
  const issue = jsonIssue(value, Infinity, true);
  if (issue !== undefined) throw new EnvelopeError(issue);
  return String(canonicalize(value));
}

/**
 * Digest of original content for the `*_digest` members (AEP-0003 §9.3): SHA-256 over the UTF-8 of the canonical JSON
 * text, first 16 bytes, as 32 lower-case hex characters. A string is digested in its JSON form, quotes included.
 *
 * Correlates, does not hide: content with few possible values can be guessed from it.
 *
 * Throws like {@link canonicalJson}.
 *
 * @example
 * digest({ b: 1, a: 2 }) === digest({ a: 2, b: 1 })   // true
 */
export function digest(value: JsonValue): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))).subarray(0, DIGEST_BYTES));
}
