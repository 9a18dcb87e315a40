import { TransportError } from './errors.js';
import type { EmitterTimers } from './timers.js';

/** What is said of an inner transport that does not answer. */
export function tookTooLong(): TransportError {
  return new TransportError('the transport took too long', { retryable: true, code: 'timeout' });
}

/** One wait for a spool to be delivered: it lasts as long as deliveries go on. */
export class SpoolFlush {
  /** Rejects as `SpoolTransport.flush` does. */
  readonly ended: Promise<undefined>;
  readonly #timers: EmitterTimers;
  readonly #patienceMs: number;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #timer: unknown;
  #settled = false;
  #refusal: { readonly error: unknown } | undefined;

  constructor(timers: EmitterTimers, patienceMs: number) {
    this.#timers = timers;
    this.#patienceMs = patienceMs;
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    this.ended = promise;
    this.#resolve = () => {
      resolve(undefined);
    };
    this.#reject = reject;
    this.#wait();
  }

  /** Something was delivered. */
  progressed(): void {
    if (this.#settled) return;
    this.#timers.clearTimeout(this.#timer);
    this.#wait();
  }

  /** The other side will never take one of them. */
  refused(error: unknown): void {
    this.#refusal = { error };
  }

  end(): void {
    this.#settle();
    if (this.#refusal === undefined) this.#resolve();
    else this.#reject(this.#refusal.error);
  }

  fail(error: unknown): void {
    this.#settle();
    this.#reject(error);
  }

  #settle(): void {
    this.#settled = true;
    this.#timers.clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = this.#timers.setTimeout(() => {
      this.fail(tookTooLong());
    }, this.#patienceMs);
  }
}
