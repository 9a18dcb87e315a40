import { type Counter, type Entry, type LockState, parseCounterName, parseEntryName, parseLockName, parseSkipName, type Skip, tmpHolder } from './entry-name.js';

/** What a folder holds. */
export interface Listing {
  /** In order. */
  readonly entries: readonly Entry[];
  /** Lines of an entry that are delivered, by its name. */
  readonly skips: ReadonlyMap<string, number>;
  readonly skipFiles: readonly Skip[];
  readonly counters: readonly Counter[];
  /** The newest; older ones were made by processes that saw none. */
  readonly lock: LockState | undefined;
  readonly oldLocks: readonly LockState[];
  readonly tmps: readonly { readonly name: string; readonly holder: string }[];
  /** Names of files that are none of ours. */
  readonly foreign: readonly string[];
}

/** Sorts out the names in a folder. */
export function listing(names: readonly string[]): Listing {
  const entries: Entry[] = [];
  const skipFiles: Skip[] = [];
  const skips = new Map<string, number>();
  const counters: Counter[] = [];
  const locks: LockState[] = [];
  const tmps: { name: string; holder: string }[] = [];
  const foreign: string[] = [];
  // Names of entries sort like their places. Equal ones belong to appends at the same moment: any order does, as long as it is the same.
  for (const name of names.toSorted()) {
    const entry = parseEntryName(name);
    if (entry !== undefined) {
      entries.push(entry);
      continue;
    }
    const skip = parseSkipName(name);
    const counter = parseCounterName(name);
    const lock = parseLockName(name);
    const holder = tmpHolder(name);
    if (skip !== undefined) {
      skipFiles.push(skip);
      skips.set(skip.entry, Math.max(skip.lines, skips.get(skip.entry) ?? 0));
    } else if (counter !== undefined) counters.push(counter);
    else if (lock !== undefined) locks.push(lock);
    else if (holder !== undefined) tmps.push({ name, holder });
    else foreign.push(name);
  }
  locks.sort((a, b) => b.generation - a.generation || (a.name < b.name ? -1 : 1));
  return { entries, skips, skipFiles, counters, lock: locks[0], oldLocks: locks.slice(1), tmps, foreign };
}

/** Lines that wait in a listing. */
export function linesOf({ entries, skips }: Listing): number {
  return entries.reduce((sum, entry) => sum + Math.max(0, entry.lines - (skips.get(entry.name) ?? 0)), 0);
}
