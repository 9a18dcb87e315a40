/** A consumer's end of a transport, as a producer sees it. */
export interface ConnectOptions<I = unknown> {
  /** Takes the text of one message. `false`: taken, but full from here on, until `drained` is called. Throws: the connection is given up. */
  readonly send: (text: string) => boolean;
  /** Called when the producer gives the connection up. Default: nothing. */
  readonly close?: () => void;
  /** Name of the transport, for capabilities. */
  readonly transport: string;
  /** Whether the transport has cursors, so that replay is offered (C6). Default: true, but false where `transport` is `stdio`. */
  readonly replay?: boolean;
  /** Who is there; what hooks are told. */
  readonly identity?: I;
}

/** One transport of a producer: takes what comes in, gives what goes out to `send` (C6). Made by `SubscriptionProducer.connect`. */
export interface ProducerConnection {
  readonly closed: boolean;
  /**
   * Takes one message of the peer. What is wrong with it is answered on the wire, never thrown. `{ bad }`: what the transport could
   * not even frame, with a sentence about it.
   */
  receive(input: string | Uint8Array | { readonly bad: string }): void;
  /** The transport takes more again. */
  drained(): void;
  /** Ends one session by the producer's own decision (S-O35), and its subscriptions with it. Gives whether it was there. */
  endSession(sessionId: string, reason?: string): boolean;
  /** The transport is gone: its sessions are over (C2). Sends nothing. */
  close(): void;
}
