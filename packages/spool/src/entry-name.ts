import { matchEntry } from './match-entry.js';

/**
 * One append as a file. Its name has all that a listing needs, so that no index has to agree with the files.
 * `{seq}-{nonce}-{k|x}-{lines}-{bytes}.lines`; `x`: expendable.
 */
export interface Entry {
  readonly name: string;
  readonly seq: number;
  readonly expendable: boolean;
  readonly lines: number;
  readonly bytes: number;
}

/** The highest place that a name can say. */
export const MAX_SEQ = 9_999_999_999_999;

export function entryName({ seq, nonce, expendable, lines, bytes }: Omit<Entry, 'name'> & { readonly nonce: string }): string {
  return `${String(seq).padStart(13, '0')}-${nonce}-${expendable ? 'x' : 'k'}-${lines}-${bytes}.lines`;
}

export function parseEntryName(name: string): Entry | undefined {
  const match = matchEntry(name);
  if (match === null) return undefined;
  return { name, seq: Number(match[1]), expendable: match[2] === 'x', lines: Number(match[3]), bytes: Number(match[4]) };
}

/** Lines of an entry that are delivered: `skip-{lines}-{entry}`, since a delivery may end within an entry. */
export interface Skip {
  readonly name: string;
  readonly entry: string;
  readonly lines: number;
}

export function skipName(entry: string, lines: number): string {
  return `skip-${lines}-${entry}`;
}

export function parseSkipName(name: string): Skip | undefined {
  const match = /^skip-(\d{1,9})-(.+\.lines)$/.exec(name);
  return match === null ? undefined : { name, entry: match[2] ?? '', lines: Number(match[1]) };
}

/** Lines given up: `dropped-{count}-{nonce}`. */
export interface Counter {
  readonly name: string;
  readonly count: number;
}

export function counterName(count: number, nonce: string): string {
  return `dropped-${count}-${nonce}`;
}

export function parseCounterName(name: string): Counter | undefined {
  const match = /^dropped-(\d{1,15})-[0-9a-f]{12}$/.exec(name);
  return match === null ? undefined : { name, count: Number(match[1]) };
}

/** A lock: `lock-{generation}-free`, or the name of its holder in place of `free`. */
export interface LockState {
  readonly name: string;
  readonly generation: number;
  readonly holder: string | undefined;
}

export function lockName(generation: number, holder: string | undefined): string {
  return `lock-${generation}-${holder ?? 'free'}`;
}

export function parseLockName(name: string): LockState | undefined {
  const match = /^lock-(\d{1,15})-(.+)$/.exec(name);
  return match === null ? undefined : { name, generation: Number(match[1]), holder: match[2] === 'free' ? undefined : match[2] };
}

/** What looks like an entry and is none: a folder, a link, a file of another user. It stays, out of the way. */
export function oddName(name: string, nonce: string): string {
  return `odd-${nonce}-${name}`.slice(0, 200);
}

/** A file that is being written: `tmp-{holder}`. */
export function tmpHolder(name: string): string | undefined {
  return name.startsWith('tmp-') ? name.slice(4) : undefined;
}

/** What a number of bytes occupies: whole blocks. */
export function occupied(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

export const BLOCK_BYTES = 4096;
