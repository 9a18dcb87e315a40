/** One line to keep. */
export interface SpoolLine {
  /** Not empty, without line breaks. */
  readonly text: string;
  /** Given up first when the spool is full. Default false. */
  readonly expendable?: boolean;
}

/** What became of an append. */
export interface AppendOutcome {
  /** Lines of this call that are kept. */
  readonly kept: number;
  /** Lines given up by this call: expendable ones that waited, and lines of this call that found no room. */
  readonly dropped: number;
}

/** How {@link Spool.drain} hands lines out. */
export interface DrainOptions {
  /** Most lines of one delivery. Default 500. */
  readonly maxLines?: number;
  /** Most bytes of one delivery, except that a single line may have more. Default 1,048,576. */
  readonly maxBytes?: number;
  /** Ends the drain behind the delivery that runs. */
  readonly signal?: AbortSignal;
}

/** What became of a drain. */
export interface DrainOutcome {
  /** Lines delivered and removed. */
  readonly delivered: number;
  /** Whether lines wait still. */
  readonly left: boolean;
  /** Another drainer is at work, and nothing was done. */
  readonly busy: boolean;
}

/** What a spool holds. */
export interface SpoolStats {
  /** Lines that wait. */
  readonly lines: number;
  /** What they occupy on disk, in bytes: whole blocks of 4,096. */
  readonly bytes: number;
  /** Lines given up since {@link Spool.takeDropped}. */
  readonly dropped: number;
}

/** A bounded queue of lines in a folder: several processes append, one at a time drains. */
export interface Spool {
  /**
   * Keeps lines behind all that wait. What is kept when the promise is fulfilled survives the death of any process, and that of the
   * machine with the option `fsync`. An append that began after another was fulfilled comes out after it.
   *
   * When there is no room, the oldest expendable lines make some for lines that are not; lines that find none are dropped and counted.
   *
   * @throws {@link SpoolError} `line-too-long`, `invalid-line`: nothing is kept; `no-space`, `unavailable`, `closed`: a leading part may be kept.
   */
  append(lines: readonly SpoolLine[]): Promise<AppendOutcome>;
  /**
   * Hands the lines out in order, batch by batch, until none waits, and removes each batch when its delivery is fulfilled. When it
   * rejects, the drain rejects with its error and the batch stays first. A process that dies in between leaves the batch that was in
   * delivery, which then comes again: receivers have to know a line that they had.
   */
  drain(deliver: (lines: readonly string[]) => Promise<void>, options?: DrainOptions): Promise<DrainOutcome>;
  isEmpty(): Promise<boolean>;
  stats(): Promise<SpoolStats>;
  /** The count of lines given up, which begins again at 0: for whoever reports it. */
  takeDropped(): Promise<number>;
  /** Lets a running drain end behind its delivery. */
  close(): Promise<void>;
}
