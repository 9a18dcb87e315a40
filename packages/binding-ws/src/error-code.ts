import type { Refused } from '@aepkit/hub';

import type { FrameFaultCode } from './frame-fault.js';

/**
 * Codes of the `error` frames of this endpoint, besides those of {@link FrameFaultCode}.
 *
 * - `hello-required`: the first message was no `hello`, or none came in time; the connection closes (AEP-0003 §3.5).
 * - `binary-unsupported`: a binary message; the connection closes (AEP-0003 §3.5).
 * - `too-many-faults`: more messages that cannot be read than `maxFaults`; the connection closes.
 * - `unauthorized`: with `id`, a `subscribe` or `roster` that is not permitted; with `cause`, an Event or a command.
 * - `limit-exceeded`: a limit of the endpoint would be broken; `detail` names it.
 * - `unavailable`: the endpoint takes no connections at the moment; the connection closes.
 * - `unsupported`, `ambiguous`, `no-route`: a command was refused (AEP-0004 §4.2).
 */
export type WsErrorCode =
  | FrameFaultCode
  | Refused['code']
  | 'hello-required'
  | 'binary-unsupported'
  | 'too-many-faults'
  | 'unavailable';
