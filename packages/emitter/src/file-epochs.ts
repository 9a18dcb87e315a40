import { appendFileSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { digest } from '@aepkit/envelope';

import { codeOf, drawEpoch } from './epoch-counter.js';
import type { EpochStore, SessionMemory, SessionNote } from './epoch-store.js';
import { EpochStoreError } from './errors.js';
import { makeFolder } from './make-folder.js';
import { DEFAULT_MAX_UNITS } from './options.js';
import { compacted, headerLine, noteLine, readNotes } from './session-notes.js';

/** Sessions whose ends and open requests are remembered, unless `maxSessions` says otherwise. */
export const DEFAULT_MAX_REMEMBERED_SESSIONS = 10_000;

/** What {@link fileEpochs} takes. */
export interface FileEpochsOptions {
  /** A folder of its own; it is made where missing, for its owner only. */
  readonly path: string;
  /**
   * Default {@link DEFAULT_MAX_REMEMBERED_SESSIONS}; `Infinity`: off. Beyond, those not touched for longest are forgotten: their epochs stay
   * unused for ever all the same, their ends do not stay known.
   */
  readonly maxSessions?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Durable epoch memory in a folder that several processes may use (AEP-0001 §7.2). An epoch is on the disk before `open` resolves and is
 * given once, to one session of one process, whatever is killed meanwhile. Ends and open requests survive the death of the process that noted
 * them, not that of the machine.
 *
 * Rejects with {@link EpochStoreError}; RangeError or TypeError for options that cannot be used.
 *
 * @example
 * const emitter = createEmitter({ agent, transport, epochs: fileEpochs({ path: '/var/lib/me/epochs' }) });
 */
export function fileEpochs(options: FileEpochsOptions): EpochStore {
  const { path, maxSessions = DEFAULT_MAX_REMEMBERED_SESSIONS, now = Date.now } = options;
  if (typeof path !== 'string' || path === '') throw new TypeError('path names a folder');
  if (maxSessions !== Infinity && !(Number.isSafeInteger(maxSessions) && maxSessions >= 1)) {
    throw new RangeError('maxSessions is a whole number, 1 or more, or Infinity');
  }
  const counter = join(path, 'counter');
  const folder = join(path, 'sessions');
  /** Files of sessions that are open here. */
  const files = new Map<string, string>();
  /** Files whose last note could not be written. */
  const torn = new Set<string>();
  let closed = false;

  return {
    async open(session, source, above) {
      if (closed) throw new EpochStoreError('closed', `the store ${path} is closed`);
      try {
        await makeFolder(folder);
        const epoch = await drawEpoch(counter, Math.floor(now()), above);
        const file = join(folder, `${digest(session)}.jsonl`);
        const memory = await recall(file, session, source);
        files.set(session, file);
        torn.delete(file);
        if (memory === undefined) await prune(folder, maxSessions, new Set(files.values()));
        return { epoch, ...(memory ?? { source }) };
      } catch (error) {
        if (error instanceof EpochStoreError) throw error;
        const code = codeOf(error);
        throw new EpochStoreError(code === 'ENOTDIR' || code === 'EEXIST' ? 'not-a-store' : 'unavailable', `${path}: ${code ?? 'unknown error'}`, { cause: error });
      }
    },

    note(session: string, note: SessionNote) {
      const file = files.get(session);
      if (file === undefined) return;
      // A full disk may have left half of a line, which would take this one with it.
      const behind = torn.has(file) ? '\n' : '';
      torn.add(file);
      // In one call and at the end of the file: another process sees the line whole or not at all.
      appendFileSync(file, behind + noteLine(note), { mode: 0o600 });
      torn.delete(file);
      if (note.type === 'ended') files.delete(session);
    },

    close() {
      closed = true;
      files.clear();
      return Promise.resolve();
    },
  };
}

/** What is remembered of a session; begins its file where there is none. */
async function recall(file: string, session: string, source: string): Promise<Omit<SessionMemory, 'epoch'> | undefined> {
  let text = '';
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const noted = readNotes(text, session, DEFAULT_MAX_UNITS);
  const next = noted === undefined ? headerLine(session, source) : compacted(noted);
  if (next !== text) await replace(file, next);
  if (noted === undefined) return undefined;
  const { ended, closedRuns, requests } = noted;
  return { source: noted.source, ended, closedRuns: [...closedRuns], requests: [...requests.values()] };
}

/** The file is the old one or the new one at any moment. */
async function replace(file: string, text: string): Promise<void> {
  const aside = `${file}.${process.pid}-${performance.now()}.new`;
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Forgets the sessions that were not touched for longest, a tenth more than needed, so that it is not done each time. */
async function prune(folder: string, maxSessions: number, keep: ReadonlySet<string>): Promise<void> {
  if (maxSessions === Infinity) return;
  const names = await readdir(folder);
  if (names.length <= maxSessions) return;
  const ages = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, touched: await stat(file).then(({ mtimeMs }) => mtimeMs, () => Infinity) };
    }),
  );
  const surplus = names.length - Math.max(1, Math.floor(maxSessions * 0.9));
  const oldest = ages.filter(({ file, touched }) => touched !== Infinity && !keep.has(file)).sort((a, b) => a.touched - b.touched);
  for (const { file } of oldest.slice(0, surplus)) await rm(file, { force: true });
}
