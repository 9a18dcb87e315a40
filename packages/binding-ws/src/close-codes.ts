/** The close codes of this binding (RFC 6455 §7.4); AEP-0003 names none. */
export const CLOSE_CODES = {
  /** Nothing more to say. */
  normal: 1000,
  /** The endpoint or the client goes away. */
  shutdown: 1001,
  /** `hello-required` and `version-unsupported`. */
  protocol: 1002,
  /** A binary message. */
  binary: 1003,
  /** Text that is not UTF-8. */
  encoding: 1007,
  /** A slow consumer, or too many messages that cannot be read. */
  policy: 1008,
  /** A message above the limit. */
  tooLarge: 1009,
  /** A fault of this side. */
  internal: 1011,
  /** Nothing can be stored, or there are too many connections: try again later. */
  overload: 1013,
} as const;

/** One of {@link CLOSE_CODES}. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
