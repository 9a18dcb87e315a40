/** Where the bytes of one stream go. Hides what kind of response it is. */
export interface Outlet {
  /** Sends the head and a first comment. Nothing is written before. */
  start(bytes: Uint8Array): void;
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
  /** The response is over: the peer is gone, or everything has left behind `end`. Told once. */
  gone(): void;
}
