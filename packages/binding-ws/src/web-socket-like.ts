/** What comes with a message. */
export interface SocketMessage {
  readonly data: unknown;
}

/** How a connection ended. */
export interface SocketEnd {
  readonly code?: number;
  readonly reason?: unknown;
}

/** What the client needs of a WebSocket: that of browsers, of Node, or of `ws`. */
export interface WebSocketLike {
  binaryType: string;
  /** Bytes that were given to `send` and have not left, where it says so. */
  readonly bufferedAmount?: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Ends the connection at once, where there is such a thing. */
  terminate?(): void;
  /** Stops reading and goes on, where there is such a thing: the peer's bytes then wait in the network. */
  pause?(): void;
  resume?(): void;
}

/** The third argument of the constructor of `ws`; others ignore it. */
export interface WebSocketSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxPayload: number;
  readonly perMessageDeflate: false;
}

/** A constructor of WebSockets. */
export type WebSocketConstructor = new (url: string, protocols: string[], settings: WebSocketSettings) => WebSocketLike;
