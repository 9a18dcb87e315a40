import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { projectFolder } from './lab.js';
import { type Manifest, type Published, readManifest } from './workspace.js';

/** Where the package itself lies in its project. */
export const installedFolder = (lab: string, each: Pick<Published, 'short' | 'name'>): string => realpathSync(join(projectFolder(lab, each), 'node_modules', each.name));

/** The files of an installed package, as paths from its folder. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('node_modules/'))
    .toSorted();
}

export const bytesOf = (folder: string): number => filesOf(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);

/** An installed dependency. */
export interface Dependency {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What a package brings with it at run time, by `name@version`; optional dependencies that are there count. */
export function dependenciesOf(folder: string, found: Map<string, Dependency> = new Map<string, Dependency>()): Map<string, Dependency> {
  const manifest = readManifest(folder);
  // Beside a package lie the packages that it declared.
  const beside = join(folder, ...manifest.name.split('/').map(() => '..'));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies })) {
    const path = join(beside, name);
    if (!existsSync(path)) continue;
    const target = realpathSync(path);
    const dependency = { folder: target, manifest: readManifest(target) };
    const key = `${name}@${dependency.manifest.version}`;
    if (found.has(key)) continue;
    found.set(key, dependency);
    dependenciesOf(target, found);
  }
  return found;
}

/** As the compiler writes them: statements at the start of a line, and calls anywhere. */
const STATEMENTS = /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm;
const CALLS = /\b(?:import|require|require\.resolve|import\.meta\.resolve)\(\s*(['"])([^'"\n]+)\1/g;
const REFERENCES = /^\/\/\/\s*<reference\s+types=(['"])([^'"\n]+)\1/gm;

/** Every package that the code or the declarations of a folder name, with a file that does. */
export function importsOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of filesOf(folder).filter((name) => /\.([cm]?js|d\.[cm]?ts)$/.test(name))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const named = [...code.matchAll(STATEMENTS), ...code.matchAll(CALLS), ...text.matchAll(REFERENCES)].map(([, , name = '']) => name);
    for (const name of named) {
      if (/^[.#]|^node:/.test(name)) continue;
      const [scope = '', rest] = name.split('/');
      found.set(scope.startsWith('@') && rest !== undefined ? `${scope}/${rest}` : scope, path);
    }
  }
  return found;
}

