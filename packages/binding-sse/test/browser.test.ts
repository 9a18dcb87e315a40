import { runInNewContext } from 'node:vm';

import { buildWire } from '@aepkit/testkit';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';

import { closeAll, endpoint } from './support.js';

afterEach(closeAll);

describe('the client entry', () => {
  it('bundles for a browser and reads a stream without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { SseConsumer } from '@aepkit/binding-sse/client';
          globalThis.read = async (url) => {
            const lines = [];
            for await (const item of new SseConsumer({ url, from: 'all', live: false })) lines.push(item.type === 'event' ? item.event.json : item.type);
            return lines;
          };
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/binding-sse/client': new URL('../src/client.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter((found) => found.external)).toEqual([]);

    // What a page has, and nothing of Node.
    const page: { read?: (url: string) => Promise<unknown[]> } = {};
    const web = { TextEncoder, TextDecoder, URL, AbortController, setTimeout, clearTimeout, crypto, fetch: (url: string, init: RequestInit) => fetch(url, init) };
    runInNewContext(result.outputFiles[0]!.text, Object.assign(page, web));
    const { url, emit } = await endpoint();
    const event = buildWire({ seq: 0 });
    await emit(event);
    expect([...(await page.read!(url))]).toEqual(['open', event.json, 'closed']);
  });
});
