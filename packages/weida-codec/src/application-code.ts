/** Codes of `CONNECTION_CLOSE`, `RESET_STREAM` and `STOP_SENDING` (weida §7); a space of its own beside {@link ERROR_CODE}. */
export const APPLICATION_CODE: { readonly noError: 0; readonly internal: 1; readonly protocolViolation: 2; readonly canceled: 3; readonly negotiationFailed: 4; readonly limitExceeded: 5; readonly shutdown: 6; readonly rejected: 7; readonly unknownEndpoint: 8; readonly unsupported: 9 } = Object.freeze({
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
});

/** A code of the transport. */
export type ApplicationCode = (typeof APPLICATION_CODE)[keyof typeof APPLICATION_CODE];
