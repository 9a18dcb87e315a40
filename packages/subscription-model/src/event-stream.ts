import type { Message } from './message.js';

/** A place between two events of a stream. */
export interface StreamPlace {
  /** Places of one running stream compare by it: it rises by one with every event that has a place. */
  readonly order: number;
  /** The same place as consumers name it (§5). Opaque; its format is that of the stream. */
  readonly cursor: string;
}

/** One event of a stream, with the place behind it. */
export interface StreamEntry extends StreamPlace {
  readonly message: Message;
  /**
   * The message as JSON on one line, where it came as text: what is delivered is this but for `delivery`, so that numbers beyond 2^53
   * and their spelling stay as they were. Default: what `JSON.stringify` makes of the message.
   */
  readonly text?: () => string;
  /** `delivery.sequence` (C1): never falls within a stream. */
  readonly sequence: number;
  /** About what it takes in memory and on the wire. */
  readonly bytes: number;
  /** False for an event that the stream will not give out again: it is delivered once, as best effort. */
  readonly held: boolean;
}

/** Reads a stream in order, up to the place that was its head when the reader was made. */
export interface StreamReader {
  /** The place it reads up to. */
  readonly upTo: StreamPlace;
  /** The next events, none at times; `undefined` at the end. Throws or rejects with `StreamError` `evicted` for what is gone. */
  next(): Promise<readonly StreamEntry[] | undefined> | readonly StreamEntry[] | undefined;
  /** Gives up early. */
  close(): void;
}

/**
 * The event stream of a producer: what is published, in order, and as much of it as can be read again. `memoryStream` and
 * `eventLogStream` make one.
 */
export interface EventStream {
  /** The place behind the newest event. */
  head(): StreamPlace;
  /** Calls back with new events in order, in the turn that adds them and behind the move of `head`. Gives a function that ends it. */
  onAppend(listener: (entries: readonly StreamEntry[]) => void): () => void;
  /** Reads behind a cursor that a consumer names (S-O15). `undefined`: not of this stream, or no longer held (S-O18). */
  open(cursor: string): Promise<StreamReader | undefined> | StreamReader | undefined;
  /** Reads behind a place that this stream gave out. */
  read(after: StreamPlace): StreamReader;
  /** Adds an event, with its text where it came as one; absent where the stream is filled elsewhere. */
  append?(message: Message, text?: string): StreamPlace;
}
