import type { JsonObject } from '@aepkit/envelope';

const RETRYABLE = {
  protocol_error: false,
  invalid_envelope: false,
  invalid_event_type: false,
  unsupported_version: false,
  internal_error: true,
  session_error: false,
  session_timeout: true,
  session_closed: false,
  unauthorized: false,
  subscription_error: false,
  subscription_rejected: false,
  task_error: false,
  task_cancelled: false,
  task_timeout: true,
  tool_error: false,
  tool_timeout: true,
} as const;

/** Codes of errors on the wire (C3): lower case with underscores, compared letter by letter. */
export type WireErrorCode = keyof typeof RETRYABLE;

/** Every {@link WireErrorCode}. */
export const WIRE_ERROR_CODES: readonly WireErrorCode[] = Object.freeze(Object.keys(RETRYABLE) as WireErrorCode[]);

/** `payload.error` of a message (C3). */
export interface WireError {
  readonly code: WireErrorCode;
  /** A sentence for people. */
  readonly message: string;
  /** Whether the same may succeed later. */
  readonly retryable: boolean;
  readonly details?: JsonObject;
}

/** Makes an error for the wire; whether it is retryable follows from its code (C3). */
export function wireError(code: WireErrorCode, message: string, details?: JsonObject): WireError {
  return { code, message, retryable: RETRYABLE[code], ...(details === undefined ? {} : { details }) };
}

/**
 * Reads the error of a peer (C3). A code that is not known is `protocol_error`, and so is anything that is no error at all;
 * `retryable` is what the peer says where it says it.
 */
export function readWireError(value: unknown): WireError {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wireError('protocol_error', 'no error object');
  const { code, message, retryable, details } = value as Record<string, unknown>;
  const known = isWireErrorCode(code) ? code : 'protocol_error';
  return {
    code: known,
    message: typeof message === 'string' ? message : '',
    retryable: known === code && typeof retryable === 'boolean' ? retryable : RETRYABLE[known],
    ...(typeof details === 'object' && details !== null && !Array.isArray(details) ? { details: details as JsonObject } : {}),
  };
}

function isWireErrorCode(code: unknown): code is WireErrorCode {
  return typeof code === 'string' && Object.hasOwn(RETRYABLE, code);
}
