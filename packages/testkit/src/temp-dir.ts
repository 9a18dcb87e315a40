import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder that is removed on `await using` or `remove()`. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  file(...parts: string[]): string;
  remove(): Promise<void>;
}

/** Makes a {@link TempDir}. */
export async function tempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'aepkit-'));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { path, file: (...parts) => join(path, ...parts), remove, [Symbol.asyncDispose]: remove };
}
