import { runInNewContext } from 'node:vm';

import { buildWire } from '@aepkit/testkit';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the reader entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const { json } = buildWire({ id: 'one' });
    const result = await build({
      stdin: {
        contents: `
          import { JsonlReader, readJsonl } from '@aepkit/binding-jsonl/reader';
          const bytes = new TextEncoder().encode(${JSON.stringify(`${json}\n{}\n{"aep"`)});
          const pushed = new JsonlReader().push(bytes).map((item) => item.type);
          globalThis.done = (async () => {
            const read = [];
            for await (const item of readJsonl([bytes])) read.push(item.type);
            return { pushed, read };
          })();
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/binding-jsonl/reader': new URL('../src/reader.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    expect(Object.values(result.metafile.outputs).flatMap((output) => output.imports.filter((found) => found.external))).toEqual([]);
    const page = { TextEncoder, TextDecoder, Uint8Array, done: undefined as unknown };
    // A bare context has the language and what is named above, and nothing of Node.
    runInNewContext(result.outputFiles[0]!.text, page);
    expect(JSON.parse(JSON.stringify(await page.done))).toEqual({ pushed: ['event', 'bad'], read: ['event', 'bad', 'tail'] });
  });
});
