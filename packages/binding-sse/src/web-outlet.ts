import type { Outlet, OutletEvents } from './outlet.js';

/** An {@link Outlet} that is a web stream and nothing else, for runtimes and tests without a raw response. */
export interface WebOutlet extends Outlet {
  /** Whether everything written was handed out, and the reader has come back for more. */
  awaited(): boolean;
}

/** Makes a {@link WebOutlet}. */
export function webOutlet(events: OutletEvents): WebOutlet {
  // Nothing waits inside the stream, so that what waits is known, and a chunk leaves only when it is asked for.
  const queue: Uint8Array[] = [];
  let waiting = 0;
  let asked = false;
  let ended = false;
  let over = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  const finish = (): void => {
    over = true;
    queue.length = 0;
    waiting = 0;
    events.gone();
  };
  const pass = (): void => {
    const chunk = asked ? queue.shift() : undefined;
    if (chunk !== undefined) {
      asked = false;
      waiting -= chunk.byteLength;
      controller?.enqueue(chunk);
    }
    if (ended && queue.length === 0) {
      controller?.close();
      finish();
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => {
        asked = true;
        pass();
        if (!over) events.relieved();
      },
      cancel: () => {
        if (!over) finish();
      },
    },
    { highWaterMark: 0 },
  );
  const write = (bytes: Uint8Array): void => {
    if (over || ended) return;
    queue.push(bytes);
    waiting += bytes.byteLength;
    pass();
  };
  return {
    body,
    write,
    awaited: () => asked && queue.length === 0,
    buffered: () => waiting,
    end(bytes) {
      write(bytes);
      ended = true;
      if (!over) pass();
    },
    destroy() {
      if (over) return;
      controller?.error(new Error('The stream was closed.'));
      finish();
    },
  };
}
