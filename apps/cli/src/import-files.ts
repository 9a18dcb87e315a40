import { type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isRotatedName } from '@aepkit/binding-jsonl/follow';
import { AGENT_LOG_NAME, LOG_EXTENSION } from '@aepkit/binding-jsonl/writer';

import { CliError, EXIT } from './exit-code.js';

/** One log: its rotated files, oldest first, and the one that is written. `-` is standard input. */
export type LogFiles = readonly string[];

/** Logs that are read side by side: those of one session name, by different agents. */
export type LogGroup = readonly LogFiles[];

/** Logs read side by side at most; of more, the rest comes behind. */
const MAX_SIDE_BY_SIDE = 64;

/**
 * The logs that arguments name, in the order in which they are to be read. Of a folder, everything below it; a file is taken by itself.
 * `onLeftOut` is told of what is no log.
 */
export async function findLogs(paths: readonly string[], onLeftOut: (path: string) => void): Promise<LogGroup[]> {
  const groups: LogGroup[] = [];
  for (const path of paths) {
    if (path === '-') {
      groups.push([['-']]);
      continue;
    }
    const facts = await stat(path).catch((error: unknown) => {
      throw new CliError(`cannot read ${path}: ${(error as Error).message}`, EXIT.usage);
    });
    if (facts.isDirectory()) groups.push(...(await groupsIn(path, onLeftOut)));
    else groups.push([[path]]);
  }
  return groups;
}

async function groupsIn(root: string, onLeftOut: (path: string) => void): Promise<LogGroup[]> {
  const byName = new Map<string, LogFiles[]>();
  for await (const { folder, name, files } of logsBelow(root, onLeftOut)) {
    // What an agent says of itself is anchored nowhere.
    const key = name === AGENT_LOG_NAME ? join(folder, name) : name;
    const logs = byName.get(key) ?? [];
    logs.push(files);
    byName.set(key, logs);
  }
  const groups: LogGroup[] = [];
  for (const key of [...byName.keys()].sort(compareText)) {
    const logs = byName.get(key) ?? [];
    for (let at = 0; at < logs.length; at += MAX_SIDE_BY_SIDE) groups.push(logs.slice(at, at + MAX_SIDE_BY_SIDE));
  }
  return groups;
}

/** A log in a folder. */
export interface FoundLog {
  readonly folder: string;
  /** Name of the file that is written, whether or not there is one. */
  readonly name: string;
  readonly files: LogFiles;
}

/** Every log below a folder, folder by folder in the order of their names. Symbolic links to folders are not followed: they may lead round. */
export async function* logsBelow(root: string, onLeftOut: (path: string) => void = () => undefined): AsyncGenerator<FoundLog> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside = folder;
    const entries: Dirent[] = await readdir(inside, { withFileTypes: true }).catch((error: unknown) => {
      throw new CliError(`cannot read ${inside}: ${(error as Error).message}`, EXIT.usage);
    });
    entries.sort((a, b) => compareText(a.name, b.name));
    const logs = new Map<string, string[]>();
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const name = logName(entry.name);
      // A link may lead to a pipe or a device, which never ends.
      const isLog = name !== undefined && (entry.isFile() || (entry.isSymbolicLink() && (await isFile(join(folder, entry.name)))));
      if (!isLog) onLeftOut(join(folder, entry.name));
      else logs.set(name, [...(logs.get(name) ?? []), entry.name]);
    }
    for (const [name, names] of logs) yield { folder, name, files: (await inOrder(folder, name, names)).map((file) => join(inside, file)) };
    folders.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => join(inside, entry.name)).reverse());
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** The log that a file belongs to. */
function logName(file: string): string | undefined {
  if (file.endsWith(LOG_EXTENSION)) return file;
  const at = file.search(/\.jsonl[.-]/);
  const name = at < 0 ? undefined : file.slice(0, at + LOG_EXTENSION.length);
  return name !== undefined && isRotatedName(file, name) ? name : undefined;
}

/**
 * Rotated files by age, then the log itself. Their names tell the age where all are of one kind: a time (ours, and `-20260131`) rises, a
 * number falls. Times of files do not survive a copy and have the last word only.
 */
async function inOrder(folder: string, name: string, files: readonly string[]): Promise<string[]> {
  const rotated = files.filter((file) => file !== name);
  const last = files.includes(name) ? [name] : [];
  if (rotated.length < 2) return [...rotated, ...last];
  const suffix = (file: string): string => file.slice(name.length + 1);
  if (rotated.every((file) => /^\d{8}/.test(suffix(file)))) return [...rotated.sort(compareText), ...last];
  if (rotated.every((file) => /^\d{1,7}$/.test(suffix(file)))) return [...rotated.sort((a, b) => Number(suffix(b)) - Number(suffix(a))), ...last];
  const changed = new Map<string, number>();
  for (const file of rotated) changed.set(file, (await stat(join(folder, file)).catch(() => undefined))?.mtimeMs ?? 0);
  return [...rotated.sort((a, b) => (changed.get(a) ?? 0) - (changed.get(b) ?? 0) || compareText(a, b)), ...last];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
