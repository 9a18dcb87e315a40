import { join } from 'node:path';

import { build } from 'esbuild';

/** Builds a program of `examples/` into a folder; gives its path. */
export async function program(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, '..', 'examples', `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    alias: { '@aepkit/subscription-model': new URL('../src/index.ts', import.meta.url).pathname },
    // `ws` is CommonJS and asks for built-ins.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return outfile;
}
