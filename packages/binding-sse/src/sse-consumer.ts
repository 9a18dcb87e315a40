import { EnvelopeError, parseEvent, type WireEvent } from '@aepkit/envelope';
import { eventItem, exhaustedItems, Memory, type PositionSaver, positionSaver, type SavedPosition } from '@aepkit/resume';

import { type ResolvedConsumerOptions, resolveConsumerOptions, type SseConsumerOptions } from './consumer-options.js';
import { after, delay } from './delay.js';
import { SseConsumerError } from './errors.js';
import { parseExhausted } from './exhausted-comment.js';
import { isGoodbye } from './goodbye.js';
import { type Answer, openStream } from './open-stream.js';
import { backoff } from './retry.js';
import type { ClosedReason, SseItem } from './sse-item.js';
import { sseReader, type SseStep } from './sse-reader.js';
import { planStream, type StreamRequest } from './stream-plan.js';

/** Counters of a {@link SseConsumer}. */
export interface SseConsumerStats {
  /** Events given out, replacements included. */
  readonly events: number;
  /** Events that came again, or from before a live start, and were dropped. */
  readonly duplicates: number;
  /** Events that were given out again because they came with more in them. */
  readonly replaced: number;
  /** Messages that were no Event. */
  readonly invalid: number;
  /** Streams opened. */
  readonly opened: number;
}

/** How a stream ended. */
interface Ending {
  readonly reason: ClosedReason;
  readonly detail?: string;
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  /** It was of use: the next wait starts short again. */
  readonly progress?: boolean;
}

/**
 * Reads an event stream (AEP-0003 §3.3), comes back after each break, and resumes everything or says what it could not. Runs in
 * browsers and in Node.
 *
 * Repeats are dropped on `(source, id)`, unless `redeliveries` asks for those that are not of a replay. An item counts as processed when the next one is asked for; positions move then, never
 * before. What goes wrong with the endpoint comes out as an item; iterating throws {@link SseConsumerError} only.
 *
 * @example
 * const consumer = new SseConsumer({ url: 'http://127.0.0.1:4319/stream', filter: { severity: { gte: 'notice' } } });
 * for await (const item of consumer) {
 *   if (item.type === 'event') console.log(item.event.json);
 *   if (item.type === 'gap') console.error('Events may be missing', item);
 * }
 */
export class SseConsumer implements AsyncIterable<SseItem> {
  readonly #options: ResolvedConsumerOptions;
  readonly #memory: Memory;
  readonly #saver: PositionSaver | undefined;
  readonly #stop = new AbortController();
  readonly #counts = { events: 0, duplicates: 0, replaced: 0, invalid: 0, opened: 0 };
  #running = false;
  #resuming = false;
  #allRefused = false;
  #retryMs: number | undefined;
  /** The sessions this run is about, where it is not about all. */
  #sessions: ReadonlySet<string> | undefined;

