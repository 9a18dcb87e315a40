import { AppendFile } from './append-file.js';
import { errnoOf, JsonlWriteError, type JsonlWriteErrorCode } from './errors.js';
import { isMissing } from './file-system.js';
import { outgoingLines, type Writable } from './outgoing.js';
import { rotatedPath } from './rotated-name.js';
import { WriteQueue, type WriteBatch } from './write-queue.js';
import { place, resolveWriterOptions, type JsonlWriterOptions, type WriterSettings } from './writer-options.js';

/** What a writer has done so far. */
export interface JsonlWriterStats {
  /** Lines written. */
  readonly lines: number;
  readonly bytes: number;
  /** Calls of `write`. */
  readonly writes: number;
  /** Torn ends that were closed or cut off. */
  readonly repairs: number;
  /** Rotations this writer made. */
  readonly rotations: number;
}

/**
 * Appends Events to one JSONL file (AEP-0003 §3.1). Nothing is opened before the first append.
 *
 * Every write is one call of the system and holds whole lines, so several processes may append to one file and a follower
 * sees no half line. Calls of `append` keep their order; what arrives while a write is under way goes out together in the
 * next one. Ahead of each write the path is looked up, so that a writer goes on in the new file when somebody has rotated.
 *
 * @example
 * ```ts
 * const writer = new JsonlWriter({ path: 'events.jsonl' });
 * await writer.append(event);
 * await writer.close();
 * ```
 */
export class JsonlWriter implements AsyncDisposable {
  readonly path: string;
  readonly #settings: WriterSettings;
  readonly #queue: WriteQueue;
  #chain: Promise<unknown> = Promise.resolve();
  #draining = false;
  #file: AppendFile | undefined;
  #syncTimer: unknown;
  #closing: Promise<void> | undefined;
  /** Where a rotation failed, the size at which it is tried again. */
  #rotateAgainAt = 0;
  #counts = { lines: 0, bytes: 0, writes: 0, repairs: 0, rotations: 0 };

  /** Throws RangeError or TypeError for options that cannot be used. */
  constructor(options: JsonlWriterOptions) {
    this.path = place('path', options.path);
    this.#settings = resolveWriterOptions(options);
    this.#queue = new WriteQueue(this.#settings.maxBatchBytes);
  }

  /** Bytes that are waiting or being written. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  stats(): JsonlWriterStats {
    return { ...this.#counts };
  }

  /**
   * Appends one Event or several. Resolves when all of them are with the system, and with `fsync: 'always'` on the disk.
   *
   * Rejects with {@link JsonlWriteError}, any code but `invalid-name`, `rotate-failed` and `broken-pipe`; its `failed` names
   * the Events that are not known to be kept. `EnvelopeError` for an Event built in code that is none: then nothing of the
   * call was written.
   */
  async append(events: Writable | readonly Writable[]): Promise<void> {
    if (this.#closing !== undefined) throw new JsonlWriteError('closed', 'the writer is closed', { path: this.path });
    const lines = outgoingLines(events, this.#settings.maxLineBytes);
    if (lines.length === 0) return;
    const size = lines.reduce((sum, line) => sum + line.size, 0);
    // A call that finds nothing waiting is taken whatever its size: its Events are in memory already.
    if (this.#queue.bytes > 0 && this.#queue.bytes + size > this.#settings.maxQueuedBytes) {
      throw new JsonlWriteError('queue-full', `more than ${String(this.#settings.maxQueuedBytes)} bytes are waiting`, {
        path: this.path,
      });
    }
    const written = this.#queue.add(lines);
    if (!this.#draining) {
      this.#draining = true;
      void this.#enqueue(() => this.#drain());
    }
    return written;
  }

  /** Brings to the disk what was appended before. Rejects with {@link JsonlWriteError} `sync-failed`. */
  sync(): Promise<void> {
    return this.#enqueue(() => this.#sync());
  }

  /**
   * Renames the file and gives its new path; `undefined` where it is empty, missing, or just renamed by somebody else. The next
   * append makes a new one.
   *
   * Rejects with {@link JsonlWriteError} `rotate-failed` or `closed`.
   */
  rotate(): Promise<string | undefined> {
    if (this.#closing !== undefined) return Promise.reject(new JsonlWriteError('closed', 'the writer is closed', { path: this.path }));
    return this.#enqueue(async () => {
      try {
        const facts = await this.#settings.fileSystem.facts(this.path);
        return facts === undefined || facts.size === 0 ? undefined : await this.#rotate();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw this.#failure(error, 'rotate-failed');
      }
    });
  }

  /** Writes what waits, syncs unless `fsync` is `never`, and closes. Rejects with {@link JsonlWriteError} `sync-failed` or `io`. */
  close(): Promise<void> {
    this.#closing ??= this.#enqueue(() => this.#release());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs one thing at a time. */
  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#chain.then(task);
    this.#chain = result.catch(() => undefined);
    return result;
  }

  async #drain(): Promise<void> {
    for (let batch = this.#queue.take(); batch !== undefined; batch = this.#queue.take()) await this.#writeBatch(batch);
    this.#draining = false;
  }

  async #writeBatch(batch: WriteBatch): Promise<void> {
    const lines = batch.lines.length;
    let written = 0;
    try {
      const file = await this.#ready(batch.size);
      written = await this.#write(file, batch, 0, false);
      // Never the rest of a line alone: another process may have put its own behind our half. The line comes again whole.
      if (written < lines) written = await this.#write(file, batch, written, true);
      if (written < lines) throw new JsonlWriteError('short-write', 'the system took a part of what was written', { path: this.path });
      await this.#keep();
      this.#queue.settle(batch, lines);
    } catch (error) {
      const failure = this.#failure(error);
      const { code, message, cause } = failure;
      const kept = code === 'sync-failed' ? 0 : written;
      this.#queue.settle(batch, kept, (failed) => new JsonlWriteError(code, message, { path: this.path, failed, cause }));
    }
  }

