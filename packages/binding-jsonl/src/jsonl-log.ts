import type { WireEvent } from '@aepkit/envelope';

import { JsonlWriteError } from './errors.js';
import { JsonlWriter, type JsonlWriterStats } from './jsonl-writer.js';
import { logPath } from './log-path.js';
import { bound } from './limits.js';
import { outgoingLines, type Writable } from './outgoing.js';
import { DEFAULT_MAX_OPEN_FILES, place, resolveWriterOptions, type JsonlLogOptions, type WriterSettings } from './writer-options.js';

/** What a log has done so far: the sum over its files. */
export interface JsonlLogStats extends JsonlWriterStats {
  /** Files open now. */
  readonly openFiles: number;
}

/** Events of one call that go into one file. */
interface Share {
  readonly events: WireEvent[];
  /** Their places among the Events of the call. */
  readonly places: number[];
}

interface PendingCall {
  readonly shares: Map<string, Share>;
  readonly size: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly failures: unknown[];
  readonly failed: number[];
}

/**
 * Appends Events to the log of their session: `{root}/{agent}/{session}.jsonl` (AEP-0003 §3.1), see {@link logPath}. Each
 * file is written as {@link JsonlWriter} does it. No more than `maxOpenFiles` are open; those not used for longest are closed.
 *
 * @example
 * ```ts
 * const log = new JsonlLog({ root: 'logs', rotateBytes: 64 * 1024 * 1024 });
 * await log.append(events);
 * await log.close();
 * ```
 */
export class JsonlLog implements AsyncDisposable {
  readonly root: string;
  readonly #options: JsonlLogOptions;
  readonly #settings: WriterSettings;
  readonly #maxOpenFiles: number;
  /** Least recently used first. */
  readonly #writers = new Map<string, JsonlWriter>();
  readonly #past = { lines: 0, bytes: 0, writes: 0, repairs: 0, rotations: 0 };
  #waiting: PendingCall[] = [];
  #queuedBytes = 0;
  #chain: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** Throws RangeError or TypeError for options that cannot be used. */
  constructor(options: JsonlLogOptions) {
    this.root = place('root', options.root);
    this.#settings = resolveWriterOptions(options);
    this.#maxOpenFiles = bound('maxOpenFiles', options.maxOpenFiles ?? DEFAULT_MAX_OPEN_FILES, 1);
    this.#options = { ...options };
  }

  /** Bytes that are waiting or being written. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  stats(): JsonlLogStats {
    const total = { ...this.#past, openFiles: this.#writers.size };
    for (const writer of this.#writers.values()) addTo(total, writer.stats());
    return total;
  }

  /**
   * Appends one Event or several, each to its own file, in order. What happens in one file does not touch the others.
   *
   * Rejects like {@link JsonlWriter.append}, and with `invalid-name`.
   */
  async append(events: Writable | readonly Writable[]): Promise<void> {
    if (this.#closing !== undefined) throw new JsonlWriteError('closed', 'the log is closed');
    const lines = outgoingLines(events, this.#settings.maxLineBytes);
    if (lines.length === 0) return;
    const shares = new Map<string, Share>();
    let size = 0;
    lines.forEach((line, index) => {
      const path = logPath(this.root, line.event);
      let share = shares.get(path);
      if (share === undefined) shares.set(path, (share = { events: [], places: [] }));
      share.events.push(line);
      share.places.push(index);
      size += line.size;
    });
    const { maxQueuedBytes } = this.#settings;
    if (this.#queuedBytes > 0 && this.#queuedBytes + size > maxQueuedBytes) {
      throw new JsonlWriteError('queue-full', `more than ${String(maxQueuedBytes)} bytes are waiting`);
    }
    this.#queuedBytes += size;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ shares, size, resolve, reject, failures: [], failed: [] });
    });
    if (this.#waiting.length === 1) void this.#enqueue(() => this.#drain());
    return written;
  }

  /** Brings to the disk what was appended before. Rejects with {@link JsonlWriteError} `sync-failed`. */
  sync(): Promise<void> {
    return this.#enqueue(async () => {
      await all(Array.from(this.#writers.values(), (writer) => writer.sync()));
    });
  }

  /** Writes what waits and closes all files. Rejects like {@link JsonlWriter.close}. */
  close(): Promise<void> {
    this.#closing ??= this.#enqueue(async () => {
      await all(Array.from(this.#writers.keys(), (path) => this.#drop(path)));
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#chain.then(task);
    this.#chain = result.catch(() => undefined);
    return result;
  }

  /** Writes what waits now: file by file, all calls that have Events for it together. */
  async #drain(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    const paths = [...new Set(calls.flatMap(({ shares }) => [...shares.keys()]))];
    for (let at = 0; at < paths.length; ) {
      const some = paths.slice(at, at + Math.min(paths.length, this.#maxOpenFiles));
      await this.#makeRoom(new Set(some));
      await Promise.all(some.map((path) => this.#write(path, calls)));
      at += some.length;
    }
    for (const call of calls) {
      this.#queuedBytes -= call.size;
      const [first] = call.failures;
      if (call.failures.length === 0) call.resolve();
      else if (!(first instanceof JsonlWriteError)) call.reject(first);
      else {
        const { code, message, path, cause } = first;
        const failed = call.failed.toSorted((a, b) => a - b);
        call.reject(new JsonlWriteError(code, message, { path, failed, cause }));
      }
    }
  }

  async #write(path: string, calls: readonly PendingCall[]): Promise<void> {
    const writer = this.#writers.get(path) ?? new JsonlWriter({ ...this.#options, path, maxQueuedBytes: Infinity });
    this.#writers.delete(path);
    this.#writers.set(path, writer);
    await Promise.all(
      calls.map(async (call) => {
        const share = call.shares.get(path);
        if (share === undefined) return;
        try {
          await writer.append(share.events);
        } catch (error) {
          call.failures.push(error);
          const failed = error instanceof JsonlWriteError ? error.failed : undefined;
          for (const index of failed ?? share.places.keys()) call.failed.push(share.places[index] ?? 0);
        }
      }),
    );
  }

  /** Closes files until those of `paths` may all be open. Nothing is being written here, so nothing is cut short. */
  async #makeRoom(paths: ReadonlySet<string>): Promise<void> {
    let room = this.#maxOpenFiles - this.#writers.size;
    for (const path of paths) if (!this.#writers.has(path)) room -= 1;
    for (const path of [...this.#writers.keys()]) {
      if (room >= 0) return;
      if (paths.has(path)) continue;
      room += 1;
      try {
        await this.#drop(path);
      } catch (error) {
        if (error instanceof JsonlWriteError) this.#settings.onError(error);
      }
    }
  }

  async #drop(path: string): Promise<void> {
    const writer = this.#writers.get(path);
    if (writer === undefined) return;
    try {
      await writer.close();
    } finally {
      this.#writers.delete(path);
      addTo(this.#past, writer.stats());
    }
  }
}

function addTo(total: { -readonly [Name in keyof JsonlWriterStats]: number }, more: JsonlWriterStats): void {
  total.lines += more.lines;
  total.bytes += more.bytes;
  total.writes += more.writes;
  total.repairs += more.repairs;
  total.rotations += more.rotations;
}

/** Waits for all, then throws the first failure. */
async function all(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
