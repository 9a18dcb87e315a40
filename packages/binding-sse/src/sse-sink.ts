import type { CloseReason, DeliveryBatch, Exhausted, Sink } from '@aepkit/hub';

import type { ResolvedBindingOptions } from './binding-options.js';
import { sseEncoder } from './encoder.js';
import { formatExhausted } from './exhausted-comment.js';
import { GOODBYES } from './goodbye.js';
import type { Outlet, OutletEvents } from './outlet.js';

const utf8 = new TextEncoder();
const PING = comment('ping');

/** One stream: a sink of the hub on one side, an outlet on the other. */
export interface SseSink extends Sink {
  /** What to answer with. */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Sends the first comments, and starts the heartbeat. `disconnected` is called once, when the peer is gone or
   * everything has left.
   */
  start(comments: readonly string[], disconnected: () => void): void;
  /** Whether the response is over. */
  readonly over: boolean;
}

type SinkOptions = Pick<ResolvedBindingOptions, 'heartbeatMs' | 'highWaterMarkBytes' | 'closeGraceMs' | 'drainMs' | 'timers' | 'now'>;

/** Makes the sink of one stream. It is not written to before its start. */
export function sseSink(options: SinkOptions, open: (events: OutletEvents) => Outlet): SseSink {
  const { timers, now, heartbeatMs, highWaterMarkBytes } = options;
  let closing = false;
  let over = false;
  let wroteAt = 0;
  let heartbeat: unknown;
  let grace: unknown;
  let disconnected = (): void => undefined;
  let waiter: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const wake = (): void => {
    waiter?.resolve();
    waiter = undefined;
  };
  const outlet = open({
    relieved() {
      if (waiter !== undefined && outlet.buffered() <= highWaterMarkBytes / 2) wake();
    },
    // Also how a wait for a full socket ends that closes instead of draining.
    gone() {
      over = true;
      timers.clearTimeout(heartbeat);
      timers.clearTimeout(grace);
      wake();
      disconnected();
    },
  });
  const send = (bytes: Uint8Array): void => {
    outlet.write(bytes);
    wroteAt = now();
  };
  const beat = (): void => {
    if (closing || over) return;
    const idle = now() - wroteAt;
    if (idle >= heartbeatMs) {
      wroteAt = now();
      // A full stream is not idle, and a ping behind what waits would tell nobody anything.
      if (outlet.buffered() < highWaterMarkBytes) outlet.write(PING);
    }
    heartbeat = timers.setTimeout(beat, Math.max(1, heartbeatMs - (now() - wroteAt)));
  };
  const expire = (ms: number, whileMoving: boolean): void => {
    if (ms === Infinity) return;
    const before = outlet.buffered();
    grace = timers.setTimeout(() => {
      if (whileMoving && outlet.buffered() < before) expire(ms, true);
      else outlet.destroy();
    }, ms);
  };

  return {
    body: outlet.body,
    get over() {
      return over;
    },
    start(comments, onDisconnect) {
      disconnected = onDisconnect;
      wroteAt = now();
      outlet.write(utf8.encode(comments.map((text) => `: ${text}\n\n`).join('')));
      if (heartbeatMs !== Infinity && !over) heartbeat = timers.setTimeout(beat, heartbeatMs);
    },
    write(batch: DeliveryBatch) {
      if (closing || over) return false;
      send(batch.encoded(sseEncoder));
      return outlet.buffered() < highWaterMarkBytes;
    },
    drained() {
      if (closing || over || outlet.buffered() < highWaterMarkBytes) return Promise.resolve();
      waiter ??= Promise.withResolvers();
      return waiter.promise;
    },
    exhausted(marker: Exhausted) {
      if (!closing && !over) send(comment(formatExhausted(marker)));
    },
    close(reason: CloseReason) {
      if (closing || over) return;
      closing = true;
      timers.clearTimeout(heartbeat);
      wake();
      outlet.end(comment(GOODBYES[reason]));
      // A full socket passes no end of a response either (AEP-0003 §8.4). What is left of a complete replay may take its
      // time while it moves.
      if (!isOver()) expire(reason === 'replay-done' ? options.drainMs : options.closeGraceMs, reason === 'replay-done');
    },
  };

  function isOver(): boolean {
    return over;
  }
}

function comment(text: string): Uint8Array {
  return utf8.encode(`: ${text}\n\n`);
}
