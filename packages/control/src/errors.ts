/**
 * Why a sender or an inbox was used wrongly. A closed set.
 *
 * - `not-a-command`: the type is no core command and no `x.{vendor}.control.{verb}` (AEP-0004 §2).
 * - `invalid-command`: a member that the command needs is missing or malformed (AEP-0004 §5).
 * - `content-above-capture`: a text needs a higher capture level than the one that was asked for (AEP-0004 §5).
 * - `unknown-command`: no command of this id is followed, or not any more.
 * - `too-many-commands`: as many commands as allowed wait for their answer.
 * - `closed`: the sender was closed.
 */
export type ControlErrorCode = 'not-a-command' | 'invalid-command' | 'content-above-capture' | 'unknown-command' | 'too-many-commands' | 'closed';

/** Every {@link ControlErrorCode}. */
export const CONTROL_ERROR_CODES: readonly ControlErrorCode[] = Object.freeze([
  'not-a-command',
  'invalid-command',
  'content-above-capture',
  'unknown-command',
  'too-many-commands',
  'closed',
]);

/** A wrong use of this package. Refusals and nacks are outcomes, not errors. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlErrorCode;
  /** Text for people; names the member. Holds no content of Events. */
  readonly detail: string;

  constructor(code: ControlErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}
