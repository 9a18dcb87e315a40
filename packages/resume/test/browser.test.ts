import { runInNewContext } from 'node:vm';

import { buildWire } from '@aepkit/testkit';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the root entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { Memory } from '@aepkit/resume';
          const memory = new Memory();
          memory.connected('live', []);
          globalThis.judge = (wire) => {
            const { verdict } = memory.judge(wire);
            memory.taken(wire);
            return verdict;
          };
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/resume': new URL('../src/index.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter((found) => found.external)).toEqual([]);
    const page: { judge?: (wire: unknown) => string } = {};
    runInNewContext(result.outputFiles[0]!.text, Object.assign(page, { TextEncoder, TextDecoder }));
    const event = buildWire({ seq: 1 });
    expect([page.judge!(event), page.judge!(event)]).toEqual(['new', 'redelivered']);
  });
});
