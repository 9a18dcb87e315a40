import { open } from 'node:fs/promises';

/** Most bytes of a file of tokens. */
const MAX_BYTES = 1_048_576;

/**
 * Reads a file that only its owner may read. Rejects with an error that says what to do where others can read it.
 *
 * What is looked at and what is read is one file, whatever the name stands for meanwhile.
 */
export async function readPrivateFile(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is not a file');
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) throw new Error('other users can read it: run chmod 600 on it');
    if (found.size > MAX_BYTES) throw new Error('it is too large');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
