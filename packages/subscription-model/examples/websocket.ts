import type { Incoming, TextDuplex } from '@aepkit/subscription-model';
import { WebSocket, WebSocketServer } from 'ws';

/** The subprotocol of the draft (C6). */
export const SUBPROTOCOL = 'aep-0.1';

const MAX_MESSAGE_BYTES = 1_048_576;
/** A consumer takes more: an event that just fits has its `delivery` on top. */
const MAX_DELIVERY_BYTES = MAX_MESSAGE_BYTES + 65_536;
/** Bytes on their way in one socket from which it counts as full. */
const FULL_BYTES = 1_048_576;

/** Accepts sockets of the subprotocol alone. */
export function serveWebSocket(port: number, accept: (duplex: TextDuplex) => void): Promise<WebSocketServer> {
  const server = new WebSocketServer({
    port,
    host: '127.0.0.1',
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on('connection', (socket) => {
    if (socket.protocol === SUBPROTOCOL) accept(webSocketDuplex(socket));
    else socket.close(1002, `the subprotocol is ${SUBPROTOCOL}`);
  });
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server)).once('error', reject);
  });
}

/** Opens a socket of the subprotocol. */
export function openWebSocket(url: string): Promise<TextDuplex> {
  const socket = new WebSocket(url, SUBPROTOCOL, { maxPayload: MAX_DELIVERY_BYTES, perMessageDeflate: false });
  const duplex = webSocketDuplex(socket);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(duplex)).once('error', reject);
  });
}

/** A WebSocket as a transport: one message in each text frame. */
export function webSocketDuplex(socket: WebSocket): TextDuplex {
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let closed = false;
  const awake = (): void => {
    wake?.();
    wake = undefined;
  };
  let writable: (() => void)[] = [];
  const drained = (): void => {
    if (socket.bufferedAmount > FULL_BYTES / 2 && socket.readyState === WebSocket.OPEN) return;
    for (const settle of writable.splice(0)) settle();
    writable = [];
  };
  socket.on('message', (data, isBinary) => {
    if (closed) return;
    if (isBinary) {
      socket.close(1003, 'messages are text');
      return;
    }
    waiting.push((data as Buffer).toString());
    // Nothing more comes in until this is taken.
    socket.pause();
    awake();
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    drained();
    awake();
  });

  async function* incoming(): AsyncGenerator<Incoming, void, void> {
    while (waiting.length > 0 || socket.readyState <= WebSocket.OPEN) {
      const text = waiting.shift();
      if (text !== undefined) {
        yield text;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        socket.resume();
      });
    }
  }
  return {
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return true;
      socket.send(text, drained);
      return socket.bufferedAmount < FULL_BYTES;
    },
    drained: () =>
      new Promise((resolve) => {
        writable.push(resolve);
        drained();
      }),
    incoming: incoming(),
    close() {
      closed = true;
      // A socket that is paused would never see the answer to its close.
      socket.resume();
      socket.close();
    },
  };
}
