import { after, type SocketTimers } from './socket-timers.js';
import type { WebSocketLike } from './web-socket-like.js';

/** Closes a socket that is no longer listened to; destroys it where that takes longer than `leaveMs`. Settles when it is gone. */
export function leaveSocket(socket: WebSocketLike, code: number, leaveMs: number, timers: SocketTimers): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const cancel = after(timers, leaveMs, () => {
    socket.terminate?.();
    resolve(undefined);
  });
  socket.onopen = null;
  socket.onmessage = null;
  // Kept: `ws` throws an error that nobody listens for.
  socket.onerror = () => undefined;
  socket.onclose = () => {
    cancel();
    resolve(undefined);
  };
  // A paused socket does not notice its end.
  socket.resume?.();
  try {
    socket.close(code);
  } catch {
    // Browsers let a page send 1000 and codes of its own only.
    socket.close();
  }
  return promise;
}
