import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the root entry', () => {
  it('reaches no Node built-in, and emits with what every browser has', async () => {
    const result = await build({
      entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'emitter',
      metafile: true,
      // A Node built-in is kept as an import, for the test to see.
      external: ['node:*', 'fs', 'crypto', 'util', 'buffer', 'path', 'os', 'module'],
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
    expect(imports.filter((path) => isBuiltin(path))).toEqual([]);
    expect(Object.keys(result.metafile.inputs).filter((path) => /binding-|spool/.test(path))).toEqual([]);
    const code = result.outputFiles[0]!.text;
    expect(code).not.toMatch(/\brequire\(|\bprocess\.|\bBuffer\b|\b__dirname\b/);

    const context = createContext({ TextDecoder, TextEncoder, Uint8Array, crypto, performance, AbortController, queueMicrotask, setTimeout, clearTimeout, out: {} });
    await runInContext(
      `${code}
      (async () => {
        const transport = emitter.memoryTransport();
        const it = emitter.createEmitter({ agent: 'page', host: 'tab', transport, epochs: 'clock' });
        const session = await it.session('s');
        session.emit('tool.completed', { data: { tool: { name: 'fetch' }, result: 'text' } });
        session.end();
        out.outcome = JSON.stringify(await it.close());
        out.types = transport.events.map(({ event }) => event.type).join();
        try { session.emit('nonsense') } catch (error) { out.code = error.code }
      })()`,
      context,
    );
    expect(context.out).toEqual({ outcome: '{"done":true,"left":0,"leftBytes":0,"spooled":0,"lost":0}', types: 'tool.completed,session.ended', code: 'closed' });
  });
});
