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

/** Reads the body of a Node request. Nothing is kept of one that is refused or breaks off. */
export function readIncoming(incoming: IncomingMessage, bounds: BodyBounds): Promise<Uint8Array | Refusal> {
  return new Promise((resolve) => {
    // Gone while something ahead of us waited: no event is going to say so.
    if (incoming.destroyed) {
      resolve(brokenOff());
      return;
    }
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let size = 0;
    let timer: unknown;
    let settled = false;
    const settle = (result: Uint8Array | Refusal): void => {
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
      else if (first === undefined) first = chunk;
      else (rest ??= [first]).push(chunk);
    };
    const onEnd = (): void => {
      settle(rest === undefined ? (first ?? new Uint8Array(0)) : Buffer.concat(rest, size));
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

/** Reads a web body. */
export async function readStream(body: ReadableStream<Uint8Array> | null, bounds: BodyBounds): Promise<Uint8Array | Refusal> {
  if (body === null) return new Uint8Array(0);
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
      if (done) return chunks.length === 1 ? (chunks[0] ?? new Uint8Array(0)) : Buffer.concat(chunks, size);
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
