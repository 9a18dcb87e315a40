import { parseEvent, type WireEvent } from '@aepkit/envelope';
import { openSpool, SpoolError, type Spool, type SpoolLine, type SpoolOptions } from '@aepkit/spool';

import { TransportError, transportFacts } from './errors.js';
import { keepOf } from './event-queue.js';
import { milliseconds } from './options.js';
import { SpoolFlush, tookTooLong } from './spool-flush.js';
import { GLOBAL_TIMERS, idleTimer, type EmitterTimers } from './timers.js';
import type { Transport, TransportOptions, TransportPeer } from './transport.js';

/** Most Events of one delivery out of the spool, unless `maxBatchEvents` says otherwise. */
export const DEFAULT_SPOOL_BATCH_EVENTS = 500;
/** Most bytes of one delivery out of the spool, unless `maxBatchBytes` says otherwise: 1 MiB. */
export const DEFAULT_SPOOL_BATCH_BYTES = 1_048_576;
/**
 * How long the transport may take before Events go to the disk instead, and how long a flush waits for the next delivery out of the spool, in
 * milliseconds, unless `directTimeoutMs` says otherwise. Less than `flush` and `close` wait, so that what is left then is on the disk and not
 * lost.
 */
export const DEFAULT_DIRECT_TIMEOUT_MS = 2_000;
/** First pause before the spool is tried again, in milliseconds, unless `retryBaseMs` says otherwise. Doubles each time. */
export const DEFAULT_SPOOL_RETRY_BASE_MS = 500;
/** Longest pause before the spool is tried again, in milliseconds, unless `retryMaxMs` says otherwise. */
export const DEFAULT_SPOOL_RETRY_MAX_MS = 30_000;

/** Longest pause of its own while somebody waits for a flush, in milliseconds. */
const FLUSH_PAUSE_MS = 100;

/** What {@link spoolTransport} takes; the rest are options of `@aepkit/spool`. */
export interface SpoolTransportOptions extends SpoolOptions {
  /** Where Events go while it delivers. */
  readonly transport: Transport;
  /** Default {@link DEFAULT_SPOOL_BATCH_EVENTS}. */
  readonly maxBatchEvents?: number;
  /** Default {@link DEFAULT_SPOOL_BATCH_BYTES}. */
  readonly maxBatchBytes?: number;
  /** Default {@link DEFAULT_DIRECT_TIMEOUT_MS}. */
  readonly directTimeoutMs?: number;
  /** Default {@link DEFAULT_SPOOL_RETRY_BASE_MS}. */
  readonly retryBaseMs?: number;
  /** Default {@link DEFAULT_SPOOL_RETRY_MAX_MS}. */
  readonly retryMaxMs?: number;
  /** Told of every delivery that failed. What it throws is dropped. */
  readonly onError?: (error: unknown) => void;
  /** Told of Events that the spool had no room for, all of them `debug` and `info`. What it throws is dropped. */
  readonly onDropped?: (events: number) => void;
  /** Told of Events out of the spool that the other side will never take, and of lines that are no Events. What it throws is dropped. */
  readonly onRefused?: (events: number, error: unknown) => void;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Default: the global timers. */
  readonly timers?: EmitterTimers;
}

/** A {@link Transport} with a disk behind it. */
export interface SpoolTransport extends Transport {
  /**
   * Delivers what waits on the disk, as long as the inner transport answers. Rejects with its failure, with `TransportError` when no delivery ends
   * within `directTimeoutMs`, and with the last refusal where Events were refused for good meanwhile.
   */
  flush(options: TransportOptions): Promise<void>;
  /** Events on the disk, those of earlier and other programs that share it included, as far as this one has seen. */
  pending(): number;
  close(): Promise<void>;
  /** Resolves when nothing waits on the disk, or `false` after so long. */
  drained(timeoutMs: number): Promise<boolean>;
}

/**
 * Puts a spool behind a transport: what it does not deliver goes to the disk, whole Events, and from then on everything goes there until
 * the disk is empty, so that the order holds. What an earlier process left goes out first. Several processes may share a folder.
 *
 * The emitter lets go of an Event when it is on the disk, and its `flush` and `close` try to deliver it from there. Where the disk is full,
 * `debug` and `info` are dropped, and others stay in the queue of the emitter. `close` leaves on the disk what waits there.
 *
 * Rejects with `SpoolError` when the folder cannot be used.
 *
 * @example
 * const transport = await spoolTransport({ path: '/var/lib/me/spool', transport: httpTransport({ url }) });
 */
export async function spoolTransport(options: SpoolTransportOptions): Promise<SpoolTransport> {
  const transport = new Spooling(options, await openSpool(options));
  await transport.begin();
  return transport;
}

