import { statSync } from 'node:fs';
import type { Engine } from './engine.js';
import { HistoryError, historyError } from './errors.js';
import { EventQueries } from './event-queries.js';
import { lockFile } from './file-lock.js';
import { GroupCommit } from './group-commit.js';
import type { History } from './history.js';
import { inlineEngine } from './inline-engine.js';
import { resolveOptions, type HistoryOptions, type ResolvedOptions } from './options.js';
import { locateFile, prepareFile } from './prepare-file.js';
import { Reader } from './reader.js';
import { LogReads } from './replay-log.js';
import { lowestPositions, replaySessions } from './replay-sessions.js';
import { SessionQueries } from './session-queries.js';
import { SessionReads } from './session-reads.js';
import { workerEngine } from './worker-engine.js';

/**
 * Opens a store, and makes it where there is none: a durable `EventLog` (AEP-0003 §5). One writer at a time: the lock lasts
 * until {@link History.close} or the death of the process.
 *
 * Rejects with HistoryError `locked`, `newer-schema`, `not-a-history`, `migration-failed`, `corrupt` or `unavailable`; throws
 * RangeError or TypeError for bad options.
 *
 * @example
 * const history = await openHistory({ path: 'data/history.db', buffer: 10_000 });
 * const hub = new Hub({ log: history, id: 'collector-1' });
 */
export async function openHistory(options: HistoryOptions): Promise<History> {
  const resolved = resolveOptions(options);
  const path = locateFile(resolved.path);
  const unlock = lockFile(path);
  let engine: Engine | undefined;
  try {
    const backup = prepareFile(path);
    const { buffer, synchronous, maxBytes, mapBytes } = resolved;
    const writer = { path, buffer, synchronous, maxBytes };
    engine = resolved.writer === 'worker' ? await workerEngine(writer) : inlineEngine(writer);
    return makeHistory({ resolved, path, backup, engine, reader: new Reader(path, mapBytes), unlock });
  } catch (error) {
    await engine?.close();
    unlock();
    throw historyError(error, path);
  }
}

interface Parts {
  readonly resolved: ResolvedOptions;
  readonly path: string;
  readonly backup: string | undefined;
  readonly engine: Engine;
  readonly reader: Reader;
  readonly unlock: () => void;
}

function makeHistory({ resolved, path, backup, engine, reader, unlock }: Parts): History {
  const { buffer, sessions } = resolved;
  const commits = new GroupCommit(engine, resolved.groupEvents);
  const sessionReads = new SessionReads(reader);
  const logReads = new LogReads(reader);
  const sessionQueries = new SessionQueries(reader);
  const eventQueries = new EventQueries(reader);
  let closed: Promise<void> | undefined;

  const refuseClosed = (): void => {
    if (closed !== undefined) throw new HistoryError('closed', `${path} is closed`);
  };

  return {
    path,
    backup,
    buffer,
    mark: () => commits.mark,
    append(batch) {
      if (closed !== undefined) return Promise.reject(new HistoryError('closed', `${path} is closed`));
      return commits.append(batch);
    },
    onCommit: (listener) => commits.onCommit(listener),
    async *replay(from, upTo, hint) {
      const bound = Math.min(upTo, commits.mark);
      const wanted = hint?.sessions;
      if (from.type === 'mark') {
        yield* reader.steps(logReads.replay(from.mark, bound, wanted));
        return;
      }
      refuseClosed();
      await commits.index(bound);
      const starts =
        from.type === 'positions'
          ? lowestPositions(from.positions)
          : reader.once(() => sessionReads.recentNames(sessions, bound, wanted)).map((name) => [name, undefined] as const);
      yield* reader.steps(replaySessions(sessionReads, starts, { buffer, upTo: bound, wanted }));
    },
    async sessions(query = {}) {
      refuseClosed();
      await commits.index(commits.mark);
      return reader.once(() => sessionQueries.list(query));
    },
    async *events(query = {}) {
      refuseClosed();
      await commits.index(commits.mark);
      for await (const chunk of reader.steps(eventQueries.run(query))) yield* chunk;
    },
    has: (source, id) =>
      new Promise((resolve) => {
        refuseClosed();
        resolve(reader.once(() => eventQueries.has(source, id)));
      }),
    async stats() {
      refuseClosed();
      await commits.index(commits.mark);
      return {
        ...reader.once(() => sessionQueries.totals()),
        databaseBytes: sizeOf(path),
        walBytes: sizeOf(`${path}-wal`),
        ...commits.counts,
      };
    },
    close() {
      closed ??= commits.drained().then(async () => {
        // The last connection takes the WAL back into the file, and only one that writes can.
        reader.close();
        await engine.close();
        unlock();
      });
      return closed;
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