  async #write(file: AppendFile, batch: WriteBatch, first: number, again: boolean): Promise<number> {
    const repairs = file.repairs;
    const { lines, bytes } = await file.write(batch, first, again);
    this.#counts.writes += 1;
    this.#counts.bytes += bytes;
    this.#counts.lines += lines - first;
    this.#counts.repairs += file.repairs - repairs;
    return lines;
  }

  /** What the fsync policy asks for after a write. */
  async #keep(): Promise<void> {
    const { fsync, timers } = this.#settings;
    if (fsync === 'always') return this.#sync();
    if (fsync === 'never' || this.#syncTimer !== undefined) return;
    this.#syncTimer = timers.setTimeout(() => {
      this.#syncTimer = undefined;
      this.sync().catch((error: unknown) => {
        this.#settings.onError(this.#failure(error));
      });
    }, fsync);
  }

  /** The file at the path at this moment, with room for `size` bytes more. */
  async #ready(size: number): Promise<AppendFile> {
    const { fileSystem, rotateBytes } = this.#settings;
    for (;;) {
      const facts = await fileSystem.facts(this.path);
      // Somebody renamed or removed it: what is written from here on belongs into the new one.
      if (this.#file !== undefined && facts?.id !== this.#file.id) await this.#leave();
      if (this.#file === undefined || facts === undefined) {
        this.#file = await AppendFile.open(this.path, this.#settings);
        this.#counts.repairs += this.#file.repairs;
      } else await this.#file.look(facts.size);
      const { end } = this.#file;
      if (end === 0 || end + size <= rotateBytes || end < this.#rotateAgainAt) return this.#file;
      try {
        await this.#rotate();
      } catch (error) {
        // Somebody else was faster.
        if (isMissing(error)) continue;
        // The Events come first: the file grows on.
        this.#rotateAgainAt = end + rotateBytes;
        this.#settings.onError(this.#failure(error, 'rotate-failed'));
        return this.#file;
      }
    }
  }

  /**
   * Renames whatever is at the path. Another writer may have done so since it was looked up: then this renames the new file
   * while it is still small, and loses nothing, because names of rotated files are unique and every writer looks up the path.
   */
  async #rotate(): Promise<string> {
    const { fileSystem, now, suffix, onRotate } = this.#settings;
    const to = rotatedPath(this.path, now(), suffix());
    await fileSystem.rename(this.path, to);
    this.#rotateAgainAt = 0;
    this.#counts.rotations += 1;
    await this.#leave();
    onRotate({ path: this.path, to });
    return to;
  }

  async #sync(): Promise<void> {
    try {
      await this.#file?.sync();
    } catch (error) {
      throw this.#failure(error, 'sync-failed');
    }
  }

  /** Closes the file; a failure is nobody's who is waiting for a write. */
  async #leave(): Promise<void> {
    try {
      await this.#release();
    } catch (error) {
      this.#settings.onError(this.#failure(error));
    }
  }

  async #release(): Promise<void> {
    if (this.#syncTimer !== undefined) this.#settings.timers.clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    const file = this.#file;
    if (file === undefined) return;
    try {
      if (this.#settings.fsync !== 'never') await this.#sync();
    } finally {
      this.#file = undefined;
      await file.close();
    }
  }

  #failure(error: unknown, code?: JsonlWriteErrorCode): JsonlWriteError {
    if (error instanceof JsonlWriteError) return error;
    const errno = errnoOf(error);
    const detail = errno ?? (error instanceof Error ? error.message : String(error));
    return new JsonlWriteError(code ?? codeOf(errno), `${this.path}: ${detail}`, { path: this.path, cause: error });
  }
}

function codeOf(errno: string | undefined): JsonlWriteErrorCode {
  switch (errno) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'no-space';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'EISDIR':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return 'unwritable';
    default:
      return 'io';
  }
}
