import type { CloseReason } from '@aepkit/hub';

import { CLOSE_CODES, type CloseCode } from './close-codes.js';

/** `reason` of a `closing` frame from this endpoint: those of the hub, and some of the binding. */
export type EndReason = CloseReason | 'idle-timeout' | 'message-timeout' | 'too-many-faults' | 'limit-exceeded' | 'binary-unsupported';

/** The close code that follows each. */
export const END_CODES: Readonly<Record<EndReason, CloseCode>> = {
  shutdown: CLOSE_CODES.shutdown,
  'slow-consumer': CLOSE_CODES.policy,
  'replay-stalled': CLOSE_CODES.policy,
  'replay-evicted': CLOSE_CODES.policy,
  unavailable: CLOSE_CODES.overload,
  'replay-done': CLOSE_CODES.normal,
  'internal-error': CLOSE_CODES.internal,
  'idle-timeout': CLOSE_CODES.policy,
  'message-timeout': CLOSE_CODES.policy,
  'too-many-faults': CLOSE_CODES.policy,
  'limit-exceeded': CLOSE_CODES.tooLarge,
  'binary-unsupported': CLOSE_CODES.binary,
};
