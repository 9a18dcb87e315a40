import { runInNewContext } from 'node:vm';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the client entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { discover, HttpEmitter } from '@aepkit/binding-http/client';
          const event = { aep: '0.1', id: 'e1', type: 'agent.online', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a' };
          globalThis.done = new HttpEmitter({ url: 'http://h/events' }).send(event)
            .then((receipt) => discover('http://h/events').then(({ versions }) => ({ receipt, versions })));
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/binding-http/client': new URL('../src/client.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    expect(Object.values(result.metafile.outputs).flatMap((output) => output.imports.filter((found) => found.external))).toEqual([]);
    const inputs = Object.keys(result.metafile.inputs);
    expect(inputs.filter((path) => /packages\/(?:hub|access)\/|\/hono\//.test(path))).toEqual([]);
    const sent: string[] = [];
    const page = {
      TextEncoder,
      TextDecoder,
      AbortController,
      URL,
      setTimeout,
      clearTimeout,
      fetch: (_url: string, init: RequestInit) => {
        sent.push(init.method ?? '');
        return Promise.resolve(init.method === 'POST' ? new Response(null, { status: 202 }) : Response.json({ aep: ['0.1'], endpoints: {} }));
      },
      done: undefined as unknown,
    };
    // A bare context has the language and what is named above, and nothing of Node.
    runInNewContext(result.outputFiles[0]!.text, page);
    expect(JSON.parse(JSON.stringify(await page.done))).toEqual({ receipt: { accepted: 1, requests: 1 }, versions: ['0.1'] });
    expect(sent).toEqual(['POST', 'GET']);
  });
});
