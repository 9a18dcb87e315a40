import { decodeUtf8 } from './decode-utf8.js';
import { EnvelopeError, issueAt } from './errors.js';
import { exactInteger } from './exact-integer.js';
import { inspectText } from './inspect-text.js';
import type { ExactJsonValue, JsonValue } from './json.js';
import { resolveLimits, type ParseOptions } from './limits.js';
import { parseText } from './parse-text.js';
import type { PathSegment } from './path.js';

/** Options of {@link parseJson}. */
export interface ParseJsonOptions extends ParseOptions {
  /** Makes integers beyond ±(2^53−1) exact `bigint`s; default false, which leaves what `JSON.parse` makes of them. */
  readonly bigints?: boolean;
}

/** A number beyond ±(2^53−1) has sixteen digits in a row or an exponent. */
const MAYBE_UNSAFE = /[0-9]{16}|[0-9][eE]/;

/**
 * Parses JSON as strictly as an Event is parsed: a member named twice, a byte-order mark, a lone surrogate, bytes that are
 * not UTF-8 and too many levels are refused (AEP-0001 §5). For filters and everything else that arrives as JSON.
 *
 * Throws {@link EnvelopeError}: `too-large`, `invalid-utf8`, `byte-order-mark`, `invalid-json`, `too-deep`,
 * `duplicate-member`, `lone-surrogate`. RangeError for a bad limit.
 *
 * @example
 * parseJson('{"epoch":18014398509481985}', { bigints: true })   // { epoch: 18014398509481985n }
 */
export function parseJson(input: string | Uint8Array, options: ParseJsonOptions & { readonly bigints: true }): ExactJsonValue;
export function parseJson(input: string | Uint8Array, options?: ParseOptions & { readonly bigints?: false }): JsonValue;
export function parseJson(input: string | Uint8Array, options?: ParseJsonOptions): ExactJsonValue {
  const limits = resolveLimits(options);
  const text = textOf(input, limits.maxBytes);
  const value = parseText(text, limits);
  if (options?.bigints !== true || !MAYBE_UNSAFE.test(text)) return value;
  const root = { value };
  for (const { path, integer } of unsafeIntegers(text)) {
    if (integer === undefined) continue;
    let holder: object = root;
    let name: PathSegment = 'value';
    for (const segment of path) {
      holder = Reflect.get(holder, name) as object;
      name = segment;
    }
    // Defined, not assigned: the name may be `__proto__`.
    Object.defineProperty(holder, name, { value: integer, writable: true, enumerable: true, configurable: true });
  }
  return root.value;
}

/** The text of an input, after a look at its size. */
export function textOf(input: string | Uint8Array, maxBytes: number): string {
  if (typeof input === 'string') return input;
  if (input.byteLength > maxBytes) {
    throw new EnvelopeError(issueAt('too-large', '$', 'AEP-0001 §5', `more than ${String(maxBytes)} bytes`));
  }
  return decodeUtf8(input);
}

/** Integers beyond ±(2^53−1) in a text, with their exact values; `undefined` marks a fraction that rounds to an integer. */
export function unsafeIntegers(text: string): { readonly path: readonly PathSegment[]; readonly integer: bigint | undefined }[] {
  const found: { path: readonly PathSegment[]; integer: bigint | undefined }[] = [];
  inspectText(text, Infinity, (path, token) => {
    const double = Number(token);
    if (!Number.isFinite(double) || Math.abs(double) <= Number.MAX_SAFE_INTEGER) return;
    found.push({ path: [...path], integer: exactInteger(token) });
  });
  return found;
}
