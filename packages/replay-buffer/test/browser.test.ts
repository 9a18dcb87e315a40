import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('bundles for a browser and reaches no Node built-in', async () => {
  const { outputFiles, metafile, warnings } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    write: false,
    metafile: true,
  });
  expect(warnings).toEqual([]);
  const reached = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(reached.filter((path) => path.startsWith('node:') || builtinModules.includes(path))).toEqual([]);
  expect(outputFiles[0]!.text).not.toMatch(/\b(?:Buffer|process|require|__dirname)\b/);
});
