import { join } from 'node:path';

import { type DrainLock, ignoreMissing } from './drain-lock.js';
import { countDropped } from './drop-counter.js';
import { type Entry, oddName, skipName } from './entry-name.js';
import { codeOf } from './errors.js';
import { isAlive, nonce } from './holder.js';
import { type Listing, listing } from './listing.js';
import type { ResolvedSpoolOptions } from './options.js';

/** Entries, or a part of one, that are delivered together. */
interface Batch {
  readonly lines: readonly string[];
  /** All of their lines are in the batch. */
  readonly whole: readonly { readonly entry: Entry; readonly skipped: number }[];
  /** The entry whose first lines only are in the batch, and how many are delivered with it. */
  readonly part: { readonly entry: Entry; readonly skip: number } | undefined;
  /** What looks like an entry and is none. */
  readonly odd: readonly string[];
  /** Lines that the disk has lost. */
  readonly lost: number;
}

/** What bounds one drain. */
export interface DrainBounds {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly stopped: () => boolean;
}

/** Delivers batch by batch while the lock is held. Gives the lines delivered, and whether some are left. */
export async function drainLines(
  options: ResolvedSpoolOptions,
  lock: DrainLock,
  deliver: (lines: readonly string[]) => Promise<void>,
  bounds: DrainBounds,
): Promise<{ delivered: number; left: boolean }> {
  const { path, fileSystem } = options;
  let delivered = 0;
  await clean(options, lock.found);
  for (let found = lock.found; ; found = listing(await fileSystem.readdir(path))) {
    if (found.entries.length === 0) return { delivered, left: false };
    if (bounds.stopped() || !lock.holds(found)) return { delivered, left: true };
    await lock.touch();
    const batch = await readBatch(options, found, bounds);
    // It would be in the way for ever, and is not ours to remove.
    for (const name of batch.odd) await ignoreMissing(fileSystem.rename(join(path, name), join(path, oddName(name, nonce()))));
    if (batch.lines.length > 0) await deliver(batch.lines);
    await inParallel(batch.whole, async ({ entry, skipped }) => {
      // An append that needed room gave it up while it was in delivery, and counted it.
      if (!(await ignoreMissing(fileSystem.unlink(join(path, entry.name))))) await countDropped(options, skipped - entry.lines);
    });
    const gone = new Set(batch.whole.map(({ entry }) => entry.name));
    for (const skip of found.skipFiles) if (gone.has(skip.entry)) await ignoreMissing(fileSystem.unlink(join(path, skip.name)));
    if (batch.part !== undefined) await skipTo(options, found, batch.part.entry.name, batch.part.skip);
    if (batch.lost > 0) await countDropped(options, batch.lost);
    delivered += batch.lines.length;
  }
}

async function readBatch({ path, fileSystem }: ResolvedSpoolOptions, found: Listing, { maxLines, maxBytes }: DrainBounds): Promise<Batch> {
  const lines: string[] = [];
  const whole: { entry: Entry; skipped: number }[] = [];
  let bytes = 0;
  let lost = 0;
  const entries = leading(found, maxLines, maxBytes);
  const odd: string[] = [];
  const contents = await inParallel(entries, async ({ name, bytes: promised }) => {
    let content: Buffer | undefined;
    try {
      await ignoreMissing(fileSystem.readFile(join(path, name), promised).then((read) => (content = read)));
    } catch (error) {
      if (codeOf(error) !== 'ODD_ENTRY') throw error;
      odd.push(name);
    }
    return content;
  });
  for (const [index, entry] of entries.entries()) {
    const content = contents[index];
    if (content === undefined) continue;
    const skipped = found.skips.get(entry.name) ?? 0;
    const all = readLines(content, entry);
    let taken = skipped;
    for (const line of all.lines.slice(skipped)) {
      const size = Buffer.byteLength(line) + 1;
      if (lines.length > 0 && (lines.length >= maxLines || bytes + size > maxBytes)) break;
      lines.push(line);
      bytes += size;
      taken += 1;
    }
    // What is lost is counted when the entry goes.
    if (taken < all.lines.length) return { lines, whole, part: taken === skipped ? undefined : { entry, skip: taken }, odd, lost };
    lost += all.lost;
    whole.push({ entry, skipped });
  }
  return { lines, whole, part: undefined, odd, lost };
}

/** As many entries as a batch can need, by what their names say. */
function leading({ entries, skips }: Listing, maxLines: number, maxBytes: number): Entry[] {
  let lines = 0;
  let bytes = 0;
  const found: Entry[] = [];
  for (const entry of entries) {
    if (found.length > 0 && (lines >= maxLines || bytes >= maxBytes)) break;
    found.push(entry);
    lines += entry.lines - (skips.get(entry.name) ?? 0);
    bytes += entry.bytes;
  }
  return found;
}

/** Operations at a time on files of a batch: each one waits for a thread more than for the disk. */
const PARALLEL = 16;

async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += PARALLEL) results.push(...(await Promise.all(items.slice(at, at + PARALLEL).map(run))));
  return results;
}

/** The whole lines of an entry. Only the death of the machine leaves one that is not what its name says. */
function readLines(content: Buffer, entry: Entry): { lines: readonly string[]; lost: number } {
  const lines = content.toString('utf8').split('\n');
  const tail = lines.pop();
  if (content.length === entry.bytes && tail === '' && lines.length === entry.lines) return { lines, lost: 0 };
  // Blocks that never reached the disk read as zeros.
  const good = lines.filter((line) => line !== '' && !line.includes('\0'));
  return { lines: good, lost: Math.max(0, entry.lines - good.length) };
}

async function skipTo({ path, fileSystem }: ResolvedSpoolOptions, found: Listing, entry: string, lines: number): Promise<void> {
  await (await fileSystem.open(join(path, skipName(entry, lines)), 'w', 0o600)).close();
  for (const skip of found.skipFiles) if (skip.entry === entry && skip.lines < lines) await ignoreMissing(fileSystem.unlink(join(path, skip.name)));
}

/** Removes what dead processes left: files they were writing, and marks on entries that are gone. */
async function clean({ path, fileSystem, now }: ResolvedSpoolOptions, found: Listing): Promise<void> {
  const names = new Set(found.entries.map(({ name }) => name));
  for (const { name, entry } of found.skipFiles) if (!names.has(entry)) await ignoreMissing(fileSystem.unlink(join(path, name)));
  for (const { name, holder } of found.tmps) {
    const alive = await isAlive(holder);
    if (alive === true) continue;
    if (alive === undefined) {
      const age = await fileSystem.stat(join(path, name)).then(({ mtimeMs }) => now() - mtimeMs, () => 0);
      if (Math.abs(age) < ABANDONED_MS) continue;
    }
    await ignoreMissing(fileSystem.unlink(join(path, name)));
  }
}

/** Age at which a file that is being written is nobody's, where its process cannot be looked up. */
const ABANDONED_MS = 86_400_000;
