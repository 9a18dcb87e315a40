/** Longest header, in octets, that is taken from a peer: 16 KiB (weida §10). */
export const DEFAULT_MAX_HEADER_BYTES = 16_384;

/** What one connection may cost (weida §10). Times are in milliseconds; `Infinity` takes a bound away. */
export interface ConnectionLimits {
  readonly maxHeaderBytes: number;
  /** One-way transfers at a time, parked ones included. */
  readonly maxConcurrentUniStreams: number;
  /** Exchanges at a time. */
  readonly maxConcurrentBidiStreams: number;
  readonly streamReceiveWindowBytes: number;
  readonly connectionReceiveWindowBytes: number;
  /** On the dialling side only. */
  readonly keepAliveMs: number;
  readonly idleTimeoutMs: number;
  /** Until the peer's HELLO has been processed. */
  readonly helloTimeoutMs: number;
  /** Filters, over all paths. */
  readonly maxSubscriptions: number;
  /** Payload waiting for one subscriber. */
  readonly subscriberBufferBytes: number;
  readonly maxSequenceScopes: number;
  readonly maxReorderHold: number;
  readonly maxDedupEntries: number;
  readonly maxLocalStreams: number;
  /** 0 refuses to subscribe over a socket. */
  readonly maxParkedReverse: number;
}

/** What a process may hold (weida §10). */
export interface RuntimeLimits {
  readonly maxConnections: number;
  /** Of one proved fingerprint. */
  readonly maxConnectionsPerPeer: number;
  readonly endpointQueue: number;
  readonly maxResolvedAddresses: number;
  readonly connectAttemptTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
}

/** What a broker may hold (weida §10). */
export interface BrokerLimits {
  /** Payload, labels and 256 octets for each message of one queue. */
  readonly queueBytes: number;
  readonly maxQueues: number;
  /** Deliveries of one subscription without an outcome. */
  readonly maxUnsettled: number;
}

/** Defaults of {@link ConnectionLimits}. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = Object.freeze({
  maxHeaderBytes: DEFAULT_MAX_HEADER_BYTES,
  maxConcurrentUniStreams: 2048,
  maxConcurrentBidiStreams: 1024,
  streamReceiveWindowBytes: 1_048_576,
  connectionReceiveWindowBytes: 16_777_216,
  keepAliveMs: 10_000,
  idleTimeoutMs: 30_000,
  helloTimeoutMs: 10_000,
  maxSubscriptions: 256,
  subscriberBufferBytes: 8_388_608,
  maxSequenceScopes: 1024,
  maxReorderHold: 256,
  maxDedupEntries: 4096,
  maxLocalStreams: 255,
  maxParkedReverse: 8,
});

/** Defaults of {@link RuntimeLimits}. */
export const DEFAULT_RUNTIME_LIMITS: RuntimeLimits = Object.freeze({
  maxConnections: 1024,
  maxConnectionsPerPeer: 64,
  endpointQueue: 256,
  maxResolvedAddresses: 8,
  connectAttemptTimeoutMs: 250,
  shutdownTimeoutMs: 1000,
});

/** Defaults of {@link BrokerLimits}. */
export const DEFAULT_BROKER_LIMITS: BrokerLimits = Object.freeze({ queueBytes: 8_388_608, maxQueues: 64, maxUnsettled: 256 });

/** Most octets of headers that one hostile connection can make a peer hold: a full one on every stream (weida §10). */
export function headerMemoryBytes(limits: ConnectionLimits = DEFAULT_CONNECTION_LIMITS): number {
  return limits.maxHeaderBytes * (limits.maxConcurrentUniStreams + limits.maxConcurrentBidiStreams);
}

/** A limit that is a positive integer or `Infinity`; throws a `RangeError` otherwise. */
export function resolveLimit(name: string, value: number | undefined, fallback: number): number {
  const limit = value ?? fallback;
  if (!(limit === Infinity || (Number.isSafeInteger(limit) && limit > 0))) throw new RangeError(`${name} must be a positive integer or Infinity`);
  return limit;
}

/** A number of octets that the caller counted; throws a `RangeError` for anything that would void an account. */
export function checkCount(name: string, value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 0)) throw new RangeError(`${name} must be a whole number of octets`);
  return value;
}

/** Length of headers that is taken; throws a `RangeError` unless it is an integer from 1 to 2^30. */
export function resolveHeaderLimit(value: number | undefined): number {
  const limit = value ?? DEFAULT_MAX_HEADER_BYTES;
  if (!(Number.isSafeInteger(limit) && limit > 0 && limit <= 0x4000_0000)) throw new RangeError('maxHeaderBytes must be an integer from 1 to 2^30');
  return limit;
}
