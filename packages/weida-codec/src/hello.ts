import { type GuaranteeSet } from './guarantee-set.js';
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
  /**
   * What the peer must reach. Silence demands core, so what an offer holds apart from core in `backpressure` and
   * `producerNaming`, and `acknowledgement` 0, is required by default (OPEN-11).
   */
  readonly required?: GuaranteeSet | undefined;
}

/** The HELLO of a peer that speaks weida 0: version 0, no capability. */
export function hello(options: HelloOptions = {}): HelloFrame {
  const { offered } = options;
  const least = leastRequired(offered ?? {});
  const required: GuaranteeSet | undefined = options.required === undefined && Object.keys(least).length === 0 ? undefined : { ...least, ...options.required };
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

/** What a peer with this offer has to require: silence would demand core, which it does not offer (OPEN-11). */
function leastRequired({ acknowledgement, backpressure, producerNaming }: GuaranteeSet): GuaranteeSet {
  return {
    ...(acknowledgement === 0 && { acknowledgement }),
    ...((backpressure ?? 0) !== 0 && { backpressure }),
    ...((producerNaming ?? 0) !== 0 && { producerNaming }),
  };
}
