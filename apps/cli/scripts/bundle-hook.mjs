// Puts the path of a hook into few files, over what the compiler wrote of its entry: loading the modules of a call that is read here
// one by one takes longer than Node takes to start. It stays readable, so that a stack trace says something.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Path below `dist` to text: the entry, what it loads later, and the licences of what is in them. */
export async function bundleHook() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/hook-shim.ts'],
    outdir: 'dist',
    chunkNames: 'generated/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node20',
    // What packages have for Node alone loads `node:crypto`.
    platform: 'neutral',
    external: ['node:*'],
    metafile: true,
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [relative(join(ROOT, 'dist'), path).replaceAll('\\', '/'), text]));
  return files.set('generated/LICENSES.txt', licences(Object.keys(metafile.inputs)));
}

function licences(inputs) {
  const folders = new Set(inputs.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter((folder) => folder !== undefined));
  return [...folders].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((path) => /^licen[cs]e/i.test(path));
    return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
  }).join('\n----\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(ROOT, 'dist');
  const files = await bundleHook();
  // A hook that starts meanwhile finds what its entry names: the entry is written last, and only then goes what the one before named.
  await mkdir(join(dist, 'generated'), { recursive: true });
  for (const path of [...files.keys()].toSorted()) await writeFile(join(dist, path), files.get(path));
  for (const name of await readdir(join(dist, 'generated'))) if (!files.has(`generated/${name}`)) await rm(join(dist, 'generated', name));
  // It would lead into the sources of the entry alone.
  await rm(join(dist, 'hook-shim.js.map'), { force: true });
}
