import { basename, dirname, join } from 'node:path';

import { isMissing, type FileFacts, type JsonlFileSystem } from './file-system.js';
import type { WatchPlace } from './wake.js';

/** A rotated file beside the one followed. */
export interface Sibling {
  readonly path: string;
  readonly facts: FileFacts;
}

/** Where the file and its rotated forms may be: beside the path, and beside what a symbolic link names. */
export async function placesOf(path: string, fileSystem: JsonlFileSystem): Promise<WatchPlace[]> {
  const named = { directory: dirname(path), base: basename(path) };
  try {
    const real = await fileSystem.resolve(path);
    const direct = join(await fileSystem.resolve(named.directory), named.base);
    return real === direct ? [named] : [named, { directory: dirname(real), base: basename(real) }];
  } catch (error) {
    if (isMissing(error)) return [named];
    throw error;
  }
}

/** Rotated files, oldest first. */
export async function siblingsOf(places: readonly WatchPlace[], isRotated: (name: string, base: string) => boolean, fileSystem: JsonlFileSystem): Promise<Sibling[]> {
  const siblings = new Map<string, Sibling>();
  for (const { directory, base } of places) {
    for (const name of await fileSystem.list(directory)) {
      if (!isRotated(name, base)) continue;
      const path = join(directory, name);
      const facts = siblings.has(path) ? undefined : await fileSystem.facts(path);
      if (facts?.isFile === true) siblings.set(path, { path, facts });
    }
  }
  return [...siblings.values()].sort((a, b) => compareAge(a, b) || compare(a.path, b.path));
}

/**
 * Below 0 where `a` is the older log, 0 where that cannot be told: clocks of file systems are coarse. A late line moves the
 * time of the last change, hence the time of birth comes first.
 */
export function compareAge(a: Sibling, b: Sibling): number {
  return compare(a.facts.bornNs, b.facts.bornNs) || compare(a.facts.modifiedNs, b.facts.modifiedNs);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
