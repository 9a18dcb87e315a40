import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Longest text that Node can hold, in bytes that are all ASCII. */
const MAX_BYTES = 536_870_888;
// A link leads elsewhere, and opening a pipe waits for its other end. Windows has neither flag.
const FLAGS = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0) | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

/** What {@link readEntry} rejects with for what no spool has put there. */
export class OddEntryError extends Error {
  readonly code = 'ODD_ENTRY';
}

/**
 * Reads the first bytes of a file, as many as its name promises: nothing here is to cost more than it says. Rejects with the error of the file
 * system, and with {@link OddEntryError} for what is no file of this user.
 */
export async function readEntry(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, FLAGS).catch((error: unknown) => {
    throw ODD.has((error as NodeJS.ErrnoException).code ?? '') ? new OddEntryError() : error;
  });
  try {
    const facts = await file.stat();
    const user = process.getuid?.();
    if (!facts.isFile() || (user !== undefined && facts.uid !== user) || bytes > MAX_BYTES) throw new OddEntryError();
    const buffer = Buffer.alloc(Math.min(facts.size, bytes));
    let read = 0;
    while (read < buffer.length) {
      const { bytesRead } = await file.read(buffer, read, buffer.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return buffer.subarray(0, read);
  } finally {
    await file.close();
  }
}

/** A link, a socket or device without another end, a file that another user keeps to himself. */
const ODD: ReadonlySet<string> = new Set(['ELOOP', 'EMLINK', 'EFTYPE', 'ENXIO', 'ENODEV', 'EACCES', 'EPERM', 'EISDIR']);
