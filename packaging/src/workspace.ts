import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What of a package.json is looked at here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Ours: `browser` names the entries that run in a browser, for a package that is not pure as a whole. */
  readonly aepkit?: { readonly browser?: readonly string[] };
}

/** A package of the workspace that is published. */
export interface Published {
  readonly name: string;
  /** Its name without the scope. */
  readonly short: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** The entries with code, in the order of the export map. */
  readonly entries: readonly string[];
  /** The entries that run in a browser. */
  readonly browserEntries: readonly string[];
  /** Reaches no Node built-in in any entry, so it needs no types of Node either. */
  readonly pure: boolean;
}

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

export const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The folders that pnpm-workspace.yaml names: plain paths, and paths that end in `/*`. */
function workspaceFolders(): string[] {
  const [, list = ''] = /^packages:\n((?: +- .*\n)+)/m.exec(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')) ?? [];
  return [...list.matchAll(/- ['"]?([^'"\n]+)/g)]
    .flatMap(([, glob = '']) => {
      if (!glob.endsWith('/*')) return [glob];
      const parent = glob.slice(0, -2);
      return readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);
    })
    .map((folder) => join(ROOT, folder))
    .filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Every published package, found from the workspace itself, by name. */
export async function publishedPackages(): Promise<Published[]> {
  const layers = (await import(pathToFileURL(join(ROOT, 'packages/eslint-config/layers.js')).href)) as {
    LAYERS: readonly { pure?: boolean; packages: readonly string[] }[];
  };
  const pureNames = new Set(layers.LAYERS.filter((layer) => layer.pure).flatMap((layer) => layer.packages));
  return workspaceFolders()
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => {
      const short = manifest.name.replace(/^@[^/]+\//, '');
      const entries = Object.entries(manifest.exports ?? {})
        .filter(([, target]) => typeof target !== 'string')
        .map(([entry]) => entry);
      const pure = pureNames.has(short);
      const browserEntries = manifest.aepkit?.browser ?? (pure ? entries : []);
      return { name: manifest.name, short, folder, manifest, entries, browserEntries, pure };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** `@aepkit/x` and `./client` as an import writes them. */
export const specifier = (name: string, entry: string): string => name + entry.slice(1);
