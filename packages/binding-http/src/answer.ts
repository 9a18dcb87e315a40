import type { IncomingMessage } from 'node:http';

import type { HttpTimers } from './options.js';
import type { Refusal } from './refusal.js';

const JSON_TYPE = 'application/json';

/** How long and how much of a refused body is read off. */
export interface Linger {
  readonly ms: number;
  readonly bytes: number;
  readonly timers: HttpTimers;
}

/** Body and headers of a refusal. */
export function renderRefusal(refusal: Refusal, retryAfterSeconds: number): { text: string; headers: Record<string, string> } {
  const { error, detail, code, path, index, line, versions } = refusal;
  const headers: Record<string, string> = { 'content-type': JSON_TYPE, ...refusal.headers };
  if (refusal.retry === true) headers['retry-after'] = String(retryAfterSeconds);
  return { text: JSON.stringify({ error, detail, index, line, path, code, versions }), headers };
}

/**
 * Writes a refusal of a request whose body may still be on its way (O-19). The whole answer goes out at once; the
 * connection is cut only when the body has been read off, or enough of it: closing on unread data makes the peer's
 * system throw the answer away.
 */
export async function answerEarly(
  incoming: IncomingMessage,
  status: number,
  text: string,
  headers: Record<string, string>,
  linger: Linger,
): Promise<Response> {
  const plain = (): Response => new Response(text, { status, headers });
  if (incoming.complete) return plain();
  // A body that came with its head is complete one turn later: nothing to wait for, the connection lives on.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  if (isOver(incoming) || incoming.httpVersionMajor >= 2) return plain();
  const bytes = new TextEncoder().encode(text);
  let stop: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      stop = readOff(incoming, linger, () => {
        controller.close();
      });
    },
    cancel() {
      stop?.();
    },
  });
  return new Response(body, { status, headers: { ...headers, 'content-length': String(bytes.length), connection: 'close' } });
}

function isOver(incoming: IncomingMessage): boolean {
  return incoming.complete || incoming.destroyed;
}

/** Reads and forgets until the end or a bound, then calls `done` once. Returns a function that stops without calling. */
function readOff(incoming: IncomingMessage, linger: Linger, done: () => void): () => void {
  let size = 0;
  let timer: unknown;
  const stop = (): void => {
    if (timer !== undefined) linger.timers.clearTimeout(timer);
    incoming.off('data', onData);
    incoming.off('end', finish);
    incoming.off('close', finish);
  };
  const finish = (): void => {
    stop();
    done();
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > linger.bytes) finish();
  };
  incoming.on('data', onData);
  incoming.on('end', finish);
  incoming.on('close', finish);
  incoming.on('error', ignore);
  incoming.resume();
  if (linger.ms !== Infinity) timer = linger.timers.setTimeout(finish, linger.ms);
  return stop;
}

function ignore(): void {
  // The connection is gone; 'close' says so as well.
}
