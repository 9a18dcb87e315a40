import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

async function bundle(): Promise<{ code: string; imports: readonly string[] }> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'weida',
    metafile: true,
    // A Node built-in is kept as an import, for the test to see.
    external: ['node:*', 'fs', 'crypto', 'util', 'buffer', 'path', 'os', 'module'],
    logLevel: 'silent',
  });
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  return { code: result.outputFiles[0]?.text ?? '', imports };
}

describe('the root entry', () => {
  it('reaches no Node built-in', async () => {
    const { code, imports } = await bundle();
    expect(imports.filter((path) => isBuiltin(path))).toEqual([]);
    expect(code).not.toMatch(/\brequire\(/);
    expect(code).not.toMatch(/\bprocess\.|\bBuffer\b(?!, which)|\b__dirname\b/);
  });

  it('runs in a bare context, where only text beyond ASCII or of some length needs a Web API', async () => {
    const { code } = await bundle();
    const context = createContext({ out: {} });
    runInContext(
      `${code}
      const octets = weida.encodeFrame({ kind: 'DATA', endpoint: '/md', topic: 'px.eur', sequence: 2n ** 64n - 1n });
      out.frame = JSON.stringify(weida.decodeFrame(octets).frame, (_, value) => typeof value === 'bigint' ? String(value) : value);
      out.matches = weida.TopicFilter.parse('px.*').matches('px.eur');
      out.ok = weida.negotiate(weida.hello(), weida.hello()).ok;
      try { weida.decodeFrame(Uint8Array.of(0)) } catch (error) { out.code = error.code }`,
      context,
    );
    expect(context.out).toEqual({ frame: '{"kind":"DATA","endpoint":"/md","topic":"px.eur","sequence":"18446744073709551615"}', matches: true, ok: true, code: 'bad-magic' });
  });
});
