import { checkCount, DEFAULT_CONNECTION_LIMITS, resolveLimit } from './limits.js';

/** Options of {@link FanOutBuffer}. */
export interface FanOutBufferOptions {
  /** Payload octets waiting for the subscriber; `Infinity` for no bound. Default 8 MiB. */
  readonly subscriberBufferBytes?: number | undefined;
}

/** The account of what waits for one subscriber (weida §9.5): a copy that does not fit is lost to that one, and counted. */
export class FanOutBuffer {
  readonly #max: number;
  #bytes = 0;
  #dropped = 0;

  constructor(options: FanOutBufferOptions = {}) {
    this.#max = resolveLimit('subscriberBufferBytes', options.subscriberBufferBytes, DEFAULT_CONNECTION_LIMITS.subscriberBufferBytes);
  }

  /** Octets waiting. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Takes a copy on account; `dropped` never waits. `too-large` can be held for nobody: publishing it fails, and no subscriber
   * counts a loss. Throws a `RangeError` for octets that are not a whole number.
   */
  offer(payloadBytes: number): 'queued' | 'dropped' | 'too-large' {
    checkCount('payloadBytes', payloadBytes);
    if (payloadBytes > this.#max) return 'too-large';
    if (this.#bytes + payloadBytes > this.#max) {
      this.#dropped++;
      return 'dropped';
    }
    this.#bytes += payloadBytes;
    return 'queued';
  }

  /** A copy was written, or given up. */
  release(payloadBytes: number): void {
    this.#bytes = Math.max(0, this.#bytes - checkCount('payloadBytes', payloadBytes));
  }

  /** A copy was lost elsewhere, as where no reverse connection was parked. */
  drop(): void {
    this.#dropped++;
  }
}
