import type { EventQueue, QueueEntry } from './event-queue.js';
import { transportFacts } from './errors.js';
import type { LossReason } from './losses.js';
import type { EmitterSettings } from './options.js';
import { idleTimer } from './timers.js';

/** A batch that did not go through. */
export interface TransportFailure {
  readonly error: unknown;
  /** Attempts made for the Events ahead, this one included. */
  readonly attempt: number;
  /** The pause ahead, in milliseconds; 0 where it goes on at once. */
  readonly delayMs: number;
  /** Events of the batch. */
  readonly events: number;
}

/** What a {@link Sender} tells. */
export interface SenderEvents {
  sent(events: number): void;
  lost(reason: LossReason, entries: readonly QueueEntry[], error: unknown): void;
  failed(failure: TransportFailure): void;
}

/** Longest pause of its own while somebody waits for a flush, in milliseconds. */
const FLUSH_PAUSE_MS = 1_000;

interface Waiter {
  readonly order: number;
  readonly resolve: () => void;
}

/**
 * Takes batches out of a queue and brings them to the transport, one at a time and in order. A failure that may pass is tried again
 * with the same Events after a pause; meanwhile everything else waits, since it comes later in the order.
 */
export class Sender {
  readonly #queue: EventQueue;
  readonly #settings: EmitterSettings;
  readonly #events: SenderEvents;
  readonly #abort = new AbortController();
  #waiters: Waiter[] = [];
  #delay: unknown;
  #running: Promise<void> | undefined;
  #attempts = 0;
  /** How many of the Events in flight the next attempt holds. */
  #window = Infinity;
  #resume: (() => void) | undefined;

  constructor(queue: EventQueue, settings: EmitterSettings, events: SenderEvents) {
    this.#queue = queue;
    this.#settings = settings;
    this.#events = events;
  }

  /** There is something new in the queue. */
  wake(): void {
    if (this.#running !== undefined || this.#abort.signal.aborted || this.#queue.count === 0) return;
    const { maxBatchEvents, maxBatchBytes, batchDelayMs, timers } = this.#settings;
    const full = this.#queue.waiting >= maxBatchEvents || this.#queue.waitingBytes >= maxBatchBytes;
    if (full || batchDelayMs === 0 || this.#waiters.length > 0) this.#start();
    else {
      // This one keeps the program alive: it is short, and what was emitted last is often what matters.
      this.#delay ??= timers.setTimeout(() => {
        this.#start();
      }, batchDelayMs);
    }
  }

