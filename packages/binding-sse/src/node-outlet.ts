import type { Outlet, OutletEvents } from './outlet.js';

/** As much of `http.ServerResponse` and `http2.Http2ServerResponse` as a stream needs. */
export interface NodeOutgoing {
  readonly writableLength: number;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  shouldKeepAlive?: boolean;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  write(bytes: Uint8Array, written: () => void): boolean;
  end(bytes: Uint8Array): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
}

/** Writes to the raw response of Node: one buffer for all streams, no stream machinery in between. */
export function nodeOutlet(outgoing: NodeOutgoing, headers: Record<string, string | string[]>, events: OutletEvents): Outlet {
  let over = false;
  const gone = (): void => {
    if (over) return;
    over = true;
    events.gone();
  };
  const relieved = (): void => {
    if (!over) events.relieved();
  };
  outgoing.on('close', gone);
  outgoing.on('error', gone);
  outgoing.on('drain', relieved);
  return {
    start(bytes) {
      if (outgoing.destroyed) {
        gone();
        return;
      }
      // HTTP/1.1 only: the connection goes with the stream, so that a shutdown need not wait for an idle one.
      if (outgoing.shouldKeepAlive === true) outgoing.shouldKeepAlive = false;
      outgoing.writeHead(200, headers);
      outgoing.write(bytes, relieved);
    },
    // `drain` comes only when Node's own mark was passed; the callback covers a lower one.
    write: (bytes) => void outgoing.write(bytes, relieved),
    buffered: () => outgoing.writableLength,
    end: (bytes) => void outgoing.end(bytes),
    destroy: () => void outgoing.destroy(),
  };
}
