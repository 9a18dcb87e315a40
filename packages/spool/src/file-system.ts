import { chmod, type FileHandle, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';

import { makeFolder } from './make-folder.js';
import { readEntry } from './read-entry.js';

/** The part of an open file that a spool uses. */
export type SpoolFile = Pick<FileHandle, 'write' | 'sync' | 'close'>;

/** The part of `node:fs/promises` that a spool uses, so that a test can let it fail. */
export interface SpoolFileSystem {
  open(path: string, flags: string, mode: number): Promise<SpoolFile>;
  readdir(path: string): Promise<string[]>;
  /** At most so many bytes of a regular file of this user; what is none is refused with the code `ODD_ENTRY`. */
  readFile(path: string, bytes: number): Promise<Buffer>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  stat(path: string): Promise<{ readonly mtimeMs: number; readonly mode: number; readonly uid: number; isDirectory(): boolean }>;
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<unknown>;
  chmod(path: string, mode: number): Promise<void>;
  utimes(path: string, atime: number, mtime: number): Promise<void>;
}

/** The file system of this machine. */
export const nodeFileSystem: SpoolFileSystem = Object.freeze({
  chmod,
  mkdir: (path: string, { mode }: { readonly mode: number }) => makeFolder(path, mode),
  open,
  readdir,
  readFile: readEntry,
  rename,
  stat,
  unlink,
  utimes,
});
