import type { AepEvent, WireEvent } from '@aepkit/envelope';

import { backOffMs } from './back-off.js';
import { pause } from './deadline.js';
import { resolveEmitterOptions, type EmitterSettings, type HttpEmitterOptions } from './emitter-options.js';
import { HttpEmitError, type HttpEmitErrorCode } from './errors.js';
import { encodeEvent, halve, renderBatch, splitBatches, type OutgoingBatch } from './outgoing-batch.js';
import { postBatch, type Answer, type Failure } from './post-batch.js';

/** What {@link HttpEmitter.send} resolves to: every Event was acknowledged. */
export interface Receipt {
  /** Events acknowledged: all that were given. */
  readonly accepted: number;
  /** Requests made, repeats included. */
  readonly requests: number;
}

/** What {@link HttpEmitter.send} takes besides Events. */
export interface SendOptions {
  /** Gives up: what is on its way may or may not arrive. */
  readonly signal?: AbortSignal;
}

/**
 * Sends Events by POST (AEP-0003 §3.2). One request at a time, in the order of the calls and of the Events in them.
 *
 * No answer, 408, 429 and 5xx are tried again with the same bytes, hence the same ids; the endpoint and its consumers
 * remove what arrives twice. Every other answer is final. A batch that is too large (413) is halved and goes on, in order.
 *
 * @example
 * ```ts
 * const emitter = new HttpEmitter({ url: 'http://127.0.0.1:4319/events', token });
 * await emitter.send(events);
 * ```
 */
export class HttpEmitter {
  readonly #settings: EmitterSettings;
  #tail: Promise<unknown> = Promise.resolve();
  #queuedBytes = 0;

  /** Throws RangeError or TypeError for options that cannot be used; the message never holds URL or token. */
  constructor(options: HttpEmitterOptions) {
    this.#settings = resolveEmitterOptions(options);
  }

  /** Bytes of Events that are waiting or on their way. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /**
   * Sends one Event or several. A `WireEvent` goes out with its text as it is; an Event built in code is validated and
   * serialised here.
   *
   * Throws {@link HttpEmitError}; with several batches `accepted` says how many Events were acknowledged before the one
   * that failed, and later ones were not sent. Throws `EnvelopeError`, and sends nothing, for an Event that does not hold.
   * A call that fails does not stop the calls behind it.
   */
  async send(events: WireEvent | AepEvent | readonly (WireEvent | AepEvent)[], options: SendOptions = {}): Promise<Receipt> {
    const { signal } = options;
    const list = isList(events) ? events : [events];
    const lines = list.map(encodeEvent);
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    if (this.#queuedBytes + bytes > this.#settings.maxQueuedBytes) {
      throw new HttpEmitError('queue-full', `more than ${String(this.#settings.maxQueuedBytes)} bytes are waiting`);
    }
    this.#queuedBytes += bytes;
    const earlier = this.#tail;
    const run = turnOrAbort(earlier, signal).then(() => deliver(lines, this.#settings, signal));
    // An aborted call settles at once, but those behind it still wait for those ahead of it.
    this.#tail = Promise.allSettled([earlier, run]).then(() => undefined);
    try {
      return await run;
    } finally {
      this.#queuedBytes -= bytes;
    }
  }
}

function isList(events: WireEvent | AepEvent | readonly (WireEvent | AepEvent)[]): events is readonly (WireEvent | AepEvent)[] {
  return Array.isArray(events);
}

function turnOrAbort(earlier: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return earlier.then(() => undefined);
  return new Promise((resolve) => {
    const go = (): void => {
      signal.removeEventListener('abort', go);
      resolve();
    };
    if (signal.aborted) go();
    else signal.addEventListener('abort', go);
    void earlier.then(go);
  });
}

async function deliver(lines: readonly Uint8Array[], settings: EmitterSettings, signal: AbortSignal | undefined): Promise<Receipt> {
  const batches = splitBatches(lines, settings.maxBatchEvents, settings.maxBatchBytes).reverse();
  let requests = 0;
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    const outcome = await deliverBatch(batch, settings, signal);
    requests += outcome.requests;
    if (outcome.halve) batches.push(...halve(batch).reverse());
  }
  return { accepted: lines.length, requests };
}

async function deliverBatch(
  batch: OutgoingBatch,
  settings: EmitterSettings,
  signal: AbortSignal | undefined,
): Promise<{ readonly requests: number; readonly halve: boolean }> {
  const { body, contentType } = renderBatch(batch);
  const started = settings.now();
  for (let attempt = 1; ; attempt += 1) {
    if (isAborted(signal)) throw aborted(batch, attempt - 1, signal);
    const result = await postBatch(body, contentType, settings, signal);
    if (result.type === 'answer' && result.status === 202) return { requests: attempt, halve: false };
    if (result.type === 'answer' && result.status === 413 && batch.lines.length > 1) return { requests: attempt, halve: true };
    if (isAborted(signal)) throw aborted(batch, attempt, signal);
    const error = describe(result, batch, attempt);
    if (!mayPass(result)) throw error;
    const delayMs = backOffMs(attempt, result.type === 'answer' ? result.retryAfterMs : undefined, settings);
    if (attempt >= settings.maxAttempts || settings.now() - started + delayMs > settings.maxRetryMs) throw error;
    tellRetry(settings, { attempt, delayMs, ...(result.type === 'answer' ? { status: result.status } : {}) });
    if (!(await pause(delayMs, signal, settings.timers))) throw aborted(batch, attempt, signal);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function tellRetry(settings: EmitterSettings, retry: Parameters<NonNullable<EmitterSettings['onRetry']>>[0]): void {
  try {
    settings.onRetry?.(retry);
  } catch {
    // A counter that fails must not lose Events.
  }
}

/** 408 is a network failure seen from the other side: the request never arrived whole. */
function mayPass(result: Answer | Failure): boolean {
  return result.type === 'failure' || result.status === 408 || result.status === 429 || (result.status >= 500 && result.status <= 599);
}

const CODES: ReadonlyMap<number, HttpEmitErrorCode> = new Map([
  [400, 'invalid-event'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [408, 'network'],
  [413, 'too-large'],
  [415, 'unsupported-media-type'],
  [426, 'unsupported-version'],
  [429, 'overloaded'],
]);

function codeOf(status: number): HttpEmitErrorCode {
  if (status >= 500 && status <= 599) return 'unavailable';
  return CODES.get(status) ?? (status >= 400 && status <= 499 ? 'refused' : 'unexpected-answer');
}

function describe(result: Answer | Failure, batch: OutgoingBatch, attempts: number): HttpEmitError {
  const accepted = batch.offset;
  if (result.type === 'failure') {
    return new HttpEmitError('network', 'the endpoint did not answer', { accepted, attempts, cause: result.cause });
  }
  const { status, reason, detail, versions, retryAfterMs } = result;
  // With one Event in the request there is no doubt which one is meant.
  const index = result.index ?? (batch.lines.length === 1 && (status === 400 || status === 413) ? 0 : undefined);
  const says = [reason, detail].filter((text) => text !== undefined).join(': ');
  return new HttpEmitError(codeOf(status), `the endpoint answered ${String(status)}${says === '' ? '' : `, ${says}`}`, {
    status,
    accepted,
    attempts,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(index === undefined ? {} : { index: batch.offset + index }),
    ...(versions === undefined ? {} : { versions }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function aborted(batch: OutgoingBatch, attempts: number, signal: AbortSignal | undefined): HttpEmitError {
  return new HttpEmitError('aborted', 'the caller gave up', { accepted: batch.offset, attempts, cause: signal?.reason });
}
