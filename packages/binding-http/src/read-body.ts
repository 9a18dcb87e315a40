import type { IncomingMessage } from 'node:http';

import { brokenOff, overloaded, tooLarge, tooSlow } from './body-refusals.js';
import type { Account } from './ledger.js';
import type { HttpTimers } from './options.js';
import type { Refusal } from './refusal.js';

/** Bounds of one body. */
export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly timers: HttpTimers;
  readonly account: Account;
}

/** Reads the body of a Node request, in the chunks it comes in. Nothing is kept of one that is refused or breaks off. */
export function readIncoming(incoming: IncomingMessage, bounds: BodyBounds): Promise<readonly Uint8Array[] | Refusal> {
  return new Promise((resolve) => {
    // Gone while something ahead of us waited: no event is going to say so.
    if (incoming.destroyed) {
      resolve(brokenOff());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let timer: unknown;
    let settled = false;
    const settle = (result: readonly Uint8Array[] | Refusal): void => {
      if (settled) return;
      settled = true;
      if (timer !== undefined) bounds.timers.clearTimeout(timer);
      resolve(result);
    };
    const stop = (refusal: Refusal): void => {
      incoming.off('data', onData);
      settle(refusal);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > bounds.maxBytes) stop(tooLarge(bounds.maxBytes, 'sent'));
      else if (!bounds.account.take(chunk.length)) stop(overloaded());
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      settle(chunks);
    };
    const onClose = (): void => {
      settle(brokenOff());
    };
    incoming.on('data', onData);
    incoming.on('end', onEnd);
    incoming.on('close', onClose);
    // A reset that comes late must find a listener.
    incoming.on('error', ignore);
    if (bounds.timeoutMs !== Infinity) {
      timer = bounds.timers.setTimeout(() => {
        stop(tooSlow(bounds.timeoutMs));
      }, bounds.timeoutMs);
    }
  });
}

/** Reads a web body, in the chunks it comes in. */
export async function readStream(body: ReadableStream<Uint8Array> | null, bounds: BodyBounds): Promise<readonly Uint8Array[] | Refusal> {
  if (body === null) return [];
  const chunks: Uint8Array[] = [];
  let size = 0;
  const state = { late: false };
  const reader = body.getReader();
  const timer =
    bounds.timeoutMs === Infinity
      ? undefined
      : bounds.timers.setTimeout(() => {
          state.late = true;
          void reader.cancel().catch(ignore);
        }, bounds.timeoutMs);
  const stop = (refusal: Refusal): Refusal => {
    void reader.cancel().catch(ignore);
    return refusal;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (state.late) return tooSlow(bounds.timeoutMs);
      if (done) return chunks;
      size += value.length;
      if (size > bounds.maxBytes) return stop(tooLarge(bounds.maxBytes, 'sent'));
      if (!bounds.account.take(value.length)) return stop(overloaded());
      chunks.push(value);
    }
  } catch {
    return state.late ? tooSlow(bounds.timeoutMs) : brokenOff();
  } finally {
    if (timer !== undefined) bounds.timers.clearTimeout(timer);
  }
}

function ignore(): void {
  // 'close' says so as well.
}
