import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP client that sends exactly the bytes it is given. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far, as Latin-1 so that every byte is one character. */
  received(): string;
  write(bytes: string | Uint8Array): void;
  /** Half-closes. */
  end(): void;
  /** Waits until what was received matches; rejects when the peer closes first. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end of the connection and gives everything received. */
  closed(): Promise<string>;
  /** Stops reading: the kernel's buffers fill, then the peer's. */
  stall(): void;
  /** Reads on. */
  resume(): void;
  destroy(): void;
}

/** Connects to a port on loopback. */
export async function rawClient(port: number, host = '127.0.0.1'): Promise<RawClient> {
  const socket = connect({ port, host, allowHalfOpen: true });
  let text = '';
  let done = false;
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    changed();
  });
  socket.on('error', () => undefined);
  socket.on('end', () => {
    socket.end();
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      done = true;
      changed();
      resolve(text);
    });
  });
  await once(socket, 'connect');
  return {
    socket,
    received: () => text,
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(text);
          if (match !== null) {
            watchers.delete(look);
            resolve(match);
          } else if (done) {
            watchers.delete(look);
            reject(new Error(`closed before ${String(pattern)}:\n${text.slice(-2000)}`));
          }
        };
        watchers.add(look);
        look();
      }),
    closed: () => closed,
    stall: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => void socket.destroy(),
  };
}
