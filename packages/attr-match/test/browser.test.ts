import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the root entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { parseFilter, FilterIndex } from '@aepkit/attr-match';
          const index = new FilterIndex();
          index.add(parseFilter('{"type":"run.*"}'), 'it');
          globalThis.found = index.match({ type: 'run.started' });
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/attr-match': new URL('../src/index.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter((found) => found.external)).toEqual([]);
    const page: { found?: unknown } = {};
    // A bare context has the language and TextEncoder, and nothing of Node.
    runInNewContext(result.outputFiles[0]!.text, Object.assign(page, { TextEncoder, TextDecoder }));
    expect([...(page.found as Iterable<unknown>)]).toEqual(['it']);
  });
});
