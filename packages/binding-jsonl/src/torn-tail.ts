import { parseEvent } from '@aepkit/envelope';

import type { JsonlFile } from './file-system.js';

const LF = 0x0a;
const STEP_BYTES = 65_536;
/** Looks at a file that is growing before its end is believed to be torn. */
const LOOKS = 8;

/** The end of a file, as a writer wants to know it. */
export interface FileEnd {
  readonly size: number;
  /** Bytes stand behind the last line feed. */
  readonly torn: boolean;
}

/**
 * Looks at the end of a file. A reader may see a part of what another process is writing at this moment, so an end without
 * a line feed counts as torn only once it has stayed as it is. Should that be wrong still, the price is a blank line: the
 * system puts whole writes behind each other.
 */
export async function fileEnd(file: JsonlFile): Promise<FileEnd> {
  const byte = new Uint8Array(1);
  let { size } = await file.facts();
  for (let look = 1; ; look += 1) {
    if (size === 0) return { size, torn: false };
    const read = await file.read(byte, size - 1);
    if (read === 1 && byte[0] === LF) return { size, torn: false };
    await turn();
    const after = await file.facts();
    if (after.size === size && read === 1) return { size, torn: true };
    size = after.size;
    if (look >= LOOKS) return { size, torn: true };
  }
}

/**
 * Cuts off what stands behind the last line feed, unless it is a whole Event: then only its line feed is missing. Gives the
 * end as it is afterwards.
 */
export async function truncateTail(file: JsonlFile, size: number, maxLineBytes: number): Promise<FileEnd> {
  const start = await lastLineStart(file, size);
  if (size - start <= maxLineBytes && (await isEvent(file, start, size))) return { size, torn: true };
  await file.truncate(start);
  return { size: start, torn: false };
}

/** Offset behind the last line feed below `size`. */
export async function lastLineStart(file: JsonlFile, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - STEP_BYTES);
    const bytes = await readRange(file, start, end);
    const at = bytes.lastIndexOf(LF);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

/** Reads `[start, end)`, or less where the file is shorter. */
export async function readRange(file: JsonlFile, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let length = 0;
  while (length < bytes.length) {
    const read = await file.read(bytes.subarray(length), start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

async function isEvent(file: JsonlFile, start: number, end: number): Promise<boolean> {
  try {
    parseEvent(await readRange(file, start, end), { maxBytes: Infinity });
    return true;
  } catch {
    return false;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
