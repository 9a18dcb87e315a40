import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the owner of a running endpoint without configured tokens may show to it. */
export interface OwnerToken {
  /** Base URL of the endpoint, with the address it listens on: send the token there and nowhere else. */
  readonly url: string;
  /** Gives every right. Made anew at each start of the endpoint. */
  readonly token: string;
  /** Process of the endpoint. */
  readonly pid: number;
}

/** Options of {@link readOwnerToken}. */
export interface ReadOwnerTokenOptions {
  /** The endpoint that is meant. Default: whichever wrote the file. */
  readonly url?: string | URL;
  /** Default: asks the system. */
  readonly isAlive?: (pid: number) => boolean;
}

/** Most bytes of the file. */
const MAX_BYTES = 4096;

/** A token that nobody can guess: 256 bits. */
export function createOwnerToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Writes the file of an endpoint that has started, for its owner alone, in one step. One that an endpoint left behind is replaced; anything
 * else in its place is not.
 *
 * Rejects with the error of the file system, or an Error that says what is in the way.
 */
export async function writeOwnerToken(file: string, owner: OwnerToken): Promise<void> {
  const there = await readText(file);
  if (there !== undefined && parse(there) === undefined) throw new Error('something else is in its place');
  const whole = join(dirname(file), `.owner-token.${String(owner.pid)}.${randomBytes(6).toString('hex')}`);
  const handle = await open(whole, 'wx', 0o600);
  try {
    try {
      // Whatever the mask of the process is.
      await handle.chmod(0o600);
      await handle.writeFile(`${JSON.stringify(owner)}\n`);
    } finally {
      await handle.close();
    }
    await rename(whole, file);
  } catch (error) {
    await rm(whole, { force: true });
    throw error;
  }
}

/** Removes the file, if it is still that of this endpoint. Never rejects: a token is worthless once its endpoint is gone. */
export async function removeOwnerToken(file: string, token: string): Promise<void> {
  try {
    if (parse((await readText(file)) ?? '')?.token === token) await rm(file, { force: true });
  } catch {
    // It cannot be read, so it is not ours.
  }
}

/**
 * Reads the file, as a client of its owner. Gives nothing where there is none, it is not for the owner alone, its process is gone, or it is of
 * another endpoint than the one that is meant.
 *
 * `localhost` may lead to another listener than the address in the file, so the caller has to use the `url` that comes back.
 *
 * @example
 * const owner = await readOwnerToken(ownerTokenFile(folder), { url: 'http://localhost:8787' });
 * if (owner) await fetch(new URL('/sessions', owner.url), { headers: { authorization: `Bearer ${owner.token}` } });
 */
export async function readOwnerToken(file: string, { url, isAlive = alive }: ReadOwnerTokenOptions = {}): Promise<OwnerToken | undefined> {
  let text: string | undefined;
  try {
    text = await readText(file, true);
  } catch {
    return undefined;
  }
  const owner = text === undefined ? undefined : parse(text);
  if (owner === undefined || !isAlive(owner.pid)) return undefined;
  return url === undefined || isMeant(url, owner.url) ? owner : undefined;
}

/** The text, `undefined` where there is no file. `strict`: only one that nobody but this user can have written or read. */
async function readText(file: string, strict = false): Promise<string | undefined> {
  if (process.platform === 'win32') return await readFile(file, 'utf8').catch(absent);
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(absent);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return '';
    if (strict && ((found.mode & 0o077) !== 0 || found.uid !== process.getuid?.())) return '';
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function parse(text: string): OwnerToken | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { url, token, pid } = value as Partial<Record<keyof OwnerToken, unknown>>;
    if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
    if (typeof token !== 'string' || !/^[\w-]{43}$/.test(token)) return undefined;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    return { url, token, pid };
  } catch {
    return undefined;
  }
}

function isMeant(wanted: string | URL, actual: string): boolean {
  const mine = new URL(actual);
  if (!URL.canParse(String(wanted))) return false;
  const meant = new URL(wanted);
  if (meant.hostname === 'localhost' && /^(?:127(?:\.\d+){3}|\[::1\])$/.test(mine.hostname)) meant.hostname = mine.hostname;
  return meant.origin === mine.origin;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There, and another user's: not ours then.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
