import { HttpEmitError, HttpEmitter, type HttpEmitterOptions } from '@aepkit/binding-http/client';

import { TransportError } from './errors.js';
import type { Transport } from './transport.js';

/** What {@link httpTransport} takes: where to, and how one request is made. Queue and attempts are the emitter's business. */
export type HttpTransportOptions = Pick<HttpEmitterOptions, 'url' | 'token' | 'fetch' | 'maxBatchEvents' | 'maxBatchBytes' | 'requestTimeoutMs' | 'now' | 'timers'>;

/**
 * Brings Events to an endpoint by POST (AEP-0003 §3.2). What the endpoint finds wrong with one Event loses that Event; whatever else it
 * answers may pass, also a wrong token or path: what waits is kept until somebody has repaired it, and `trouble` in the outcome of `flush` and
 * `close` says so (`unauthorized`, `forbidden`, `refused`, `network`).
 *
 * Throws RangeError or TypeError for options that cannot be used.
 *
 * @example
 * const transport = httpTransport({ url: 'http://127.0.0.1:8787/events', token });
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { url, token, fetch, maxBatchEvents, maxBatchBytes, requestTimeoutMs, now, timers } = options;
  const emitter = new HttpEmitter({
    url,
    ...(token === undefined ? {} : { token }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(maxBatchEvents === undefined ? {} : { maxBatchEvents }),
    ...(maxBatchBytes === undefined ? {} : { maxBatchBytes }),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    ...(now === undefined ? {} : { now }),
    ...(timers === undefined ? {} : { timers }),
    maxQueuedBytes: Infinity,
    maxAttempts: 1,
  });
  return {
    async send(batch, { signal }) {
      try {
        await emitter.send(batch, { signal });
      } catch (error) {
        throw translate(error, batch.length);
      }
    },
  };
}

function translate(error: unknown, events: number): unknown {
  if (!(error instanceof HttpEmitError)) return error;
  const { accepted, index, retryAfterMs } = error;
  return new TransportError(error.message, {
    retryable: !isAboutEvents(error, events - accepted),
    accepted,
    ...(index === undefined ? {} : { index }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause: error,
  });
}

/** Whether the answer condemns an Event, and not the request. Without a place named, only one that was alone is known to be meant. */
function isAboutEvents({ code, reason, index }: HttpEmitError, events: number): boolean {
  switch (code) {
    case 'invalid-event':
      // A bare 400 may come from anything in between, which knows nothing of Events.
      return reason !== undefined;
    case 'too-large':
      // A batch is halved before this is said.
      return index !== undefined || events === 1;
    case 'forbidden':
      // A command is refused wherever it stands; a token without the right may get it.
      return reason === 'command-refused' || index !== undefined;
    default:
      return false;
  }
}
