import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the root entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { createRedactor } from '@aepkit/redaction';
          globalThis.found = [createRedactor().text('token=x')];
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/redaction': new URL('../src/index.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter((found) => found.external)).toEqual([]);
    // The table of rules with its examples stays out.
    expect(result.outputFiles[0]!.text).not.toContain('authorType');
    const page: { found?: unknown } = {};
    // A bare context has the language and TextEncoder and atob, and nothing of Node.
    runInNewContext(result.outputFiles[0]!.text, Object.assign(page, { TextEncoder, TextDecoder, atob }));
    expect([...(page.found as Iterable<unknown>)]).toEqual(['token=[REDACTED:secret]']);
  });
});
