import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { SettingsError } from './settings-error.js';

/** A settings file as it was read. */
export interface SettingsFile {
  /** The file itself, where the path is a link. */
  readonly path: string;
  /** What is in it; undefined where there is none. */
  readonly bytes: Buffer | undefined;
}

/** Largest settings file that is read, in bytes. */
const MAX_SETTINGS_BYTES = 1_048_576;
const MAX_LINKS = 40;
const BOM = '\ufeff';

/** Reads a settings file, through links, and makes sure that it can be replaced. */
export async function readSettings(path: string): Promise<SettingsFile> {
  const target = await targetOf(resolve(path));
  const file = await open(target, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SettingsError('unreadable', `cannot be read: ${(error as Error).message}`);
  });
  if (file === undefined) return { path: target, bytes: undefined };
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new SettingsError('unreadable', 'is no file');
    if (stats.size > MAX_SETTINGS_BYTES) throw new SettingsError('unreadable', `has more than ${MAX_SETTINGS_BYTES} bytes`);
    return { path: target, bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** Follows links by hand: the last one may lead to a file that is not there yet. */
async function targetOf(path: string): Promise<string> {
  let current = path;
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const folder = await realpath(dirname(current)).catch(() => dirname(current));
    current = join(folder, basename(current));
    const link = await readlink(current).catch(() => undefined);
    if (link === undefined) return current;
    current = resolve(folder, link);
  }
  throw new SettingsError('unreadable', 'is a link that leads to itself');
}

/** The text of a settings file and the byte order mark that may stand ahead of it. */
export function decodeSettings({ bytes }: SettingsFile): { mark: string; text: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw new SettingsError('broken', 'is no UTF-8 text');
  }
  return text.startsWith(BOM) ? { mark: BOM, text: text.slice(1) } : { mark: '', text };
}

/**
 * Puts new bytes in the place of a settings file, or removes it, at once or not at all: with its permissions and owner, and not over what
 * somebody else wrote since it was read. Gives the folders that had to be made.
 */
export async function replaceSettings({ path, bytes }: SettingsFile, next: Buffer | undefined, mode: number): Promise<readonly string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats !== undefined) await access(path, constants.W_OK).catch((error: unknown) => refuse(error));
  const made = next === undefined ? [] : await makeFolders(dirname(path));
  if (next === undefined) {
    await unchanged(path, bytes);
    await rm(path, { force: true }).catch((error: unknown) => refuse(error));
    return [];
  }
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeDraft(draft, next, stats, mode).catch((error: unknown) => refuse(error));
    await unchanged(path, bytes);
    await rename(draft, path).catch((error: unknown) => refuse(error));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  return made;
}

async function writeDraft(draft: string, bytes: Buffer, like: Stats | undefined, mode: number): Promise<void> {
  const file = await open(draft, 'wx', like === undefined ? mode : 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  if (like === undefined) return;
  // Only root can give a file away; where that fails it is the user's own all the same. The owner first: giving away clears bits of the mode.
  if (like.uid !== process.getuid?.() || like.gid !== process.getgid?.()) await chown(draft, like.uid, like.gid).catch(() => undefined);
  await chmod(draft, like.mode & 0o7777);
}

async function unchanged(path: string, bytes: Buffer | undefined): Promise<void> {
  const now = (await readSettings(path)).bytes;
  if (bytes === undefined ? now !== undefined : now?.equals(bytes) !== true) throw new SettingsError('changed', 'was changed by somebody else just now; nothing was written, try again');
}

async function makeFolders(folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    for (let current = folder; !(await exists(current)); current = dirname(current)) made.unshift(current);
    for (const path of made) await mkdir(path, { mode: 0o755 });
  } catch (error) {
    return refuse(error);
  }
  return made;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    },
  );
}

function refuse(error: unknown): never {
  if (error instanceof SettingsError) throw error;
  throw new SettingsError('unwritable', `cannot be written: ${(error as Error).message}`);
}
