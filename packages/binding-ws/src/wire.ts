import type { CloseCode } from './close-codes.js';

/** What a connection writes to, and says to it. One per WebSocket; tests have one without a socket. */
export interface Wire {
  /** Takes the bytes of whole frames. What comes behind the end of the connection is dropped. */
  write(bytes: Uint8Array): void;
  /** Keeps what is written from here on, until {@link Wire.uncork} lets it out in one write. */
  cork(): void;
  uncork(): void;
  /** Bytes that were taken and have not left. */
  readonly buffered: number;
  /** Bytes of a message that is not complete, and since when on the clock of the connection; `undefined`: none. */
  readonly unfinished: { readonly bytes: number; readonly since: number } | undefined;
  /** Sends a ping of the WebSocket protocol. */
  ping(): void;
  /** Stops reading; the peer's writes then fill up. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Starts the close handshake, behind what was written. */
  close(code: CloseCode, reason: string): void;
  /** Ends the connection at once. */
  destroy(): void;
}

/** What a wire tells its connection. */
export interface WireEvents {
  /** A text message, as its bytes of UTF-8. */
  text(message: Uint8Array): void;
  binary(): void;
  /** Something came in, be it a part of a message. */
  alive(): void;
  /** Some of what was buffered has left. */
  relieved(): void;
  /** The peer has begun the close handshake, or broken the WebSocket protocol: the wire closes by itself. May be repeated. */
  leaving(): void;
  /** The connection is over. Once, the last call. */
  gone(): void;
}
