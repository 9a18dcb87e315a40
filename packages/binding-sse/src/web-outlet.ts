import type { Outlet, OutletEvents } from './outlet.js';

/** An {@link Outlet} with the body to answer with. */
export interface WebOutlet extends Outlet {
  readonly body: ReadableStream<Uint8Array>;
}

/** Writes to a web stream, for runtimes and tests without a raw response. */
export function webOutlet(events: OutletEvents): WebOutlet {
  let waiting = 0;
  let over = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const gone = (): void => {
    if (over) return;
    over = true;
    waiting = 0;
    events.gone();
  };
  // One chunk is handed out per pull, so what waits is counted here: `desiredSize` knows nothing of a mark of ours.
  const queue: Uint8Array[] = [];
  let ended = false;
  const pass = (): void => {
    if (controller === undefined || over) return;
    while ((controller.desiredSize ?? 0) > 0) {
      const chunk = queue.shift();
      if (chunk === undefined) break;
      waiting -= chunk.byteLength;
      controller.enqueue(chunk);
    }
    if (ended && queue.length === 0) {
      controller.close();
      gone();
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => {
        pass();
        if (!over) events.relieved();
      },
      cancel: gone,
    },
    { highWaterMark: 1 },
  );
  const write = (bytes: Uint8Array): void => {
    if (over || ended) return;
    queue.push(bytes);
    waiting += bytes.byteLength;
    pass();
  };
  return {
    body,
    start: write,
    write,
    buffered: () => waiting,
    end(bytes) {
      write(bytes);
      ended = true;
      pass();
    },
    destroy() {
      if (!over) controller?.error(new Error('The stream was closed.'));
      queue.length = 0;
      gone();
    },
  };
}
