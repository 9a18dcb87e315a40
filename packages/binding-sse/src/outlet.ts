/** Where the bytes of one stream go. Hides what kind of response it is. */
export interface Outlet {
  /** What to answer with. */
  readonly body: ReadableStream<Uint8Array>;
  write(bytes: Uint8Array): void;
  /** Bytes written and not yet taken by the runtime. */
  buffered(): number;
  /** The last bytes; then the response ends in good order. */
  end(bytes: Uint8Array): void;
  /** Ends it now, whatever waits. */
  destroy(): void;
}

/** What an {@link Outlet} tells. */
export interface OutletEvents {
  /** Bytes have left. */
  relieved(): void;
  /** The response is over: the peer is gone, or everything has left behind `end`. */
  gone(): void;
}
