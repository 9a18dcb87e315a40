/** What {@link Access} looks at in a request. A binding makes one from whatever its server hands it. */
export interface RequestFacts {
  /**
   * The value of a header, by lower-case name; `null` or `undefined` where it is absent. A header that was sent several
   * times must arrive joined with `, ` (as a Fetch `Headers` does), so that it is refused and not half read.
   */
  header(name: string): string | null | undefined;
  /**
   * The names of the headers that are there, in lower case, each at least once; a binding that knows them saves a look-up for
   * each header that only a proxy writes. Default: every such header is asked for.
   */
  readonly headerNames?: Iterable<string> | undefined;
  /** The decoded `access_token` parameter of the URL, where there is one. Never log it (AEP-0003 §8.1). */
  readonly queryToken?: string | undefined;
  /** Whether the connection itself is TLS; not whether a header says so. */
  readonly encrypted: boolean;
  /** Address of the peer, where the binding knows it. */
  readonly remoteAddress?: string | undefined;
}
