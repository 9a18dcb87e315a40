import type { Duplex } from 'node:stream';

import type { WebSocket } from 'ws';

import { Unfinished } from './unfinished.js';
import type { Wire, WireEvents } from './wire.js';

/** Bytes of a masked control frame besides its payload (RFC 6455 §5.2). */
const CONTROL_HEADER_BYTES = 6;

/**
 * A WebSocket of `ws` as a {@link Wire}. Frames are written to the socket as they are: without compression `ws` writes its own
 * control frames there too, whole and at once, so that both kinds never mix.
 *
 * `listen` is called in the turn of the upgrade, so nothing that comes right behind it is lost.
 */
export function nodeWire(ws: WebSocket, socket: Duplex, now: () => number, total: (change: number) => void): Wire & { listen(events: WireEvents): void } {
  const unfinished = new Unfinished(now, total);
  let relieved = (): void => undefined;
  return {
    listen(events) {
      relieved = () => events.relieved();
      ws.on('message', (data, binary) => {
        unfinished.complete();
        if (binary) events.binary();
        else events.text(data as Buffer);
      });
      for (const name of ['ping', 'pong'] as const) ws.on(name, (data) => unfinished.control(CONTROL_HEADER_BYTES + data.length));
      // Behind the listener of `ws`, so that what a chunk completed is known.
      socket.on('data', (chunk: Uint8Array) => {
        unfinished.received(chunk.length);
        events.alive();
        if (ws.readyState !== ws.OPEN) events.leaving();
      });
      ws.on('error', () => events.leaving());
      ws.on('close', () => {
        unfinished.end();
        events.gone();
      });
    },
    write(bytes) {
      if (ws.readyState === ws.OPEN) socket.write(bytes, relieved);
    },
    cork() {
      socket.cork();
    },
    uncork() {
      socket.uncork();
    },
    get buffered() {
      return socket.writableLength;
    },
    get unfinished() {
      return unfinished.state;
    },
    ping() {
      ws.ping();
    },
    pause() {
      ws.pause();
    },
    resume() {
      ws.resume();
      unfinished.restart();
    },
    close(code, reason) {
      ws.close(code, reason);
    },
    destroy() {
      unfinished.end();
      ws.terminate();
    },
  };
}
