import type { EventStream, StreamReader } from './event-stream.js';

/** What becomes of a cursor. */
export interface CursorOutcome {
  /** Whether anybody still waits for it. */
  wanted(): boolean;
  /** One cursor more, or less, takes its time. */
  waiting(count: 1 | -1): void;
  /** Readers for everything between the cursor and the head of the stream, one behind the other. */
  opened(readers: readonly StreamReader[]): void;
  /** Not a cursor of this stream, or no longer held (S-O18). */
  missing(): void;
  /** The stream could not be read. */
  failed(): void;
}

/** Opens a cursor, at once where the stream can. */
export function openCursor(stream: EventStream, cursor: string, outcome: CursorOutcome): void {
  let opening: ReturnType<EventStream['open']>;
  try {
    opening = stream.open(cursor);
  } catch {
    outcome.failed();
    return;
  }
  if (!(opening instanceof Promise)) {
    give(stream, opening, outcome);
    return;
  }
  outcome.waiting(1);
  const later = (then: () => void, reader?: StreamReader): void => {
    outcome.waiting(-1);
    if (outcome.wanted()) then();
    else reader?.close();
  };
  opening.then(
    (reader) => later(() => give(stream, reader, outcome), reader),
    () => later(() => outcome.failed()),
  );
}

function give(stream: EventStream, reader: StreamReader | undefined, outcome: CursorOutcome): void {
  if (reader === undefined) outcome.missing();
  // What came while the cursor was opened is read as well: nothing is live before the subscription is there.
  else outcome.opened(stream.head().order > reader.upTo.order ? [reader, stream.read(reader.upTo)] : [reader]);
}
