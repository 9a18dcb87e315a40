import { join } from 'node:path';

import { ignoreMissing } from './drain-lock.js';
import { countDropped } from './drop-counter.js';
import { BLOCK_BYTES, entryName, MAX_SEQ, occupied } from './entry-name.js';
import { codeOf, failure, SpoolError } from './errors.js';
import { nonce } from './holder.js';
import { linesOf, listing } from './listing.js';
import type { ResolvedSpoolOptions } from './options.js';
import type { AppendOutcome, SpoolLine } from './spool.js';

/** Most bytes of one entry, unless a single line has more. */
const ENTRY_BYTES = 262_144;
/** Most lines of one entry. */
const ENTRY_LINES = 1000;

interface Run {
  readonly lines: readonly Buffer[];
  readonly bytes: number;
  readonly expendable: boolean;
}

/** Checks lines and brings them into the form they have on disk. */
export function encodeLines(lines: readonly SpoolLine[], maxLineBytes: number): { readonly bytes: Buffer; readonly expendable: boolean }[] {
  return lines.map(({ text, expendable = false }) => {
    // Neither may a line end early, nor be nothing.
    if (typeof text !== 'string' || text === '' || /[\n\r]/.test(text)) throw new SpoolError('invalid-line', 'a line must be a text that is not empty and has no line breaks');
    const bytes = Buffer.from(`${text}\n`, 'utf8');
    if (bytes.length - 1 > maxLineBytes) throw new SpoolError('line-too-long', `a line has ${bytes.length - 1} bytes, more than ${maxLineBytes}`);
    return { bytes, expendable };
  });
}

/**
 * Appends lines: each run of lines of one kind is written aside and gets its place in the queue by one `rename`. So a process that dies
 * leaves whole runs or nothing, and no append waits for another.
 *
 * The place is one behind the highest that is there. An append that is over before this one began is among those or has been
 * delivered; appends at the same moment may get the same number, and then any order is right.
 */
export async function appendLines(options: ResolvedSpoolOptions, holder: string, lines: ReturnType<typeof encodeLines>): Promise<AppendOutcome> {
  const { path, fileSystem, maxBytes } = options;
  const found = listing(await fileSystem.readdir(path));
  const expendables = found.entries.filter(({ expendable }) => expendable);
  let seq = found.entries.at(-1)?.seq ?? 0;
  let used = found.entries.reduce((sum, { bytes }) => sum + occupied(bytes), 0);
  let spare = expendables.reduce((sum, { bytes }) => sum + occupied(bytes), 0);
  let kept = 0;
  let dropped = 0;
  try {
    for (const run of runsOf(lines)) {
      const fitting = cut(run, maxBytes - used + (run.expendable ? 0 : spare));
      dropped += run.lines.length - fitting.lines.length;
      if (fitting.lines.length === 0) continue;
      // A name with one digit more would be no entry, and what it holds lost without a word.
      if (seq >= MAX_SEQ) throw new SpoolError('unavailable', `${path}: there is no place behind the last entry`);
      const room = occupied(fitting.bytes);
      while (used + room > maxBytes) {
        const oldest = expendables.shift();
        if (oldest === undefined) break;
        used -= occupied(oldest.bytes);
        spare -= occupied(oldest.bytes);
        if (await ignoreMissing(fileSystem.unlink(join(path, oldest.name)))) {
          dropped += linesOf({ ...found, entries: [oldest] });
        }
      }
      await write(options, holder, fitting, (seq += 1));
      used += room;
      kept += fitting.lines.length;
    }
  } finally {
    if (dropped > 0) await countDropped(options, dropped);
  }
  return { kept, dropped };
}

async function write({ path, fileSystem, fsync }: ResolvedSpoolOptions, holder: string, run: Run, seq: number): Promise<void> {
  const aside = join(path, `tmp-${holder}`);
  const { expendable, bytes } = run;
  const name = entryName({ seq, nonce: nonce(), expendable, lines: run.lines.length, bytes });
  try {
    const file = await fileSystem.open(aside, 'w', 0o600);
    try {
      const buffer = Buffer.concat(run.lines, bytes);
      for (let at = 0; at < bytes; ) {
        const { bytesWritten } = await file.write(buffer, at, bytes - at);
        if (bytesWritten <= 0) throw new SpoolError('unavailable', `${path}: a write wrote nothing`);
        at += bytesWritten;
      }
      if (fsync) await file.sync();
    } finally {
      await file.close();
    }
    await fileSystem.rename(aside, join(path, name));
  } catch (error) {
    await fileSystem.unlink(aside).catch(() => undefined);
    throw codeOf(error) === 'ENOENT' ? error : failure(`cannot append to ${path}`, error);
  }
  if (!fsync) return;
  const folder = await fileSystem.open(path, 'r', 0);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function* runsOf(lines: ReturnType<typeof encodeLines>): Generator<Run> {
  let run: Buffer[] = [];
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    run.push(line.bytes);
    bytes += line.bytes.length;
    const next = lines[index + 1];
    if (next?.expendable === line.expendable && run.length < ENTRY_LINES && bytes + next.bytes.length <= ENTRY_BYTES) continue;
    yield { lines: run, bytes, expendable: line.expendable };
    run = [];
    bytes = 0;
  }
}

/** The leading lines of a run that find room. */
function cut(run: Run, room: number): Run {
  const whole = Math.floor(room / BLOCK_BYTES) * BLOCK_BYTES;
  if (!(run.bytes > whole)) return run;
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const line of run.lines) {
    if (bytes + line.length > whole) break;
    lines.push(line);
    bytes += line.length;
  }
  return { lines, bytes, expendable: run.expendable };
}
