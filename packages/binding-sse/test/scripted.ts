import type { WireEvent } from '@aepkit/envelope';
import { manualClock, type ManualClock, turn } from '@aepkit/testkit';

import { SseConsumer, type SseConsumerOptions, type SseItem } from '../src/client.js';
import { sseEncoder } from '../src/encoder.js';

/** One request that a scripted endpoint got, and the stream it may answer with. */
export interface ScriptedRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  /** Answers 200 with an event stream. */
  open(): void;
  /** Answers something else. */
  answer(status: number, init?: { readonly headers?: Record<string, string>; readonly body?: string }): void;
  fail(error: Error): void;
  /** Sends bytes on an open stream. */
  send(...parts: (string | Uint8Array | WireEvent)[]): void;
  end(): void;
  cut(): void;
}

/** A `fetch` whose requests wait for the test to answer them. */
export function scriptedFetch() {
  const requests: ScriptedRequest[] = [];
  const waiting: ((request: ScriptedRequest) => void)[] = [];
  let taken = 0;
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const signal = init.signal!;
      const abort = (): void => {
        reject(new DOMException('aborted', 'AbortError'));
        try {
          controller?.error(new DOMException('aborted', 'AbortError'));
        } catch {
          // It was over.
        }
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort);
      const request: ScriptedRequest = {
        url: new URL(url),
        headers: init.headers as Record<string, string>,
        signal,
        open() {
          const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
          resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } }));
        },
        answer(status, { headers, body } = {}) {
          resolve(new Response(status === 204 ? null : (body ?? ''), { status, ...(headers === undefined ? {} : { headers }) }));
        },
        fail: reject,
        send(...parts) {
          for (const part of parts) {
            controller!.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part instanceof Uint8Array ? part : sseEncoder(part));
          }
        },
        end: () => controller!.close(),
        cut: () => controller!.error(new TypeError('terminated')),
      };
      requests.push(request);
      waiting.shift()?.(request);
    });
  return {
    fetch,
    requests,
    /** The next request, in order. */
    next(): Promise<ScriptedRequest> {
      const request = requests[taken];
      taken += 1;
      return request === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(request);
    },
  };
}

/** A consumer that runs against a scripted endpoint on a manual clock. */
export function scripted(options: Partial<SseConsumerOptions> = {}, handler?: (item: SseItem) => void | Promise<void>) {
  const clock: ManualClock = manualClock();
  const endpoint = scriptedFetch();
  const items: SseItem[] = [];
  const consumer = new SseConsumer({
    url: 'http://127.0.0.1:1/stream',
    fetch: endpoint.fetch,
    random: () => 0.5,
    now: () => clock.now(),
    timers: { setTimeout: (callback, ms) => clock.setTimeout(callback, ms), clearTimeout: (timer) => clock.clearTimeout(timer as number) },
    ...options,
  });
  const run = consumer.run(async (item) => {
    items.push(item);
    await handler?.(item);
  });
  run.catch(() => undefined);
  return {
    clock,
    consumer,
    items,
    run,
    requests: endpoint.requests,
    next: endpoint.next,
    /** The next request, once its wait is over. */
    async again(): Promise<ScriptedRequest> {
      await settle();
      const last = items.at(-1);
      const request = endpoint.next();
      await clock.advance(last?.type === 'closed' ? (last.retryInMs ?? 0) : 0);
      return request;
    },
    /** The ids of the Events given out so far. */
    ids: () => items.flatMap((item) => (item.type === 'event' ? item.event.event.id : [])),
    of: <T extends SseItem['type']>(type: T) => items.filter((item): item is Extract<SseItem, { type: T }> => item.type === type),
  };
}

/** Lets what is under way come to rest. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) await turn();
}