  /** Throws `RangeError` or `TypeError` for options that make no sense. */
  constructor(options: SseConsumerOptions) {
    this.#options = resolveConsumerOptions(options);
    this.#sessions = this.#options.sessions;
    this.#memory = new Memory(this.#options);
    const failed = (message: string, cause: unknown): SseConsumerError => new SseConsumerError('store-failed', message, cause);
    if (this.#options.store !== undefined) this.#saver = positionSaver(this.#options.store, () => this.#memory.takeChanged(), failed);
  }

  /**
   * Runs until the end. An item counts as processed when the handler's promise is fulfilled; a handler that throws ends the run
   * with its error.
   */
  async run(handler: (item: SseItem) => void | Promise<void>): Promise<void> {
    for await (const item of this) await handler(item);
  }

  /** Ends the run: the iteration finishes without an error. */
  close(): void {
    this.#stop.abort();
  }

  /** How far each session of each source has been processed. */
  positions(): SavedPosition[] {
    return this.#memory.positions();
  }

  /** Counters since the start. */
  stats(): SseConsumerStats {
    return { ...this.#counts };
  }

  /** Once per consumer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SseItem, void, undefined> {
    if (this.#running) throw new SseConsumerError('already-running', 'A consumer runs once.');
    this.#running = true;
    const { signal } = this.#options;
    const stop = (): void => this.#stop.abort();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      await this.#begin();
      yield* this.#attempts();
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#stop.abort();
      await this.#saver?.flush();
    }
  }

  async #begin(): Promise<void> {
    const saved = await this.#saver?.load();
    if (saved !== undefined && saved.length > 0) {
      this.#memory.restore(saved);
      this.#resuming = true;
      return;
    }
    const { from, live } = this.#options;
    if (from === 'all') return;
    this.#memory.startBehind(from ?? []);
    // Without live delivery nothing but the named sessions was asked for.
    if (!live && from !== undefined) this.#sessions ??= new Set(from.map(({ session }) => session));
  }

  async *#attempts(): AsyncGenerator<SseItem, void, undefined> {
    const { minBackoffMs, maxBackoffMs, maxRetryAfterMs, random, timers } = this.#options;
    let failures = 0;
    while (!this.#stopped()) {
      const ending = yield* this.#attempt();
      if (ending === undefined || this.#stopped()) return;
      const { progress, retryAfterMs, ...closed } = ending;
      if (closed.reason === 'complete' || closed.reason === 'no-content') {
        yield { type: 'closed', ...closed };
        return;
      }
      failures = progress === true ? 0 : failures + 1;
      const shortest = Math.min(maxBackoffMs, Math.max(minBackoffMs, this.#retryMs ?? 0));
      const wait = backoff(Math.max(0, failures - 1), shortest, maxBackoffMs, random);
      // All that were turned away would be back in the same instant.
      const told = retryAfterMs === undefined ? 0 : Math.min(retryAfterMs, maxRetryAfterMs) + Math.round(shortest * random());
      const retryInMs = Math.max(wait, told);
      yield { type: 'closed', ...closed, retryInMs };
      await delay(timers, retryInMs, this.#stop.signal);
    }
  }

  /** One stream, from the request to its end; `undefined` when the run is over. */
  async *#attempt(): AsyncGenerator<SseItem, Ending | undefined, undefined> {
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    this.#stop.signal.addEventListener('abort', stop);
    try {
      const { answer, request } = await this.#ask(abort);
      if (this.#stopped()) return undefined;
      switch (answer.type) {
        case 'refused':
          yield { type: 'refused', status: answer.status, code: answer.code, detail: answer.detail };
          return undefined;
        case 'no-content':
          return { reason: 'no-content' };
        case 'no-answer':
          return { reason: 'no-answer', detail: answer.detail };
        case 'unavailable':
          return { reason: 'unavailable', status: answer.status, retryAfterMs: answer.retryAfterMs };
        case 'stream':
          return yield* this.#read(answer.body, request);
      }
    } finally {
      this.#stop.signal.removeEventListener('abort', stop);
      abort.abort();
    }
  }

  /** Tries the ways to ask, best first; the first refusal is the one that is told. */
  async #ask(abort: AbortController): Promise<{ answer: Answer; request: StreamRequest }> {
    const ways = planStream(this.#options, {
      resuming: this.#resuming,
      positions: this.#memory.resumePositions(),
      allRefused: this.#allRefused,
      sessions: this.#sessions,
    });
    let refused: { answer: Answer; request: StreamRequest } | undefined;
    let allRefused = false;
    for (const request of ways) {
      const answer = await openStream(this.#options, request.url, abort);
      const given = { answer, request };
      // Malformed, or too long: another way may do. That the endpoint has no `all` shows only when something else passes.
      if (answer.type === 'refused' && [400, 413, 414, 431].includes(answer.status)) {
        refused ??= given;
        if (request.resume === 'all') allRefused = true;
        continue;
      }
      if (answer.type === 'stream' && allRefused) this.#allRefused = true;
      return answer.type === 'refused' && refused !== undefined ? refused : given;
    }
    if (refused === undefined) throw new Error('There is always a way to ask.');
    return refused;
  }

  async *#read(body: ReadableStream<Uint8Array>, request: StreamRequest): AsyncGenerator<SseItem, Ending, undefined> {
    this.#memory.connected(request.resume, request.positions);
    this.#resuming = true;
    this.#counts.opened += 1;
    yield { type: 'open', resume: request.resume };
    if (request.unlisted) yield { type: 'gap', reason: 'not-listed' };

    const steps: SseStep[] = [];
    const reader = sseReader(this.#options.maxMessageBytes, (step) => void steps.push(step));
    const source = body.getReader();
    const cancel = (): void => void source.cancel().catch(() => undefined);
    this.#stop.signal.addEventListener('abort', cancel);
    let goodbye: string | undefined;
    let reason: ClosedReason | undefined;
    let progress = false;
    try {
      while (reason === undefined && !this.#stopped()) {
        const read = await this.#next(source, cancel);
        if (typeof read === 'string') {
          reason = read;
          break;
        }
        try {
          reader.feed(read);
        } catch {
          reason = 'protocol';
        }
        for (const step of steps) {
          if (step.type === 'message') progress = (yield* this.#message(step.data)) || progress;
          else yield* this.#aside(step, request);
          if (step.type === 'comment') {
            if (isGoodbye(step.text)) goodbye = step.text;
            // Long enough without a break to make a ping due.
            if (step.text === 'ping') progress = true;
          }
          if (this.#stopped()) break;
        }
        steps.length = 0;
      }
    } finally {
      this.#stop.signal.removeEventListener('abort', cancel);
      cancel();
    }
    const complete = !this.#options.live && (goodbye === 'replay-done' || (goodbye === undefined && reason === 'ended'));
    if (complete) return { reason: 'complete' };
    return { reason: reason ?? 'ended', progress, ...(goodbye === undefined ? {} : { detail: goodbye }) };
  }

  /** The next bytes; `ended`, `cut` or `silent` when there are none. */
  async #next(source: ReadableStreamDefaultReader<Uint8Array>, cancel: () => void): Promise<Uint8Array | 'ended' | 'cut' | 'silent'> {
    const state = { silent: false };
    // Runs only while bytes are waited for: a slow handler is not a dead peer.
    const inTime = after(this.#options.timers, this.#options.heartbeatTimeoutMs, () => {
      state.silent = true;
      cancel();
    });
    try {
      const read = await source.read();
      if (state.silent) return 'silent';
      return read.done ? 'ended' : read.value;
    } catch {
      return 'cut';
    } finally {
      inTime();
    }
  }

  /** An Event, or what should have been one. Returns whether it was new. */
  *#message(data: string): Generator<SseItem, boolean, undefined> {
    let event: WireEvent;
    try {
      event = parseEvent(data, { maxBytes: Infinity });
    } catch (thrown) {
      if (!(thrown instanceof EnvelopeError)) throw thrown;
      this.#counts.invalid += 1;
      yield { type: 'invalid', code: thrown.code, detail: thrown.message };
      return false;
    }
    const { verdict, missing } = this.#memory.judge(event);
    if (missing !== undefined) yield { type: 'gap', reason: 'not-held', ...missing };
    const redelivered = verdict === 'redelivered';
    if (verdict === 'duplicate' || redelivered) this.#counts.duplicates += 1;
    if (verdict === 'duplicate' || (redelivered && !this.#options.redeliveries)) return false;
    if (!redelivered) this.#counts.events += 1;
    if (verdict === 'replaces') this.#counts.replaced += 1;
    yield eventItem(event, verdict);
    if (redelivered) return false;
    this.#memory.taken(event);
    this.#saver?.changed();
    return true;
  }

  *#aside(step: SseStep, request: StreamRequest): Generator<SseItem, void, undefined> {
    if (step.type === 'retry') this.#retryMs = step.ms;
    if (step.type === 'damaged') {
      this.#counts.invalid += 1;
      yield { type: 'invalid', code: step.code, detail: 'The data of a message could not be read.' };
    }
    const earliest = step.type === 'comment' ? parseExhausted(step.text) : undefined;
    if (earliest !== undefined) yield* exhaustedItems(earliest, request.positions);
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }
}
