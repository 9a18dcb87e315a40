import { pendingOf, type Transport } from './transport.js';
import { OUT_OF_TIME, troubleOf, type TransportTrouble } from './transport-trouble.js';

/** How long a transport has to say how far it came when a flush is over, in milliseconds. */
export const FLUSH_GRACE_MS = 100;

/** What a transport has taken, what of it is delivered, and what it said when it did not. */
export class DeliveryLedger {
  readonly #transport: Transport;
  #taken = 0;
  /** How many of them may be on a disk still. */
  #kept = 0;
  #failures = 0;
  /** The last failure of `send` since something went through, that of the last flush, and the last one that cost an Event. */
  #sendFailure: TransportTrouble | undefined;
  #flushFailure: TransportTrouble | undefined;
  #costly: TransportTrouble | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  taken(events: number): void {
    this.#taken += events;
    this.#kept = this.spooled === 0 ? 0 : this.#kept + events;
    this.#sendFailure = undefined;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#sendFailure = troubleOf(error);
  }

  lost(error: unknown): void {
    this.#costly = troubleOf(error);
  }

  get failures(): number {
    return this.#failures;
  }

  get spooled(): number {
    return pendingOf(this.#transport);
  }

  /** A spool is first in, first out: what it was given last is what waits. */
  get sent(): number {
    return this.#taken - Math.min(this.#kept, this.spooled);
  }

  /** Has the transport deliver what it keeps. Never rejects. */
  async flush(signal: AbortSignal): Promise<void> {
    this.#flushFailure = undefined;
    if (signal.aborted) return;
    try {
      await this.#transport.flush?.({ signal });
    } catch (error) {
      this.#flushFailure = troubleOf(error);
    }
  }

  /** What to tell; `waits`: something is in memory or on the disk still. */
  trouble(waits: boolean): TransportTrouble | undefined {
    return this.#flushFailure ?? (waits ? (this.#sendFailure ?? OUT_OF_TIME) : this.#costly);
  }
}
