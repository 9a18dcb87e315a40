/** Codes of `CONNECTION_CLOSE`, `RESET_STREAM` and `STOP_SENDING` (weida §7); a space of its own beside {@link ERROR_CODE}. */
export const APPLICATION_CODE = {
  noError: 0,
  internal: 1,
  protocolViolation: 2,
  canceled: 3,
  negotiationFailed: 4,
  limitExceeded: 5,
  shutdown: 6,
  rejected: 7,
  unknownEndpoint: 8,
  unsupported: 9,
} as const;

/** A code of the transport. */
export type ApplicationCode = (typeof APPLICATION_CODE)[keyof typeof APPLICATION_CODE];
