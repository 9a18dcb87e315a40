import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it, where missing, for their owner only. Rejects with the error of the file system.
 *
 * Not `mkdir` with `recursive`: that never settles where a folder is there but none can be made in it, as in `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  if (parent !== folder && !(await isFolder(parent))) await makeFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
