import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

import semver from 'semver';
import { describe, expect, inject, it } from 'vitest';

import { readmeOf, tarballOf } from '../src/lab.js';
import { installedBy, programsOf } from '../src/readme.js';
import { dependenciesOf, filesOf, importsOf, installedFolder } from '../src/tarball.js';
import { readManifest } from '../src/workspace.js';

const lab = inject('lab');

describe.each(inject('packages'))('$name as a tarball', (each) => {
  const folder = installedFolder(lab, each);
  const manifest = readManifest(folder);

  it('holds every file that its export map and its commands name', () => {
    const targets = Object.values(manifest.exports ?? {}).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
    const missing = [...targets, ...Object.values(manifest.bin ?? {})].filter((path) => !existsSync(join(folder, path)));
    expect(missing).toEqual([]);
    expect(targets.length).toBeGreaterThan(0);
  });

  it('exports what its package.json in the repository exports, types first', () => {
    expect(manifest.exports).toEqual(each.manifest.exports);
    expect(manifest.bin).toEqual(each.manifest.bin);
    for (const target of Object.values(manifest.exports ?? {})) if (typeof target !== 'string') expect(Object.keys(target).filter((condition) => condition !== 'node')).toEqual(['types', 'default']);
  });

  it('holds code, declarations, sources and README, and nothing of the workshop', () => {
    const files = filesOf(folder);
    expect(files).toContain('README.md');
    const foreign = files.filter((path) => !/^(dist|src|bin|docs|recordings)\//.test(path) && !['README.md', 'LICENSE', 'package.json'].includes(path));
    expect(foreign).toEqual([]);
    expect(files.filter((path) => /\.tsbuildinfo$|\.test\.|^dist\/(test|bench)\//.test(path))).toEqual([]);
    // Each module has its declarations, and each map its source.
    const modules = files.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
    expect(modules.filter((path) => !files.includes(path.replace(/\.js$/, '.d.ts')) && !path.includes('/generated/'))).toEqual([]);
    for (const path of files.filter((name) => name.endsWith('.js.map'))) {
      const { sources } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { sources: readonly string[] };
      for (const source of sources) expect(existsSync(join(folder, path, '..', source)), `${source} of ${path}`).toBe(true);
    }
  });

  it('names real versions of its siblings, its engines and its licence, and no install script', () => {
    const { dependencies, devDependencies: _ours, ...rest } = manifest as typeof manifest & { scripts?: Record<string, string>; license?: string };
    for (const [name, range] of Object.entries(dependencies ?? {})) expect(semver.validRange(range), `${name}: ${range}`).not.toBeNull();
    expect(JSON.stringify({ ...rest, dependencies })).not.toMatch(/workspace:|file:|link:|catalog:/);
    expect(semver.validRange(manifest.engines?.node)).not.toBeNull();
    expect(rest.license).toBe('Apache-2.0');
    expect(Object.keys(rest.scripts ?? {}).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
    // The manifest of the tarball itself, whatever an installer made of it.
    const packed = execFileSync('tar', ['-xOzf', tarballOf(lab, each), 'package/package.json'], { encoding: 'utf8' });
    expect(packed).not.toContain('"workspace:');
  });

  it('imports only what it declares', () => {
    const declared = new Set([each.name, ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies })]);
    const undeclared = [...importsOf(folder)].filter(([name]) => !declared.has(name) && !isBuiltin(name));
    expect(undeclared).toEqual([]);
  });

  it('needs no dependency that it does not import', () => {
    const imported = importsOf(folder);
    for (const path of filesOf(folder).filter((name) => name.startsWith('bin/'))) expect(readFileSync(join(folder, path), 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => !imported.has(name))).toEqual([]);
  });

  it('brings no dependency that asks for a newer Node than it does', () => {
    const ours = manifest.engines?.node ?? '*';
    const newer = [...dependenciesOf(folder)]
      .map(([key, { manifest: theirs }]): [string, string] => [key, theirs.engines?.node ?? '*'])
      .filter(([, theirs]) => !semver.subset(ours, theirs, { loose: true }));
    expect(newer).toEqual([]);
  });

  it('has a README that says how to install it and starts with a program', () => {
    const readme = readmeOf(each);
    expect(installedBy(readme)).toContain(each.name);
    // A package without entries is a command, and its program is a shell's.
    if (each.entries.length > 0) expect(programsOf(readme).length).toBeGreaterThan(0);
    else expect(readme).toContain('```sh');
  });
});
