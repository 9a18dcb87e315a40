import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { bundleHook } from '../scripts/bundle-hook.mjs';

const dist = (path: string): string => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

describe('the files that a hook is loaded from', () => {
  it('are what the sources make: the build is not older than they are', async () => {
    const stale = [];
    for (const [path, text] of await bundleHook()) if ((await readFile(dist(path), 'utf8').catch(() => undefined)) !== text) stale.push(path);
    expect(stale, 'run "pnpm run build" in apps/cli').toEqual([]);
  });

  it('need nothing but Node, and no node:crypto unless a call is held', async () => {
    for (const [path, text] of await bundleHook()) {
      const imported = [...text.matchAll(/^(?:import .*|\} )from "([^".][^"]*)";$/gm)].map(([, name = '']) => name);
      for (const name of imported) expect(name, path).toMatch(/^node:/);
      if (!/hook-held|hook-post-tls/.test(path)) expect(imported, path).not.toContain('node:crypto');
    }
  });

  it('say whose work is in them, and under which licence', async () => {
    const licences = await readFile(dist('generated/LICENSES.txt'), 'utf8');
    for (const name of ['@noble/hashes', 'canonicalize', 'ulid']) expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n`, 'm'));
    expect(licences).toContain('Permission is hereby granted');
  });
});
