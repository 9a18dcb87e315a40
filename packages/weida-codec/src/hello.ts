import { DIMENSIONS, type GuaranteeSet } from './guarantee-set.js';
import { type HelloFrame } from './hello-frame.js';
import { DEFAULT_CONNECTION_LIMITS, DEFAULT_MAX_HEADER_BYTES } from './limits.js';
import { type Uint } from './uint.js';

/** The wire version: 0. */
export const WIRE_VERSION = 0;

/** The only ALPN token of weida on QUIC. */
export const ALPN = 'weida/0';

/** Options of {@link hello}. */
export interface HelloOptions {
  /** Longest header taken, in octets. Default {@link DEFAULT_MAX_HEADER_BYTES}. */
  readonly maxHeaderBytes?: Uint | undefined;
  /** Inbound transfers at a time, as advice. Default 1024. */
  readonly maxTransfers?: Uint | undefined;
  readonly offered?: GuaranteeSet | undefined;
  /** Default: what is offered in `backpressure` and `producerNaming`, which are reached by equality only (OPEN-11). */
  readonly required?: GuaranteeSet | undefined;
}

/** The HELLO of a peer that speaks weida 0: version 0, no capability. */
export function hello(options: HelloOptions = {}): HelloFrame {
  const { offered } = options;
  const unordered = Object.fromEntries(
    DIMENSIONS.filter(({ name, core }) => (name === 'backpressure' || name === 'producerNaming') && (offered?.[name] ?? core) !== core).map(({ name }) => [name, offered?.[name]]),
  );
  const required: GuaranteeSet | undefined = options.required === undefined && Object.keys(unordered).length === 0 ? undefined : { ...unordered, ...options.required };
  return {
    kind: 'HELLO',
    versions: [WIRE_VERSION],
    maxHeaderBytes: options.maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES,
    maxTransfers: options.maxTransfers ?? DEFAULT_CONNECTION_LIMITS.maxConcurrentBidiStreams,
    capabilities: [],
    requiredCapabilities: [],
    ...(offered && { guaranteesOffered: offered }),
    ...(required && { guaranteesRequired: required }),
  };
}
