import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it, where missing, and gives the uppermost one that it made. Rejects with the error of the file system.
 *
 * Not `mkdir` with `recursive`: that never settles where a folder is there but none can be made in it, as in `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<string | undefined> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const above = parent !== folder && !(await isFolder(parent)) ? await makeFolder(parent, mode) : undefined;
  try {
    await mkdir(folder, { mode });
    return above ?? folder;
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
    return above;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
