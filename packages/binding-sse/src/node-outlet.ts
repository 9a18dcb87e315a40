import { httpChunk, LAST_CHUNK } from './http-chunk.js';
import type { Outlet, OutletEvents } from './outlet.js';
import { webOutlet } from './web-outlet.js';

/** As much of `http.ServerResponse` and `http2.Http2ServerResponse` as a stream needs. */
export interface NodeOutgoing {
  readonly writableLength: number;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  /** HTTP/1.1 only, as are the next three. */
  shouldKeepAlive?: boolean;
  chunkedEncoding?: boolean;
  cork?(): void;
  uncork?(): void;
  write(bytes: Uint8Array, written: () => void): boolean;
  end(bytes: Uint8Array): unknown;
  destroy(): unknown;
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
}

/**
 * Writes to the raw response of Node: one buffer for all streams, no stream machinery in between.
 *
 * The head is the server's business, with what middlewares put into it, so the first bytes take its way, as a web stream. Once
 * the head is out and the server has written these bytes and come back for more, it waits; from then on nobody else writes to the
 * response, and the rest goes there directly.
 */
export function nodeOutlet(outgoing: NodeOutgoing, events: OutletEvents): Outlet {
  let over = false;
  let direct = false;
  let chunked = false;
  const relieved = (): void => {
    if (!over) events.relieved();
  };
  const gone = (): void => {
    if (over) return;
    over = true;
    events.gone();
  };
  outgoing.on('close', gone);
  outgoing.on('error', gone);
  outgoing.on('drain', relieved);
  // Over is what the response says; its web stream is done sooner.
  const web = webOutlet({ relieved, gone: () => undefined });

  const goesDirect = (): boolean => {
    if (direct || !outgoing.headersSent || !web.awaited()) return direct;
    // Node 26 holds the chunks of a turn and frames them at its end: what it holds has to leave before the framing is ours.
    if (outgoing.writableLength > 0) return false;
    direct = true;
    // The head announces a chunked body; from here on the chunks are ours.
    chunked = outgoing.chunkedEncoding === true;
    if (chunked) outgoing.chunkedEncoding = false;
    return true;
  };
  // `drain` comes only when Node's own mark was passed; the callback covers a lower one.
  const put = (parts: readonly Uint8Array[]): void => {
    if (parts.length > 1) outgoing.cork?.();
    for (const part of parts) outgoing.write(part, relieved);
    if (parts.length > 1) outgoing.uncork?.();
  };
  return {
    body: web.body,
    write(bytes) {
      if (over) return;
      if (goesDirect()) {
        put(chunked ? httpChunk(bytes) : [bytes]);
      } else if (outgoing.destroyed) {
        gone();
      } else {
        // The connection goes with the stream, so that a shutdown need not wait for an idle one.
        if (outgoing.shouldKeepAlive === true) outgoing.shouldKeepAlive = false;
        web.write(bytes);
      }
    },
    buffered: () => outgoing.writableLength + web.buffered(),
    end(bytes) {
      if (over) return;
      if (!goesDirect()) {
        web.end(bytes);
        return;
      }
      if (chunked) {
        put(httpChunk(bytes));
        outgoing.end(LAST_CHUNK);
      } else outgoing.end(bytes);
    },
    destroy: () => void outgoing.destroy(),
  };
}
