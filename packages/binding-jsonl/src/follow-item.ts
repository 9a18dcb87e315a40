import type { JsonlItem } from './jsonl-item.js';

/** Where a follower is: what to give as `from` to go on behind it (AEP-0003 §7). Plain data, made to be stored as JSON. */
export interface JsonlPosition {
  /** Which file: device and inode. */
  readonly file: string;
  /** Byte offset behind the last complete line that was given out. */
  readonly offset: number;
  /** Number of the line that starts there. */
  readonly line: number;
  /** Digest of the bytes ahead of the offset: inodes are used again, and files are truncated and grow again. */
  readonly check: string;
  /** Rotated files that may still get a line from a writer that looked up the path just before. */
  readonly late?: readonly JsonlPosition[];
}

/** A reader's item with the file it stands in. */
export type FollowedLine = JsonlItem & { readonly file: string };

/**
 * What happened to the file.
 *
 * - `opened`: reading of a file begins, at `offset`. `path` is where it is, which for a rotated one is not the path followed.
 * - `rotated`: the path names another file now; `file` has been read to its end, at `offset`.
 * - `truncated`: `file` was cut or written anew. `offset` is how far it had been read; what stood behind is lost, unless a
 *   copy was found. Reading starts again at 0.
 * - `missing`: there is nothing at the path.
 * - `lost`: the place to resume at is in no file any more. Reading starts with the file at the path.
 * - `polling`: the system does not report changes of a folder, so that they are seen at the next poll only.
 */
export type FollowNote =
  | { readonly type: 'opened'; readonly file: string; readonly path: string; readonly offset: number; readonly line: number }
  | { readonly type: 'rotated'; readonly file: string; readonly offset: number }
  | { readonly type: 'truncated'; readonly file: string; readonly offset: number }
  | { readonly type: 'missing'; readonly path: string }
  | { readonly type: 'lost'; readonly file: string; readonly offset: number }
  | { readonly type: 'polling'; readonly directory: string; readonly errno: string | undefined };

/** What a follower gives out. */
export type FollowItem = FollowedLine | FollowNote;
