import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { makeFolder } from '@aepkit/collector/make-folder';

import type { HookAgentName } from './hook-agent.js';

/** What is remembered of a settings file in which hooks were put. */
export interface InstallRecord {
  readonly version: 1;
  /** The file. */
  readonly path: string;
  /** Whether there was a file before. */
  readonly existed: boolean;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
  /** SHA-256 of what was written, in hex. */
  readonly written: string;
  /** The commands that were written: ours, whatever their program is called. */
  readonly commands: readonly string[];
}

/** How many copies of one file are kept. */
export const MAX_BACKUPS = 10;

/** Copies of one settings file, and what is remembered of it. All of it is for its user alone: settings may hold keys. */
export interface SettingsBackup {
  readonly folder: string;
  record(): Promise<InstallRecord | undefined>;
  /** The bytes from before the hooks came. */
  original(): Promise<Buffer | undefined>;
  /** Keeps a copy of what is about to be replaced and gives its path; the oldest copies go. */
  keep(bytes: Buffer, now: Date): Promise<string>;
  remember(record: InstallRecord, original: Buffer | undefined): Promise<void>;
  forget(): Promise<void>;
}

/** The copies of one file in the folder for the state of programs. */
export function settingsBackup(state: string, agent: HookAgentName, path: string): SettingsBackup {
  const folder = join(state, 'hooks', `${agent}-${sha256(path).slice(0, 16)}`);
  const recordFile = join(folder, 'record.json');
  const originalFile = join(folder, 'original');
  return {
    folder,
    async record() {
      const text = await readFile(recordFile, 'utf8').catch(() => undefined);
      return text === undefined ? undefined : parseRecord(text, path);
    },
    original: async () => readFile(originalFile).catch(() => undefined),
    async keep(bytes, now) {
      await makeFolder(folder);
      const name = `${now.toISOString().replaceAll(':', '-')}-${basename(path)}`;
      await writeFile(join(folder, name), bytes, { mode: 0o600 });
      const copies = (await readdir(folder)).filter((entry) => /^\d{4}-\d\d-\d\dT/.test(entry)).sort();
      for (const old of copies.slice(0, -MAX_BACKUPS)) await rm(join(folder, old), { force: true });
      return join(folder, name);
    },
    async remember(record, original) {
      await makeFolder(folder);
      await rm(recordFile, { force: true });
      if (original === undefined) await rm(originalFile, { force: true });
      else await put(originalFile, original);
      await put(recordFile, JSON.stringify(record));
    },
    async forget() {
      await rm(recordFile, { force: true });
      await rm(originalFile, { force: true });
    },
  };
}

async function put(path: string, content: Buffer | string): Promise<void> {
  await writeFile(`${path}.tmp`, content, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

function parseRecord(text: string, path: string): InstallRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<InstallRecord>;
    const texts = (list: unknown): list is readonly string[] => Array.isArray(list) && list.every((item) => typeof item === 'string');
    const fits = value.version === 1 && value.path === path && typeof value.existed === 'boolean' && typeof value.written === 'string' && texts(value.folders) && texts(value.commands);
    return fits ? (value as InstallRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
