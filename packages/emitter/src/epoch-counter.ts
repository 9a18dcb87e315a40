import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { EpochStoreError } from './errors.js';
import { makeFolder } from './make-folder.js';

// As it is written here: any other spelling names a file that a change of the number would not find.
const TOKEN = /^epoch\.(0|[1-9]\d{0,15})$/;
/** Most looks in a row that find nothing: a name is away only for the moment in which it is changed. */
const MAX_MISSES = 200;

/**
 * A counter in a folder that any number of processes may draw from. Its value is the name of the one file in there, and drawing is renaming
 * that file: of two that try, the system lets one win, and the other finds that the name is gone. A name that is gone never comes
 * back, since the value only grows; so there is no lock, and nothing a killed process could leave behind.
 *
 * The value is at least the time, so that epochs grow even when the folder was lost.
 */
export async function drawEpoch(folder: string, now: number, above = -1): Promise<number> {
  for (let misses = 0; misses < MAX_MISSES; ) {
    const last = await newest(folder);
    if (last === 'none') await create(folder);
    if (last === 'none' || last === undefined) {
      misses += 1;
      continue;
    }
    misses = 0;
    const next = Math.max(last + 1, above + 1, Number.isSafeInteger(now) && now < 2 ** 52 ? now : 0);
    if (!Number.isSafeInteger(next)) throw new EpochStoreError('not-a-store', `${folder}: the epoch is beyond what an Event can carry`);
    try {
      await rename(join(folder, `epoch.${last}`), join(folder, `epoch.${next}`));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      throw error;
    }
    // Before an Event goes out with it: after a power cut the old value would be drawn again.
    await sync(folder);
    return next;
  }
  throw new EpochStoreError('not-a-store', `${folder}: the counter is missing`);
}

/** `undefined`: the file was being renamed while the folder was read. */
async function newest(folder: string): Promise<number | undefined | 'none'> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'none';
    throw error;
  }
  const values = names.map((name) => TOKEN.exec(name)?.[1]).filter((text) => text !== undefined);
  return values.length === 0 ? undefined : Math.max(...values.map(Number));
}

/** The folder appears with the file in it, or not at all: one made empty could be filled by two. */
async function create(folder: string): Promise<void> {
  const parent = join(folder, '..');
  await makeFolder(parent);
  const aside = await mkdtemp(`${folder}.new-`);
  try {
    const file = await open(join(aside, 'epoch.0'), 'wx', 0o600);
    await file.sync();
    await file.close();
    await rename(aside, folder);
    await sync(parent);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    const code = codeOf(error);
    // Another process was faster.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error;
  }
}

async function sync(folder: string): Promise<void> {
  // A folder cannot be opened everywhere; where it cannot, its changes are on the disk when the call returns.
  const handle = await open(folder, 'r').catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch (error) {
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EINVAL') throw error;
  } finally {
    await handle.close();
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