  /** Resolves when nothing up to this order waits; goes ahead at once. */
  async flush(order: number, timeoutMs: number): Promise<void> {
    if (this.#isPast(order)) return;
    const { timers } = this.#settings;
    let timer: unknown;
    await new Promise<void>((resolve) => {
      const waiter = { order, resolve };
      this.#waiters.push(waiter);
      if (timeoutMs !== Infinity) {
        // Keeps the program alive: it is what the caller waits for.
        timer = timers.setTimeout(() => {
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          resolve();
        }, timeoutMs);
      }
      this.#resume?.();
      this.wake();
    });
    timers.clearTimeout(timer);
  }

  /** Ends what runs. */
  stop(): Promise<void> {
    this.#abort.abort();
    this.#clearDelay();
    this.#resume?.();
    return this.#running ?? Promise.resolve();
  }

  #start(): void {
    this.#clearDelay();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.wake();
    });
  }

  #clearDelay(): void {
    if (this.#delay !== undefined) this.#settings.timers.clearTimeout(this.#delay);
    this.#delay = undefined;
  }

  async #run(): Promise<void> {
    // Not in the turn of the emit: what is emitted together goes out together.
    await Promise.resolve();
    const { signal } = this.#abort;
    const { transport, maxBatchEvents, maxBatchBytes } = this.#settings;
    do {
      if (this.#queue.flying.length === 0) {
        this.#window = Infinity;
        if (this.#queue.take(maxBatchEvents, maxBatchBytes).length === 0) return;
      }
      const batch = this.#queue.flying.slice(0, this.#window);
      try {
        await transport.send(batch.map(({ wire }) => wire), { signal });
        this.#attempts = 0;
        this.#take(batch.length);
      } catch (error) {
        if (isAborted(signal)) return;
        await this.#fail(error, batch);
      }
      this.#tellWaiters();
    } while (!isAborted(signal) && (this.#queue.flying.length > 0 || this.#goOn()));
  }

  /** Whether the next batch goes at once, without waiting for company. */
  #goOn(): boolean {
    const { maxBatchEvents, maxBatchBytes, batchDelayMs } = this.#settings;
    const { waiting, waitingBytes } = this.#queue;
    return waiting > 0 && (waiting >= maxBatchEvents || waitingBytes >= maxBatchBytes || batchDelayMs === 0 || this.#waiters.length > 0);
  }

  async #fail(error: unknown, batch: readonly QueueEntry[]): Promise<void> {
    const facts = transportFacts(error, batch.length);
    const accepted = facts?.accepted ?? 0;
    if (accepted > 0) {
      this.#take(accepted);
      this.#attempts = 0;
    }
    const rest = batch.length - accepted;
    if (rest === 0) return;
    if (facts?.retryable === false) {
      this.#refuse(error, rest, facts.index === undefined ? undefined : facts.index - accepted);
      return;
    }
    this.#attempts += 1;
    const attempt = this.#attempts;
    if (attempt >= this.#settings.maxAttempts) {
      this.#attempts = 0;
      this.#events.failed({ error, attempt, delayMs: 0, events: rest });
      this.#lose('gave-up', (place) => place < rest, error);
      return;
    }
    const delayMs = this.#pauseMs(attempt, facts?.retryAfterMs);
    this.#events.failed({ error, attempt, delayMs, events: rest });
    await this.#pause(delayMs);
  }

  /** One Event will never be taken. Where nobody says which, they go one by one. */
  #refuse(error: unknown, rest: number, index: number | undefined): void {
    const attempt = this.#attempts + 1;
    this.#events.failed({ error, attempt, delayMs: 0, events: rest });
    if (index === undefined) this.#window = 1;
    else this.#lose('refused', (place) => place === index, error);
  }

  #take(count: number): void {
    this.#queue.settle((place) => place < count);
    this.#events.sent(count);
  }

  #lose(reason: LossReason, places: (place: number) => boolean, error: unknown): void {
    this.#events.lost(reason, this.#queue.settle(places), error);
  }

  /** Doubles up to a bound; the upper half of it is drawn, so that emitters that failed together do not come back together. */
  #pauseMs(attempt: number, retryAfterMs: number | undefined): number {
    const { retryBaseMs, retryMaxMs, random } = this.#settings;
    const patience = this.#waiters.length > 0 ? FLUSH_PAUSE_MS : Infinity;
    const longest = Math.min(retryMaxMs, patience, retryBaseMs * 2 ** Math.min(attempt - 1, 40));
    const pause = Math.round(longest * (0.5 + random() / 2));
    return retryAfterMs !== undefined && retryAfterMs > pause ? retryAfterMs : pause;
  }

  /** Ends early for a flush or the end. */
  async #pause(delayMs: number): Promise<void> {
    if (isAborted(this.#abort.signal)) return;
    let timer: unknown;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      timer = idleTimer(this.#settings.timers, resolve, delayMs);
    });
    this.#resume = undefined;
    this.#settings.timers.clearTimeout(timer);
  }

  #isPast(order: number): boolean {
    const { oldest } = this.#queue;
    return oldest === undefined || oldest > order;
  }

  #tellWaiters(): void {
    const { waiting, done } = Object.groupBy(this.#waiters, ({ order }) => (this.#isPast(order) ? 'done' : 'waiting'));
    this.#waiters = waiting ?? [];
    for (const { resolve } of done ?? []) resolve();
  }
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
