import type { WireEvent } from '@aepkit/envelope';

/** What a transport gets besides Events. */
export interface TransportOptions {
  /** Set when the emitter gives up waiting. */
  readonly signal: AbortSignal;
}

/** Brings Events somewhere. One call at a time; the Events of a call, and the calls, are in order. */
export interface Transport {
  /**
   * Resolves when all of them are taken. Rejects with a `TransportError`, or any error for a failure that may pass: the same
   * Events come again, with the same ids and in the same order.
   */
  send(batch: readonly WireEvent[], options: TransportOptions): Promise<void>;
  /** Called once, after the last `send` has settled or was given up. */
  close?(): Promise<void>;
}
