/**
 * What is wrong with a payload, or with what an emitter makes of one.
 *
 * From {@link validatePayload}, all errors:
 * - `missing-member`: a required member is absent.
 * - `wrong-type`: a member has another JSON type than its schema wants.
 * - `unknown-value`: a string is none of the values its schema lists.
 * - `out-of-range`: a number lies outside its bounds.
 * - `invalid-format`: a text does not have the form its schema names.
 *
 * From {@link checkEmission}:
 * - `unregistered-type`: a core name that 0.1 does not register.
 * - `reserved-type` (warning): a name that 0.1 keeps for later.
 * - `above-capture`: a member needs a higher `capture` than the Event declares.
 * - `data-at-none`: there is `data` at `capture` `none`.
 * - `missing-data` (warning): `data` is absent although its schema requires members.
 * - `missing-step`: a `run.step.*` Event does not name its `step`.
 * - `low-severity` (warning): a request for attention below `notice`, which backpressure may drop.
 * - `misplaced-member`: a member stands where it means nothing; a warning where it merely has no effect.
 * - `missing-fields`: a form without fields.
 * - `duplicate-id` (warning): a list names one id twice.
 * - `nested-answer`: an answer to a form is not flat.
 * - `invalid-currency`: not three capital letters.
 * - `missing-source` (warning): a citation without the source it cites.
 * - `several-offsets`: a citation has more than one kind of offset.
 * - `empty-token` (warning): a name is the empty string.
 *
 * From both: `more`: issues beyond the limit were not listed.
 */
export type PayloadIssueCode =
  | 'missing-member'
  | 'wrong-type'
  | 'unknown-value'
  | 'out-of-range'
  | 'invalid-format'
  | 'unregistered-type'
  | 'reserved-type'
  | 'above-capture'
  | 'data-at-none'
  | 'missing-data'
  | 'missing-step'
  | 'low-severity'
  | 'misplaced-member'
  | 'missing-fields'
  | 'duplicate-id'
  | 'nested-answer'
  | 'invalid-currency'
  | 'missing-source'
  | 'several-offsets'
  | 'empty-token'
  | 'more';

/** Every {@link PayloadIssueCode}. */
export const PAYLOAD_ISSUE_CODES: readonly PayloadIssueCode[] = /* @__PURE__ */ Object.freeze([
  'missing-member',
  'wrong-type',
  'unknown-value',
  'out-of-range',
  'invalid-format',
  'unregistered-type',
  'reserved-type',
  'above-capture',
  'data-at-none',
  'missing-data',
  'missing-step',
  'low-severity',
  'misplaced-member',
  'missing-fields',
  'duplicate-id',
  'nested-answer',
  'invalid-currency',
  'missing-source',
  'several-offsets',
  'empty-token',
  'more',
] as const);

/** One fault of a payload. */
export interface PayloadIssue {
  readonly code: PayloadIssueCode;
  /** `warning` where the specification recommends or leaves open, `error` where it requires. */
  readonly severity: 'error' | 'warning';
  /** Where in the Event: `$.data.tool.name`, `$.data.fields[0].choices`, `$.data["gen_ai.usage.input_tokens"]`. */
  readonly path: string;
  /** A sentence for people that starts with the path. Holds names of members, never values of the payload. */
  readonly message: string;
}
