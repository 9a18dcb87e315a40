/**
 * Why a text or a value is not an Event.
 *
 * - `invalid-utf8`: the bytes are not UTF-8.
 * - `byte-order-mark`: the text starts with U+FEFF.
 * - `invalid-json`: the text is not one JSON value.
 * - `not-json`: a value built in code has no JSON form: `NaN`, a function, a `bigint` inside `data`, an object with `toJSON`.
 * - `duplicate-member`: an object names one member twice, however it is spelled.
 * - `too-deep`: more levels of arrays and objects than `maxDepth`.
 * - `too-large`: more bytes than `maxBytes`.
 * - `lone-surrogate`: a name or a string holds half of a surrogate pair.
 * - `not-an-object`: the value is not a JSON object.
 * - `missing-attribute`: a required context attribute is absent.
 * - `forbidden-attribute`: the type excludes an attribute that is there (AEP-0001 §5.2).
 * - `unsupported-version`: `aep` names another version.
 * - `invalid-type`: `type` does not follow AEP-0001 §6.
 * - `invalid-attribute`: a context attribute or `data` has a value it cannot have.
 * - `unsafe-integer`: `seq` or `epoch` lies beyond 2^53−1.
 * - `invalid-name`: the name of an extension attribute is not `[a-z0-9]{1,20}`.
 * - `reserved-name`: an extension attribute is named like a core attribute; only from `checkExtensions`.
 * - `invalid-extension`: an extension attribute is not a string, an integer or a boolean.
 */
export type EnvelopeErrorCode =
  | 'invalid-utf8'
  | 'byte-order-mark'
  | 'invalid-json'
  | 'not-json'
  | 'duplicate-member'
  | 'too-deep'
  | 'too-large'
  | 'lone-surrogate'
  | 'not-an-object'
  | 'missing-attribute'
  | 'forbidden-attribute'
  | 'unsupported-version'
  | 'invalid-type'
  | 'invalid-attribute'
  | 'unsafe-integer'
  | 'invalid-name'
  | 'reserved-name'
  | 'invalid-extension';

/** Every {@link EnvelopeErrorCode}. */
export const ENVELOPE_ERROR_CODES: readonly EnvelopeErrorCode[] = Object.freeze([
  'invalid-utf8',
  'byte-order-mark',
  'invalid-json',
  'not-json',
  'duplicate-member',
  'too-deep',
  'too-large',
  'lone-surrogate',
  'not-an-object',
  'missing-attribute',
  'forbidden-attribute',
  'unsupported-version',
  'invalid-type',
  'invalid-attribute',
  'unsafe-integer',
  'invalid-name',
  'reserved-name',
  'invalid-extension',
] as const);

/** One fault of an Event. */
export interface EnvelopeIssue {
  readonly code: EnvelopeErrorCode;
  /** Where: `$` for the whole, `$.data.a[0]`, `$["odd name"]`. Long ones are cut and end in `…`. */
  readonly path: string;
  /** The section of the specification that sets the rule, for example `AEP-0001 §5`. */
  readonly section: string;
  /** A sentence for people that starts with the path. Holds names of members, never values. */
  readonly message: string;
}

/** Thrown by everything here that parses, serialises or digests. Recognise it by `name` and `code`. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly code: EnvelopeErrorCode;
  /** As in {@link EnvelopeIssue}. */
  readonly path: string;
  /** As in {@link EnvelopeIssue}. */
  readonly section: string;
  readonly issue: EnvelopeIssue;

  constructor(issue: EnvelopeIssue) {
    super(issue.message);
    this.code = issue.code;
    this.path = issue.path;
    this.section = issue.section;
    this.issue = issue;
  }
}

/** Builds an issue; the message gets the path in front and the section behind. */
export function issueAt(code: EnvelopeErrorCode, path: string, section: string, says: string): EnvelopeIssue {
  return { code, path, section, message: `${path}: ${says} (${section})` };
}