class Spooling implements SpoolTransport {
  readonly #options: SpoolTransportOptions;
  readonly #spool: Spool;
  readonly #inner: Transport;
  readonly #timers: EmitterTimers;
  readonly #abort = new AbortController();
  /** Everything goes to the disk. */
  #backlog = true;
  /** The call of the inner transport that runs, also one that is no longer waited for. */
  #direct: Promise<unknown> = Promise.resolve();
  #chain: Promise<unknown> = Promise.resolve();
  #draining: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #waiters: (() => void)[] = [];
  readonly #flushes = new Set<SpoolFlush>();
  /** A call of the inner transport was given up, and has not settled. */
  #hangs = false;
  #waiting = 0;

  constructor(options: SpoolTransportOptions, spool: Spool) {
    for (const name of ['directTimeoutMs', 'retryBaseMs', 'retryMaxMs'] as const) milliseconds(name, options[name] ?? 0);
    this.#options = options;
    this.#spool = spool;
    this.#inner = options.transport;
    this.#timers = options.timers ?? GLOBAL_TIMERS;
  }

  attach(peer: TransportPeer): void {
    this.#inner.attach?.(peer);
  }

  async begin(): Promise<void> {
    this.#backlog = !(await this.#spool.isEmpty());
    if (!this.#backlog) return;
    await this.#count();
    this.#drain();
  }

  send(batch: readonly WireEvent[], options: TransportOptions): Promise<void> {
    return this.#alone(async () => {
      let rest = batch;
      if (!this.#backlog) {
        const failure = await this.#sendDirect(batch, options.signal);
        if (failure === undefined) return;
        const facts = transportFacts(failure, batch.length);
        if (facts?.retryable === false) throw failure as Error;
        this.#tell(() => this.#options.onError?.(failure));
        rest = batch.slice(facts?.accepted ?? 0);
        if (rest.length === 0) return;
        this.#backlog = true;
        // Not at once: it has just failed.
        try {
          await this.#keep(rest, batch.length - rest.length);
        } finally {
          // Also where the disk took nothing: the way back to the transport goes through an empty spool.
          this.#drain(true);
        }
        return;
      }
      try {
        await this.#keep(rest, 0);
      } finally {
        this.#drain();
      }
    });
  }

  async flush({ signal }: TransportOptions): Promise<void> {
    if (!this.#backlog || signal.aborted || isAborted(this.#abort.signal)) return;
    if (this.#hangs) throw tookTooLong();
    const flush = new SpoolFlush(this.#timers, this.#options.directTimeoutMs ?? DEFAULT_DIRECT_TIMEOUT_MS);
    const over = (): void => {
      flush.end();
    };
    signal.addEventListener('abort', over, { once: true });
    this.#flushes.add(flush);
    this.#drain();
    this.#wake?.();
    try {
      await flush.ended;
    } finally {
      this.#flushes.delete(flush);
      signal.removeEventListener('abort', over);
      await this.#count();
    }
  }

  pending(): number {
    return this.#waiting;
  }

  async drained(timeoutMs: number): Promise<boolean> {
    if (!this.#backlog) return true;
    this.#wake?.();
    let timer: unknown;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      timer = this.#timers.setTimeout(resolve, timeoutMs);
    });
    this.#timers.clearTimeout(timer);
    return !this.#backlog;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    for (const flush of this.#flushes) flush.end();
    this.#wake?.();
    await this.#draining;
    await this.#chain;
    await this.#spool.close();
    await this.#inner.close?.();
  }

  /** Gives the failure rather than throwing it. */
  async #sendDirect(batch: readonly WireEvent[], outer: AbortSignal): Promise<unknown> {
    await this.#direct;
    const patience = new AbortController();
    const signal = AbortSignal.any([outer, this.#abort.signal, patience.signal]);
    let timer: unknown;
    const late = new Promise<unknown>((resolve) => {
      timer = this.#timers.setTimeout(() => {
        patience.abort();
        this.#hangs = true;
        resolve(tookTooLong());
      }, this.#options.directTimeoutMs ?? DEFAULT_DIRECT_TIMEOUT_MS);
    });
    const sending = this.#inner.send(batch, { signal }).then(
      () => undefined,
      (error: unknown) => error ?? new TransportError('the transport failed', { retryable: true }),
    );
    this.#direct = sending;
    void sending.then(() => {
      this.#hangs = false;
    });
    const outcome = await Promise.race([sending, late]);
    this.#timers.clearTimeout(timer);
    return outcome;
  }

  /** Brings Events to the disk; rejects where one that must not be dropped finds no room, with how many were kept before. */
  async #keep(batch: readonly WireEvent[], before: number): Promise<void> {
    let accepted = before;
    for (const run of runsOf(batch)) {
      try {
        const { kept, dropped } = await this.#spool.append(run);
        this.#waiting = Math.max(0, this.#waiting + run.length - dropped);
        if (dropped > 0) this.#tell(() => this.#options.onDropped?.(run[0]?.expendable === true ? dropped : dropped - (run.length - kept)));
        if (kept < run.length && run[0]?.expendable !== true) throw new TransportError('the spool is full', { retryable: true, code: 'spool-full', accepted: accepted + kept });
        accepted += run.length;
      } catch (cause) {
        if (cause instanceof TransportError) throw cause;
        const tooLong = cause instanceof SpoolError && cause.code === 'line-too-long';
        throw new TransportError('the spool did not take it', { retryable: !tooLong, accepted, cause });
      }
    }
  }

  #drain(pauseFirst = false): void {
    this.#draining ??= this.#drainAll(pauseFirst).finally(() => {
      this.#draining = undefined;
    });
  }

  async #drainAll(pauseFirst: boolean): Promise<void> {
    const { signal } = this.#abort;
    const { maxBatchEvents = DEFAULT_SPOOL_BATCH_EVENTS, maxBatchBytes = DEFAULT_SPOOL_BATCH_BYTES } = this.#options;
    let failures = 0;
    if (pauseFirst) await this.#pause(1);
    while (!isAborted(signal)) {
      try {
        const { left, busy, delivered } = await this.#spool.drain((lines) => this.#deliver(lines), { maxLines: maxBatchEvents, maxBytes: maxBatchBytes, signal });
        if (delivered > 0) failures = 0;
        // Under the same lock as `send`: nothing comes between the look and the change.
        if (!left && (await this.#alone(() => this.#switchBack()))) return;
        if (!busy) continue;
      } catch (error) {
        if (isAborted(signal)) return;
        this.#tell(() => this.#options.onError?.(error));
        for (const flush of this.#flushes) flush.fail(error);
        this.#flushes.clear();
      }
      failures += 1;
      await this.#pause(failures);
      // Another process that was busy may have emptied it.
      if (!isAborted(signal) && (await this.#alone(() => this.#switchBack()))) return;
    }
  }

  async #switchBack(): Promise<boolean> {
    try {
      if (!(await this.#spool.isEmpty())) return false;
    } catch (error) {
      this.#tell(() => this.#options.onError?.(error));
      return false;
    }
    this.#backlog = false;
    this.#waiting = 0;
    for (const flush of this.#flushes) flush.end();
    for (const resolve of this.#waiters.splice(0)) resolve();
    return true;
  }

  /** Rejects where the Events have to stay. One that is refused for good is left out, or nothing behind it would ever go. */
  async #deliver(lines: readonly string[]): Promise<void> {
    await this.#direct;
    let rest = this.#parse(lines);
    let single = false;
    const refused = (error: unknown): void => {
      for (const flush of this.#flushes) flush.refused(error);
      this.#tell(() => this.#options.onRefused?.(1, error));
    };
    while (rest.length > 0) {
      const batch = single ? rest.slice(0, 1) : rest;
      try {
        await this.#inner.send(batch, { signal: this.#abort.signal });
        rest = rest.slice(batch.length);
      } catch (error) {
        const facts = transportFacts(error, batch.length);
        if (facts?.retryable !== false) throw error;
        const { accepted, index } = facts;
        rest = rest.slice(accepted);
        if (index === undefined) single = true;
        else {
          rest = rest.toSpliced(index - accepted, 1);
          refused(error);
        }
      }
    }
    this.#waiting = Math.max(0, this.#waiting - lines.length);
    for (const flush of this.#flushes) flush.progressed();
  }

  async #count(): Promise<void> {
    try {
      const { lines } = await this.#spool.stats();
      this.#waiting = this.#backlog ? lines : 0;
    } catch {
      // Closed, or the disk is gone: what was counted stands.
    }
  }

  #parse(lines: readonly string[]): readonly WireEvent[] {
    const events: WireEvent[] = [];
    for (const line of lines) {
      try {
        events.push(parseEvent(line, { maxBytes: Infinity }));
      } catch (error) {
        this.#tell(() => this.#options.onRefused?.(1, error));
      }
    }
    return events;
  }

  async #pause(failures: number): Promise<void> {
    if (isAborted(this.#abort.signal)) return;
    const { retryBaseMs = DEFAULT_SPOOL_RETRY_BASE_MS, retryMaxMs = DEFAULT_SPOOL_RETRY_MAX_MS, random = Math.random } = this.#options;
    // With somebody waiting it is another process that is at work.
    const patience = this.#flushes.size > 0 ? FLUSH_PAUSE_MS : Infinity;
    const longest = Math.min(retryMaxMs, patience, retryBaseMs * 2 ** Math.min(failures - 1, 40));
    let timer: unknown;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = idleTimer(this.#timers, resolve, Math.round(longest * (0.5 + random() / 2)));
    });
    this.#wake = undefined;
    this.#timers.clearTimeout(timer);
  }

  #alone<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#chain.then(task);
    this.#chain = turn.catch(() => undefined);
    return turn;
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch {
      // A counter that fails must not lose Events.
    }
  }
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Neighbours that fare alike go together, so that the answer of the spool says which of them it kept. */
function runsOf(batch: readonly WireEvent[]): readonly (readonly SpoolLine[])[] {
  const runs: SpoolLine[][] = [];
  for (const wire of batch) {
    const line = { text: wire.json, expendable: keepOf(wire) < 2 };
    const run = runs.at(-1);
    if (run?.[0]?.expendable === line.expendable) run.push(line);
    else runs.push([line]);
  }
  return runs;
}
