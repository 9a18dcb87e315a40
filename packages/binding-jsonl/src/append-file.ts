import { dirname } from 'node:path';

import { JsonlWriteError } from './errors.js';
import { isMissing, type JsonlFile } from './file-system.js';
import { fileEnd, truncateTail } from './torn-tail.js';
import type { WriteBatch } from './write-queue.js';
import type { WriterSettings } from './writer-options.js';

const LF = 0x0a;

/** How the file ends behind its last line feed: not at all, in a part of a line, or in a line that lacks its line feed only. */
type Torn = 'no' | 'part' | 'whole';

/** What one write did. */
export interface WriteOutcome {
  /** Lines of the batch that are complete by now, those of earlier writes included. */
  readonly lines: number;
  /** Bytes that the system took. */
  readonly bytes: number;
}

/** A file that is open for appending, with what is known of its end. */
export class AppendFile {
  readonly id: string;
  readonly #file: JsonlFile;
  /** Where it ended when last seen; -1 when that is not known. */
  #end: number;
  #torn: Torn;
  #dirty = false;
  /** Torn ends that were cut off or given a line feed. */
  #repairs: number;

  private constructor(file: JsonlFile, id: string, state: { readonly end: number; readonly torn: boolean; readonly repairs: number }) {
    this.#file = file;
    this.id = id;
    this.#end = state.end;
    this.#torn = state.torn ? 'part' : 'no';
    this.#repairs = state.repairs;
  }

  /** Opens or makes the file, and its folders, and repairs its end as the options say. Throws what the file system throws. */
  static async open(path: string, settings: WriterSettings): Promise<AppendFile> {
    const file = await openOrMake(path, settings);
    try {
      const facts = await file.facts();
      if (!facts.isFile) throw new JsonlWriteError('unwritable', 'the path names no regular file', { path });
      if (facts.size === 0 && settings.fsync !== 'never') await settings.fileSystem.syncDirectory(dirname(path));
      const end = await fileEnd(file);
      if (!end.torn || settings.tornTail === 'newline') return new AppendFile(file, facts.id, { end: end.size, torn: end.torn, repairs: 0 });
      const cut = await truncateTail(file, end.size, settings.maxLineBytes);
      return new AppendFile(file, facts.id, { end: cut.size, torn: cut.torn, repairs: cut.torn ? 0 : 1 });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get end(): number {
    return this.#end;
  }

  get repairs(): number {
    return this.#repairs;
  }

  /** Looks at the end again where it is not where it was left: another process writes as well, and may have died at it. */
  async look(size: number): Promise<void> {
    if (size === this.#end) return;
    const { size: end, torn } = await fileEnd(this.#file);
    this.#end = end;
    this.#torn = torn ? 'part' : 'no';
  }

  /**
   * Writes the lines of a batch from `first` on with one call. A torn end gets its line feed in the same call, so that the
   * next line is clean. `again`: the write before was short, of the same batch.
   */
  async write(batch: WriteBatch, first: number, again: boolean): Promise<WriteOutcome> {
    const lead = this.#torn === 'no' ? 0 : 1;
    // A line that lacks its line feed only is made whole by the one in front: it must not come twice.
    const from = again && this.#torn === 'whole' ? first + 1 : first;
    const bytes = render(batch, from, lead);
    let taken: number;
    try {
      taken = await this.#file.write(bytes);
    } catch (error) {
      this.#end = -1;
      throw error;
    }
    if (taken === 0) return { lines: first, bytes: 0 };
    this.#dirty = true;
    this.#repairs += lead;
    this.#end += taken;
    let left = taken - lead;
    let lines = from;
    for (let size = batch.lines[lines]?.size; size !== undefined && left >= size; size = batch.lines[lines]?.size) {
      left -= size;
      lines += 1;
    }
    this.#torn = left === 0 ? 'no' : left + 1 === batch.lines[lines]?.size ? 'whole' : 'part';
    return { lines, bytes: taken };
  }

  /** Brings what was written to the disk. */
  async sync(): Promise<void> {
    if (!this.#dirty) return;
    await this.#file.sync();
    this.#dirty = false;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Lines from `from` on, each with its line feed, behind as many as `lead` says. */
function render(batch: WriteBatch, from: number, lead: number): Buffer {
  const lines = from === 0 ? batch.lines : batch.lines.slice(from);
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, { size }) => sum + size, lead));
  bytes.fill(LF, 0, lead);
  let at = lead;
  for (const { json, size } of lines) {
    bytes.write(json, at, 'utf8');
    at += size;
    bytes[at - 1] = LF;
  }
  return bytes;
}

async function openOrMake(path: string, { fileSystem, fileMode, directoryMode, fsync }: WriterSettings): Promise<JsonlFile> {
  try {
    return await fileSystem.openAppend(path, fileMode);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const folder = dirname(path);
  const made = await fileSystem.makeDirectory(folder, directoryMode);
  const file = await fileSystem.openAppend(path, fileMode);
  if (made === undefined || fsync === 'never') return file;
  // A new folder is on the disk once its parent is.
  for (let at = folder; at.length >= made.length; at = dirname(at)) await fileSystem.syncDirectory(dirname(at));
  return file;
}
