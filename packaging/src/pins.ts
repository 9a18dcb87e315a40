import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesOf, installedFolder } from './tarball.js';
import { type Tried, tryOn } from './try.js';
import type { Published } from './workspace.js';

/** All that a caller of a package may hold on to. */
export interface Pins {
  /** The keys of the export map. */
  readonly exports: readonly string[];
  readonly bin: readonly string[];
  readonly engines: string | undefined;
  /** By entry and name: a constant as JSON, anything else by its kind. */
  readonly entries: Tried['entries'];
  /** The closed unions of codes and reasons that its declarations export, by type. */
  readonly codes: Readonly<Record<string, readonly string[]>>;
}

/** Where a package pins what it offers, in its own tests. */
export const pinsFile = ({ folder }: Pick<Published, 'folder'>): string => join(folder, 'test/pins.json');

const UNION = /^export (?:declare )?type (\w*(?:Code|Error|Reason)) =((?:\s*\|?\s*'[^']*')+);/gm;

function codesOf(folder: string): Record<string, readonly string[]> {
  const unions = filesOf(folder)
    .filter((path) => path.endsWith('.d.ts'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(UNION)])
    .map(([, name = '', union = '']): [string, string[]] => [name, [...union.matchAll(/'([^']*)'/g)].map(([, code = '']) => code)]);
  return Object.fromEntries(unions.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a package offers as it is installed. */
export async function pinsOf(lab: string, each: Published, tried?: Tried): Promise<Pins> {
  const { entries } = tried ?? (await tryOn(process.execPath, lab, each));
  const { manifest } = each;
  return {
    exports: Object.keys(manifest.exports ?? {}),
    bin: Object.keys(manifest.bin ?? {}),
    engines: manifest.engines?.node,
    entries,
    codes: codesOf(installedFolder(lab, each)),
  };
}
