import { errnoOf, JsonlWriteError } from './errors.js';
import { bound, DEFAULT_MAX_LINE_BYTES } from './limits.js';
import { outgoingLines, type Writable } from './outgoing.js';
import { DEFAULT_MAX_QUEUED_BYTES } from './writer-options.js';

/** Options of a {@link JsonlOutput}. */
export interface JsonlOutputOptions {
  /** Longest line, in bytes without its line feed. `Infinity`: off. Default {@link DEFAULT_MAX_LINE_BYTES}. */
  readonly maxLineBytes?: number;
  /** Most bytes waiting in the stream. `Infinity`: off. Default {@link DEFAULT_MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
}

/**
 * Writes Events to a stream, for example standard output (AEP-0003 §3.1). One call of `append` is one write of whole lines;
 * the stream keeps the calls apart. Whether the system hands a long write to a pipe in one piece is for the system to say.
 *
 * A reader that goes away is an error with a code and never an uncaught one: from then on `append` rejects with `broken-pipe`.
 *
 * @example
 * ```ts
 * const output = new JsonlOutput(process.stdout);
 * await output.append(event);
 * ```
 */
export class JsonlOutput {
  readonly #stream: NodeJS.WritableStream & { readonly writableLength?: number };
  readonly #maxLineBytes: number;
  readonly #maxQueuedBytes: number;
  #failure: JsonlWriteError | undefined;

  /** Throws RangeError for options that cannot be used. */
  constructor(stream: NodeJS.WritableStream & { readonly writableLength?: number }, options: JsonlOutputOptions = {}) {
    this.#stream = stream;
    this.#maxLineBytes = bound('maxLineBytes', options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, 1);
    this.#maxQueuedBytes = bound('maxQueuedBytes', options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES, 1);
    // Without a listener the error of a pipe ends the process, with a stack.
    stream.on('error', (error: unknown) => {
      this.#failure ??= failureOf(error);
    });
    stream.on('close', () => {
      this.#failure ??= new JsonlWriteError('closed', 'the stream is closed');
    });
  }

  /**
   * Writes one Event or several. Resolves when the stream has handed them on, so that whoever waits for it never fills memory.
   *
   * Rejects with {@link JsonlWriteError} `not-one-line`, `too-large`, `queue-full`, `no-space`, `io`, `broken-pipe`, `closed`;
   * `EnvelopeError` for an Event built in code that is none.
   */
  async append(events: Writable | readonly Writable[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const lines = outgoingLines(events, this.#maxLineBytes);
    if (lines.length === 0) return;
    const waiting = this.#stream.writableLength ?? 0;
    const size = lines.reduce((sum, line) => sum + line.size, 0);
    if (waiting > 0 && waiting + size > this.#maxQueuedBytes) {
      throw new JsonlWriteError('queue-full', `more than ${String(this.#maxQueuedBytes)} bytes are waiting`);
    }
    const text = lines.map(({ json }) => `${json}\n`).join('');
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(text, 'utf8', (error) => {
        if (error === undefined || error === null) resolve();
        else reject((this.#failure ??= failureOf(error)));
      });
    });
  }
}

function failureOf(error: unknown): JsonlWriteError {
  const errno = errnoOf(error);
  const detail = errno ?? (error instanceof Error ? error.message : String(error));
  switch (errno) {
    case 'EPIPE':
    case 'ECONNRESET':
      return new JsonlWriteError('broken-pipe', `the reader of the stream has gone: ${detail}`, { cause: error });
    case 'ERR_STREAM_DESTROYED':
    case 'ERR_STREAM_WRITE_AFTER_END':
      return new JsonlWriteError('closed', `the stream is closed: ${detail}`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new JsonlWriteError('no-space', detail, { cause: error });
    default:
      return new JsonlWriteError('io', detail, { cause: error });
  }
}
