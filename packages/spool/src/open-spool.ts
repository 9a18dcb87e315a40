import { appendLines, encodeLines } from './append-lines.js';
import { drainLines } from './drain-lines.js';
import { takeDrainLock } from './drain-lock.js';
import { takeDropped } from './drop-counter.js';
import { occupied } from './entry-name.js';
import { codeOf, failure, SpoolError } from './errors.js';
import { holderName } from './holder.js';
import { linesOf, listing } from './listing.js';
import { openFolder } from './open-folder.js';
import { DEFAULT_BATCH_BYTES, DEFAULT_BATCH_LINES, resolveOptions, type SpoolOptions } from './options.js';
import type { AppendOutcome, DrainOptions, DrainOutcome, Spool } from './spool.js';

/**
 * Opens a spool, and makes it where there is none.
 *
 * @throws {@link SpoolError} `not-a-spool`, `no-space`, `unavailable`; RangeError for an option out of bounds.
 *
 * @example
 * ```ts
 * const spool = await openSpool({ path: '/var/lib/me/spool' });
 * await spool.append([{ text: '{"n":1}' }]);
 * await spool.drain(async (lines) => { await send(lines); });
 * ```
 */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const resolved = resolveOptions(options);
  const { path, fileSystem, lockTimeoutMs } = resolved;
  const what = `cannot use the spool ${path}`;
  await guarded(() => openFolder(resolved));
  const holder = await holderName();
  let closed = false;
  // Appends of one process are made in the order of their calls.
  let appends: Promise<unknown> = Promise.resolve();
  let draining: Promise<unknown> | undefined;

  const list = async (): Promise<ReturnType<typeof listing>> => listing(await fileSystem.readdir(path));
  const open = (): void => {
    if (closed) throw new SpoolError('closed', `the spool ${path} is closed`);
  };

  return {
    append(lines) {
      const run = async (): Promise<AppendOutcome> => {
        open();
        const encoded = encodeLines(lines, resolved.maxLineBytes);
        if (encoded.length === 0) return { kept: 0, dropped: 0 };
        try {
          return await appendLines(resolved, holder, encoded);
        } catch (error) {
          // Somebody removed the folder.
          if (codeOf(error) !== 'ENOENT') throw error;
          await openFolder(resolved);
          return await appendLines(resolved, holder, encoded);
        }
      };
      const turn = appends.then(() => guarded(run));
      appends = turn.catch(() => undefined);
      return turn;
    },

    async drain(deliver, drainOptions = {}) {
      open();
      const bounds = boundsOf(drainOptions);
      if (draining !== undefined) return { delivered: 0, left: true, busy: true };
      const turn = drainOnce(deliver, { ...bounds, stopped: () => closed || drainOptions.signal?.aborted === true });
      draining = turn;
      try {
        return await turn;
      } finally {
        draining = undefined;
      }
    },

    isEmpty: async () => (open(), guarded(async () => (await list()).entries.length === 0)),

    stats: async () => {
      open();
      const found = await guarded(list);
      return {
        lines: linesOf(found),
        bytes: found.entries.reduce((sum, { bytes }) => sum + occupied(bytes), 0),
        dropped: found.counters.reduce((sum, { count }) => sum + count, 0),
      };
    },

    takeDropped: async () => (open(), guarded(() => takeDropped(resolved))),

    async close() {
      closed = true;
      await appends;
      await draining?.catch(() => undefined);
    },
  };

  async function drainOnce(deliver: (lines: readonly string[]) => Promise<void>, bounds: Parameters<typeof drainLines>[3]): Promise<DrainOutcome> {
    const lock = await guarded(() => takeDrainLock(resolved));
    if (lock === undefined) return { delivered: 0, left: true, busy: true };
    const timer = Number.isFinite(lockTimeoutMs) ? setInterval(() => void lock.touch().catch(() => undefined), Math.min(lockTimeoutMs / 4, 2 ** 31 - 1)) : undefined;
    timer?.unref();
    // What the receiver says is passed on as it is.
    let refusal: { readonly error: unknown } | undefined;
    const handOver = async (lines: readonly string[]): Promise<void> => {
      try {
        await deliver(lines);
      } catch (error) {
        refusal = { error };
        throw error;
      }
    };
    try {
      return { ...(await drainLines(resolved, lock, handOver, bounds)), busy: false };
    } catch (error) {
      throw refusal === undefined ? failure(what, error) : refusal.error;
    } finally {
      clearInterval(timer);
      await lock.release();
    }
  }

  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw failure(what, error);
    }
  }
}

function boundsOf({ maxLines = DEFAULT_BATCH_LINES, maxBytes = DEFAULT_BATCH_BYTES }: DrainOptions): { maxLines: number; maxBytes: number } {
  if (!(maxLines >= 1 && maxBytes >= 1)) throw new RangeError('maxLines and maxBytes must be at least 1');
  return { maxLines, maxBytes };
}
