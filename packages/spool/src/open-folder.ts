import { join } from 'node:path';

import { counterName, lockName } from './entry-name.js';
import { codeOf, SpoolError } from './errors.js';
import { nonce } from './holder.js';
import { listing } from './listing.js';
import type { SpoolFileSystem } from './file-system.js';
import type { ResolvedSpoolOptions } from './options.js';

/** Makes the folder of a spool what it has to be: there, private, with a lock. */
export async function openFolder({ path, fileSystem }: ResolvedSpoolOptions): Promise<void> {
  try {
    await fileSystem.mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOTDIR') throw error;
    throw new SpoolError('not-a-spool', `${path} is no folder`, { cause: error });
  }
  const facts = await fileSystem.stat(path);
  if (!facts.isDirectory()) throw new SpoolError('not-a-spool', `${path} is no folder`);
  const found = listing(await fileSystem.readdir(path));
  if (found.lock === undefined && found.foreign.length > 0) throw new SpoolError('not-a-spool', `${path} holds other files`);
  const user = process.getuid?.();
  if (user !== undefined) {
    if (facts.uid !== user) throw new SpoolError('not-a-spool', `${path} belongs to another user`);
    if ((facts.mode & 0o077) !== 0) await fileSystem.chmod(path, 0o700);
  }
  // There from the start, so that a disk that is full can be counted on.
  if (found.counters.length === 0) await (await fileSystem.open(join(path, counterName(0, nonce())), 'wx', 0o600)).close();
  if (found.lock === undefined) await makeLock(fileSystem, path);
}

/** Makes the lock, free; where another process was faster, that is as good. */
export async function makeLock(fileSystem: SpoolFileSystem, path: string): Promise<void> {
  try {
    await (await fileSystem.open(join(path, lockName(0, undefined)), 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
