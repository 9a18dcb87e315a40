/**
 * What is wrong with a message. Each is also the `code` of the `error` frame that answers it.
 *
 * - `invalid-message`: not JSON, not one object, or no `type` that is a string.
 * - `invalid-event`: `type` has a dot, and it is no valid Event.
 * - `invalid-hello`: a `hello` with an unknown role, no `identity.agent` from an emitter, or a member of the wrong kind.
 * - `version-unsupported`: a `hello` whose `versions` is no list of strings with an entry.
 * - `invalid-filter`: a `subscribe` with no usable `id`; of the closed set of AEP-0003 §6.5.
 * - `limit-exceeded`: a `subscribe` longer than any that could be served.
 * - `invalid-request`: another frame whose members are not those of AEP-0003 §2.
 */
export type FrameFaultCode = 'invalid-message' | 'invalid-event' | 'invalid-hello' | 'version-unsupported' | 'invalid-filter' | 'limit-exceeded' | 'invalid-request';

/** A message that cannot be used. */
export interface FrameFault {
  readonly type: 'fault';
  readonly code: FrameFaultCode;
  /** Names the place; holds no value of the message. */
  readonly detail: string;
  /** `type` of the message, where it is that of a known frame. */
  readonly frame?: string;
  /** `id` of the frame, where it is usable. */
  readonly id?: string;
  /** `id` of the Event, where it has one. */
  readonly cause?: string;
}
