import { join } from 'node:path';

import { lockName } from './entry-name.js';
import { codeOf } from './errors.js';
import { holderName, isAlive } from './holder.js';
import { type Listing, listing } from './listing.js';
import { makeLock } from './open-folder.js';
import type { ResolvedSpoolOptions } from './options.js';

/** The lock of a drainer, held. */
export interface DrainLock {
  /** What the folder held when the lock was taken. */
  readonly found: Listing;
  /** Whether it is held still, given what the folder holds. */
  holds(found: Listing): boolean;
  /** Says that the holder lives. */
  touch(): Promise<void>;
  release(): Promise<void>;
}

/** Holders whose lock could not be released. */
const givenUp = new Set<string>();

/**
 * Takes the lock of the drainer, or gives undefined while another has it.
 *
 * The state of the lock is the name of a file, and every change is one `rename` of the name that was seen: of several that want the
 * same change one succeeds. So a lock whose holder is dead is taken over safely: whoever comes late renames a name that is gone.
 */
export async function takeDrainLock(options: ResolvedSpoolOptions): Promise<DrainLock | undefined> {
  const { path, fileSystem, now, lockTimeoutMs } = options;
  const list = async (): Promise<Listing> => listing(await fileSystem.readdir(path));
  let { lock } = await list();
  if (lock === undefined) {
    // Removed by somebody, or between two names just now: a lock that is older than another counts for nothing.
    await makeLock(fileSystem, path);
    ({ lock } = await list());
  }
  if (lock === undefined) return undefined;
  const { generation } = lock;
  if (lock.holder !== undefined && !(await isAbandoned(lock.name, lock.holder))) return undefined;
  const holder = await holderName();
  const mine = lockName(generation + 1, holder);
  if (!(await change(lock.name, mine))) return undefined;
  try {
    await touch();
    const found = await list();
    const held: DrainLock = { found, holds: (now) => now.lock?.name === mine, touch, release };
    // A process that saw no lock made one, while ours was between two names.
    for (const { name } of found.oldLocks) await ignoreMissing(fileSystem.unlink(join(path, name)));
    if (held.holds(found)) return held;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;

  async function isAbandoned(name: string, holder: string): Promise<boolean> {
    if (givenUp.has(holder)) return true;
    const alive = await isAlive(holder);
    if (alive !== undefined) return !alive;
    try {
      // A sign of life from the future was given before a clock was set back, and would hold until then.
      return Math.abs(now() - (await fileSystem.stat(join(path, name))).mtimeMs) > lockTimeoutMs;
    } catch {
      return false;
    }
  }

  async function change(from: string, to: string): Promise<boolean> {
    try {
      await fileSystem.rename(join(path, from), join(path, to));
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async function touch(): Promise<void> {
    const seconds = now() / 1000;
    await ignoreMissing(fileSystem.utimes(join(path, mine), seconds, seconds));
  }

  async function release(): Promise<void> {
    try {
      await change(mine, lockName(generation + 2, undefined));
    } catch {
      // This process lives, so that nobody else may take the lock: this process may.
      givenUp.add(holder);
    }
  }
}

/** Waits for a change to a file that another process may have removed. */
export async function ignoreMissing(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
