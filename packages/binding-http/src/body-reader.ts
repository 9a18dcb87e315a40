import type { Context } from 'hono';

import { tooLarge } from './body-refusals.js';
import { contentCoding, type Coding } from './content-coding.js';
import { gate } from './gate.js';
import { inflate } from './inflate.js';
import { ledger, openAccount, type Account } from './ledger.js';
import { joinChunks } from './line-segments.js';
import { resolveBodyOptions, type HttpBindingOptions } from './options.js';
import { readIncoming, readStream } from './read-body.js';
import { isRefusal, type Refusal } from './refusal.js';
import { requestView, type RequestView } from './request-view.js';

/** Bodies that are inflated at a time: leaves the event loop a core of its own on small machines. */
const INFLATIONS = 2;

/** What {@link bodyReader} takes; meanings and defaults are those of `httpBinding`. */
export type BodyReaderOptions = Pick<HttpBindingOptions, 'maxBodyBytes' | 'maxPendingBytes' | 'bodyTimeoutMs' | 'timers'>;

/** Bounds of one kind of body, where they are below those of the reader. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** An inflated body with a line of more bytes than this is refused. */
  readonly maxLineBytes: number;
}

/** Why a body was not taken: what `httpBinding` would have answered. */
export type BodyRefusal = Pick<Refusal, 'refused' | 'status' | 'detail' | 'code' | 'headers' | 'retry'>;

/** Reads the bodies of requests, all of them under one bound. */
export interface BodyReader {
  /**
   * Reads one body, undoes its content coding, and calls `use` with the bytes; the room they take is held until that
   * settles. Settles with what `use` gives, or with why the body was not taken; rejects with what `use` throws only.
   */
  take<T>(c: Context, use: (bytes: Uint8Array) => T | Promise<T>): Promise<T | BodyRefusal>;
}

/** A {@link BodyReader} as the binding itself uses it. */
export interface ViewReader {
  /** The body in the chunks it came in. */
  read(request: RequestView, limits: BodyLimits, account: Account): Promise<readonly Uint8Array[] | Refusal>;
  open(): Account;
}

/**
 * Makes a reader for bodies of other routes beside `httpBinding`, with the same care: bounded in bytes, in time and over all
 * requests, `gzip`, `deflate` and `br` undone, and one that breaks off is no error. Throws RangeError or TypeError for options
 * that make no sense.
 *
 * @example
 * const bodies = bodyReader({ maxBodyBytes: 65_536 });
 * app.post('/notes', async (c) => {
 *   const taken = await bodies.take(c, keepNote);
 *   return isBodyRefusal(taken) ? c.json({ detail: taken.detail }, 400) : c.body(null, 204);
 * });
 */
export function bodyReader(options: BodyReaderOptions = {}): BodyReader {
  const settings = resolveBodyOptions(options);
  const reader = viewReader(settings);
  const limits = { maxBytes: settings.maxBodyBytes, maxLineBytes: Infinity };
  return {
    async take(c, use) {
      const account = reader.open();
      try {
        const chunks = await reader.read(requestView(c), limits, account);
        return isRefusal(chunks) ? chunks : await use(joinChunks(chunks));
      } finally {
        account.close();
      }
    },
  };
}

/** Tells a {@link BodyRefusal} from what a body became. */
export function isBodyRefusal(value: unknown): value is BodyRefusal {
  return isRefusal(value);
}

/** Makes a {@link ViewReader}. */
export function viewReader({ maxPendingBytes, bodyTimeoutMs, timers }: Required<Omit<BodyReaderOptions, 'maxBodyBytes'>>): ViewReader {
  const pending = ledger(maxPendingBytes);
  const inflations = gate(INFLATIONS);

  const undo = async (bytes: Uint8Array, coding: Coding, limits: BodyLimits, account: Account): Promise<Uint8Array | Refusal> => {
    await inflations.enter();
    try {
      return await inflate(bytes, coding, { ...limits, account });
    } finally {
      inflations.leave();
    }
  };

  return {
    open: () => openAccount(pending),
    async read(request, limits, account) {
      const { header, incoming } = request;
      const coding = contentCoding(header('content-encoding'));
      if (isRefusal(coding)) return coding;
      if (Number(header('content-length') ?? 0) > limits.maxBytes) return tooLarge(limits.maxBytes, 'sent');
      const bounds = { maxBytes: limits.maxBytes, timeoutMs: bodyTimeoutMs, timers, account };
      const sent = await (incoming === undefined || incoming.readableDidRead ? readStream(request.body(), bounds) : readIncoming(incoming, bounds));
      if (isRefusal(sent) || coding === undefined) return sent;
      const bytes = await undo(joinChunks(sent), coding, limits, account);
      return isRefusal(bytes) ? bytes : [bytes];
    },
  };
}
