import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it, where missing. Rejects with the error of the file system.
 *
 * Not `mkdir` with `recursive`: that never settles where a folder is there but none can be made in it, as in `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  if (parent !== folder && !(await isFolder(parent))) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
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
