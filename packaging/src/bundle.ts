import { isBuiltin } from 'node:module';

import { build } from 'esbuild';

/** Bundles a module for a page; a Node built-in in its reach is an error. */
export async function bundleForBrowser(path: string): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, write: false, platform: 'browser', format: 'esm', target: 'es2022', logLevel: 'silent' });
  return outputFiles[0]?.text ?? '';
}

/** What `ws` uses where somebody has installed it, and does without. */
const SPARED: ReadonlySet<string> = new Set(['bufferutil', 'utf-8-validate']);

/** The whole of one entry, minified, as a bundler makes it for its place. */
export async function bundleEntry(name: string, folder: string, browser: boolean): Promise<Uint8Array> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from '${name}';`, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: browser ? 'browser' : 'node',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const foreign = Object.values(metafile.outputs).flatMap((output) => output.imports.filter((found) => found.external && !isBuiltin(found.path) && !SPARED.has(found.path)));
  if (foreign.length > 0) throw new Error(`${name} leaves ${foreign.map((found) => found.path).join(', ')} unresolved`);
  return outputFiles[0]?.contents ?? new Uint8Array();
}
