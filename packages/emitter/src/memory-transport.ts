import type { WireEvent } from '@aepkit/envelope';

import { TransportError } from './errors.js';
import type { Transport } from './transport.js';

/** A {@link Transport} that keeps what it gets: for tests and for programs that read their own Events. */
export interface MemoryTransport extends Transport {
  /** What arrived, in order; not bounded. */
  readonly events: readonly WireEvent[];
  /** Sizes of the batches. */
  readonly batches: readonly number[];
  readonly closed: boolean;
  /** From now on every batch fails with this, until `fail(undefined)`. `true` stands for a failure that may pass. */
  fail(error: true | Error | undefined): void;
  clear(): void;
}

/**
 * Makes a {@link MemoryTransport}.
 *
 * @example
 * const transport = memoryTransport();
 * const emitter = createEmitter({ agent: 'my-agent', transport });
 */
export function memoryTransport(): MemoryTransport {
  const events: WireEvent[] = [];
  const batches: number[] = [];
  let failure: Error | undefined;
  let closed = false;
  return {
    events,
    batches,
    get closed() {
      return closed;
    },
    fail(error) {
      failure = error === true ? new TransportError('told to fail', { retryable: true }) : error;
    },
    clear() {
      events.length = 0;
      batches.length = 0;
    },
    send(batch) {
      if (failure !== undefined) return Promise.reject(failure);
      for (const event of batch) events.push(event);
      batches.push(batch.length);
      return Promise.resolve();
    },
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}
