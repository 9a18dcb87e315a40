import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { nodeFileSystem, type Spool, type SpoolFileSystem, type SpoolLine } from '../src/index.js';

export function lines(...texts: string[]): SpoolLine[] {
  return texts.map((text) => ({ text }));
}

export function expendable(...texts: string[]): SpoolLine[] {
  return texts.map((text) => ({ text, expendable: true }));
}

/** Everything that waits, in the order it comes out. */
export async function drainAll(spool: Spool, options: Parameters<Spool['drain']>[1] = {}): Promise<string[]> {
  const out: string[] = [];
  const outcome = await spool.drain((batch) => (out.push(...batch), Promise.resolve()), options);
  if (outcome.busy) throw new Error('busy');
  return out;
}

/** A file system on which a process dies: the operation of that number fails or is done, and no later one happens. */
export function dyingFileSystem(at: number, done: boolean): { fileSystem: SpoolFileSystem; died: () => boolean } {
  let count = 0;
  let dead = false;
  const mortal = <A extends unknown[], R>(operation: (...args: A) => Promise<R>) => async (...args: A): Promise<R> => {
    if (dead) throw new Error('dead');
    count += 1;
    if (count < at) return await operation(...args);
    dead = true;
    const result = done ? await operation(...args).catch(() => undefined) : undefined;
    // A process that dies closes its files.
    if (typeof result === 'object' && result !== null && 'close' in result) await (result.close as () => Promise<void>)();
    throw new Error('dead');
  };
  const base = nodeFileSystem;
  return {
    died: () => dead,
    fileSystem: {
      chmod: mortal(base.chmod),
      mkdir: mortal(base.mkdir),
      readdir: mortal(base.readdir),
      readFile: mortal(base.readFile),
      rename: mortal(base.rename),
      stat: mortal(base.stat),
      unlink: mortal(base.unlink),
      utimes: mortal(base.utimes),
      open: mortal(async (path, flags, mode) => {
        const file = await base.open(path, flags, mode);
        return {
          write: mortal(async (buffer: Uint8Array, from: number, length: number) => {
            // It may die having written a part.
            if (count >= at) return await file.write(buffer, from, Math.ceil(length / 2));
            return await file.write(buffer, from, length);
          }) as typeof file.write,
          sync: mortal(() => file.sync()),
          close: () => file.close(),
        };
      }),
    },
  };
}

/** A program of this folder with all it imports, as a file that Node runs. */
export async function program(name: string, folder: string): Promise<string> {
  const outfile = `${folder}/${name}.mjs`;
  await build({ entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  return outfile;
}
