import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { full } from './support.js';

const bundle = async (): Promise<{ code: string; imports: readonly string[] }> => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'envelope',
    metafile: true,
    // A Node built-in is kept as an import, for the test to see.
    external: ['node:*', 'fs', 'crypto', 'util', 'buffer', 'path', 'os', 'module'],
    logLevel: 'silent',
  });
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  return { code: result.outputFiles[0]?.text ?? '', imports };
};

describe('the root entry', () => {
  it('reaches no Node built-in', async () => {
    const { code, imports } = await bundle();
    expect(imports.filter((path) => isBuiltin(path))).toEqual([]);
    expect(code).not.toMatch(/\brequire\(/);
    expect(code).not.toMatch(/\bprocess\.|\bBuffer\b|\b__dirname\b/);
  });

  it('runs in a bare context, where only reading bytes and minting ids need a Web API', async () => {
    const { code } = await bundle();
    const context = createContext({ text: JSON.stringify(full), out: {} });
    runInContext(
      `${code}
      const wire = envelope.parseEvent(text);
      out.json = wire.json;
      out.position = JSON.stringify(envelope.positionOf(wire.event));
      out.again = envelope.wireEvent(wire.event).json;
      out.issue = envelope.validateEvent({ aep: '0.1' }).code;
      out.canonical = envelope.canonicalJson({ b: 1, a: 2 });
      out.id = envelope.createIdFactory({ now: () => 1, random: () => 0 })();
      try { envelope.parseEvent('{"a":1,"a":2}') } catch (error) { out.code = error.code }`,
      context,
    );
    expect(context.out).toEqual({
      json: JSON.stringify(full),
      position: '{"session":"s","epoch":3,"seq":1}',
      again: JSON.stringify(full),
      issue: 'missing-attribute',
      canonical: '{"a":2,"b":1}',
      id: '00000000010000000000000000',
      code: 'duplicate-member',
    });
  });

  it('reads bytes, mints ids and digests with what every browser has', async () => {
    const { code } = await bundle();
    const context = createContext({ TextDecoder, TextEncoder, Uint8Array, crypto, bytes: new TextEncoder().encode(JSON.stringify(full)), out: {} });
    runInContext(`${code} out.json = envelope.parseEvent(bytes).json; out.id = envelope.createId(); out.digest = envelope.digest({ a: 1 });`, context);
    expect(context.out).toMatchObject({ json: JSON.stringify(full), digest: '015abd7f5cc57a2dd94b7590f04ad808' });
    expect((context.out as Record<string, unknown>).id).toMatch(/^[0-9A-Z]{26}$/);
  });
});
