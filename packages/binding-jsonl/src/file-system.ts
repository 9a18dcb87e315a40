import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rename, stat } from 'node:fs/promises';

import { errnoOf } from './errors.js';
import { makeFolder } from './make-folder.js';

/** What the system says about a file. */
export interface FileFacts {
  /** Device and inode: which file it is, for as long as somebody holds it open. */
  readonly id: string;
  /** `id` and the time of birth, because inodes of deleted files are used again. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** When it was made, in nanoseconds since 1970; 0 where the file system does not keep that. */
  readonly bornNs: bigint;
  /** When its content was last changed. */
  readonly modifiedNs: bigint;
  readonly isFile: boolean;
}

/** An open file. */
export interface JsonlFile {
  /** Appends with one call of the system and gives the number of bytes that it took. */
  write(bytes: Uint8Array): Promise<number>;
  /** Reads into the whole of `into` from an offset and gives the number of bytes, 0 at the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  facts(): Promise<FileFacts>;
  truncate(size: number): Promise<void>;
  /** Brings content and size to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of a file system that this package uses. Failures are thrown as Node throws them. */
export interface JsonlFileSystem {
  /** Opens for reading and appending, and makes the file where there is none. */
  openAppend(path: string, mode: number): Promise<JsonlFile>;
  openRead(path: string): Promise<JsonlFile>;
  /** `undefined` where there is nothing. Follows symbolic links. */
  facts(path: string): Promise<FileFacts | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Makes a folder and those above it, and gives the uppermost one that was missing. */
  makeDirectory(path: string, mode: number): Promise<string | undefined>;
  /** Names in a folder; none where there is no folder. */
  list(directory: string): Promise<readonly string[]>;
  /** The path without symbolic links. */
  resolve(path: string): Promise<string>;
  /** Brings the names in a folder to the disk, where the system can. */
  syncDirectory(path: string): Promise<void>;
}

/** The file system of Node. */
export const nodeFileSystem: JsonlFileSystem = {
  openAppend: async (path, mode) => openFile(await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, mode)),
  // Without O_NONBLOCK opening a pipe waits for a writer. Windows has no such flag.
  openRead: async (path) => openFile(await open(path, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0))),
  facts: (path) => orNothing(stat(path, { bigint: true }).then(factsOf), undefined),
  rename,
  makeDirectory: makeFolder,
  list: (directory) => orNothing(readdir(directory), []),
  resolve: (path) => realpath(path),
  async syncDirectory(path) {
    let handle: FileHandle;
    try {
      handle = await open(path, constants.O_RDONLY);
    } catch (error) {
      // Windows opens no folders.
      if (errnoOf(error) === 'EISDIR' || errnoOf(error) === 'EPERM' || errnoOf(error) === 'EACCES') return;
      throw error;
    }
    try {
      await handle.sync();
    } catch (error) {
      if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'EINVAL') throw error;
    } finally {
      await handle.close();
    }
  },
};

/** Whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

async function orNothing<T, N>(result: Promise<T>, nothing: N): Promise<T | N> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw error;
  }
}

function openFile(handle: FileHandle): JsonlFile {
  return {
    write: async (bytes) => (await handle.write(bytes, 0, bytes.length, null)).bytesWritten,
    read: async (into, offset) => (await handle.read(into, 0, into.length, offset)).bytesRead,
    facts: async () => factsOf(await handle.stat({ bigint: true })),
    truncate: (size) => handle.truncate(size),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

function factsOf(stats: BigIntStats): FileFacts {
  const id = `${String(stats.dev)}:${String(stats.ino)}`;
  const { birthtimeNs: bornNs, mtimeNs: modifiedNs } = stats;
  return { id, key: `${id}:${String(bornNs)}`, size: Number(stats.size), bornNs, modifiedNs, isFile: stats.isFile() };
}
