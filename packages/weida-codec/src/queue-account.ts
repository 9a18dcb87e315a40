import { checkCount, DEFAULT_BROKER_LIMITS, resolveLimit } from './limits.js';

/** Octets charged for each message beside its payload and labels (weida §10). */
export const MESSAGE_OVERHEAD_BYTES = 256;

/** What of a message is charged. */
export interface QueuedMessage {
  readonly payloadBytes: number;
  /** Octets of topic and content type (OPEN-24). Default 0. */
  readonly labelBytes?: number | undefined;
}

/** Options of {@link QueueAccount}. */
export interface QueueAccountOptions {
  /** What the queue may hold, overhead included; `Infinity` for no bound. Default 8 MiB. */
  readonly queueBytes?: number | undefined;
}

/** The account of one queue in memory (weida §10): at its bound it admits nothing; what it confirmed stays until it is settled. */
export class QueueAccount {
  readonly #max: number;
  #bytes = 0;
  #messages = 0;

  constructor(options: QueueAccountOptions = {}) {
    this.#max = resolveLimit('queueBytes', options.queueBytes, DEFAULT_BROKER_LIMITS.queueBytes);
  }

  /** Octets charged. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Messages held. */
  get messages(): number {
    return this.#messages;
  }

  /**
   * Charges a message; false, and nothing charged, where it does not fit: refuse it with `rejected`. Throws a `RangeError` for
   * octets that are not a whole number, such as a `contentLen` that is absent.
   */
  admit(message: QueuedMessage): boolean {
    const cost = costOf(message);
    if (this.#bytes + cost > this.#max) return false;
    this.#bytes += cost;
    this.#messages++;
    return true;
  }

  /**
   * The message has its outcome: its octets are free. Handing it out alone frees nothing. Throws a `RangeError` where nothing is
   * held, or less than that.
   */
  settle(message: QueuedMessage): void {
    if (this.#messages === 0) throw new RangeError('nothing is held');
    const cost = costOf(message);
    if (cost > this.#bytes) throw new RangeError('less is held than that');
    this.#bytes -= cost;
    this.#messages--;
  }
}

function costOf(message: QueuedMessage): number {
  return checkCount('payloadBytes', message.payloadBytes) + checkCount('labelBytes', message.labelBytes ?? 0) + MESSAGE_OVERHEAD_BYTES;
}
