/** What a transport brings: the text or bytes of one message, or a sentence about what could not be framed. */
export type Incoming = string | Uint8Array | { readonly bad: string };

/** Any transport that carries one message in each text (C6): a socket, a pipe, a port of a worker. */
export interface TextDuplex {
  /** Sends one text. `false`: taken, but full from here on. */
  send(text: string): boolean;
  /** Settles when a full transport takes more, or when it is closed. */
  drained(): Promise<void>;
  /** What comes in, until the transport closes. Nothing is read ahead of who asks. */
  readonly incoming: AsyncIterable<Incoming>;
  /** Closes both ways. */
  close(): void;
}
