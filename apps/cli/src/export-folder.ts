import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, opendir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { JsonlLog, JsonlWriteError, LOG_EXTENSION, nodeFileSystem } from '@aepkit/binding-jsonl/writer';
import { makeFolder } from '@aepkit/collector/make-folder';
import type { WireEvent } from '@aepkit/envelope';

import { CliError, EXIT } from './exit-code.js';

const PARTIAL = '.partial-';
const OLD = '.old-';

/** What an export that was killed left beside: itself, or the one that it was about to replace. */
export type LeftOver = 'partial' | 'old';
/** Characters that are gathered for one round of writes, since each round may open every file. */
const GATHERED_CHARS = 4_194_304;
/** Files that are brought to the disk at a time. */
const SYNCED_AT_ONCE = 16;

/** Where an export goes: a folder that appears when all of it is there. */
export interface ExportFolder {
  append(events: readonly WireEvent[]): Promise<void>;
  /** Brings everything to the disk and gives it its name. Gives the number of files. */
  finish(): Promise<number>;
  /** Leaves nothing. */
  discard(): Promise<void>;
}

/**
 * Begins an export into `name`, in the layout of AEP-0003 §3.1. It is written beside and renamed when it is whole, so what is under
 * `name` is all of an export or none, whatever happens. A folder that holds something is refused, unless `force` is given and it
 * holds an export. `onLeftOver` is told of what an export that was killed left beside.
 */
export async function openExportFolder(name: string, force: boolean, onLeftOver: (path: string, what: LeftOver) => void): Promise<ExportFolder> {
  if (name.endsWith(LOG_EXTENSION)) throw new CliError(`an export is a folder; for one file: aep export - > ${name}`, EXIT.usage);
  const target = await realPathOf(resolve(name));
  await refuseUnusable(target, force);
  const parent = dirname(target);
  await usable(() => makeFolder(parent), parent);
  for (const found of await readdir(parent)) {
    if (found.startsWith(`${basename(target)}${PARTIAL}`)) onLeftOver(join(parent, found), 'partial');
    else if (found.startsWith(`${basename(target)}${OLD}`)) onLeftOver(join(parent, found), 'old');
  }
  const draft = `${target}${PARTIAL}${randomBytes(4).toString('hex')}`;
  await usable(() => makeFolder(draft), draft);
  const log = new JsonlLog({ root: draft, maxLineBytes: Infinity });
  let gathered: WireEvent[] = [];
  let chars = 0;
  const write = async (): Promise<void> => {
    const events = gathered;
    gathered = [];
    chars = 0;
    try {
      await log.append(events);
    } catch (error) {
      if (error instanceof JsonlWriteError) throw new CliError(`cannot write the export: ${error.message}`);
      throw error;
    }
  };
  return {
    async append(events) {
      for (const event of events) {
        gathered.push(event);
        chars += event.json.length;
      }
      if (chars >= GATHERED_CHARS) await write();
    },
    async finish() {
      await write();
      await log.close();
      const files = await usable(() => syncTree(draft), draft);
      await refuseUnusable(target, force);
      await usable(() => replace(draft, target), target);
      await nodeFileSystem.syncDirectory(parent);
      return files;
    },
    async discard() {
      await log.close().catch(() => undefined);
      await rm(draft, { recursive: true, force: true });
    },
  };
}

async function realPathOf(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

async function refuseUnusable(target: string, force: boolean): Promise<void> {
  const facts = await lstat(target).catch(() => undefined);
  if (facts === undefined) return;
  if (!facts.isDirectory()) throw new CliError(`${target} is no folder`, EXIT.usage);
  const inside = relative(target, await realPathOf(process.cwd()));
  if (inside === '' || !/^\.\.(?:[\\/]|$)/.test(inside)) throw new CliError(`${target} is the folder you are in: name one inside it, such as ${join(target, 'export')}`, EXIT.usage);
  const entries = await usable(() => readdir(target), target);
  if (entries.length === 0) return;
  if (!force) throw new CliError(`${target} is not empty; --force puts the export in place of one that is there`, EXIT.usage);
  const foreign = await firstForeign(target);
  if (foreign !== undefined) throw new CliError(`${target} stays as it is: ${foreign} is from no export`, EXIT.usage);
}

/** Something that is not in the layout of an export: whoever mistypes a folder must not lose it. */
async function firstForeign(target: string): Promise<string | undefined> {
  for await (const agent of await opendir(target)) {
    const folder = join(target, agent.name);
    if (!agent.isDirectory()) return folder;
    for await (const log of await opendir(folder)) if (!log.isFile() || !log.name.endsWith(LOG_EXTENSION)) return join(folder, log.name);
  }
  return undefined;
}

/** Without it the names could be on the disk before the content is. */
async function syncTree(root: string): Promise<number> {
  let files = 0;
  let pending: Promise<void>[] = [];
  for await (const agent of await opendir(root)) {
    const folder = join(root, agent.name);
    for await (const { name } of await opendir(folder)) {
      files += 1;
      pending.push(syncFile(join(folder, name)));
      if (pending.length < SYNCED_AT_ONCE) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
    pending = [];
    await nodeFileSystem.syncDirectory(folder);
  }
  await nodeFileSystem.syncDirectory(root);
  return files;
}

async function syncFile(path: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r+');
    await file.sync();
  } finally {
    await file?.close();
  }
}

async function replace(draft: string, target: string): Promise<void> {
  const old = `${target}${OLD}${randomBytes(4).toString('hex')}`;
  try {
    // An empty one gives way on POSIX; elsewhere it has to go first.
    await rmdir(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      await rename(target, old);
      try {
        await rename(draft, target);
      } catch (failure) {
        await rename(old, target);
        throw failure;
      }
      await rm(old, { recursive: true, force: true });
      return;
    }
  }
  await rename(draft, target);
}

async function usable<T>(run: () => Promise<T>, path: string): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`cannot use ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
