import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { bundleEntry } from './bundle.js';
import { projectFolder } from './lab.js';
import { bytesOf, dependenciesOf, installedFolder } from './tarball.js';
import { type Published, ROOT, specifier } from './workspace.js';

/** What was measured when the record was made, and what must not be exceeded. */
export interface Measure {
  readonly size: number;
  readonly budget: number;
}

/** The record of one package. Bytes, and a count of packages. */
export interface PackageSizes<T = Measure> {
  readonly unpacked: T;
  readonly dependencies: T;
  /** Per entry, minified. */
  readonly entries: Readonly<Record<string, { readonly raw: T; readonly gzip: T }>>;
}

/** What holds for an entry or a package that nobody has recorded yet. */
export const UNRECORDED = { unpacked: 1_000_000, dependencies: 20, raw: 150_000, gzip: 50_000 } as const;

export const RECORD: string = join(ROOT, 'packaging/sizes.json');

export type SizeRecord = Readonly<Record<string, PackageSizes>>;

export const readRecord = (): SizeRecord => (existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as SizeRecord) : {});

/** Measures a package as it is installed. */
export async function measure(lab: string, each: Published): Promise<PackageSizes<number>> {
  const folder = installedFolder(lab, each);
  const entries: Record<string, { raw: number; gzip: number }> = {};
  for (const entry of each.entries) {
    const bundle = await bundleEntry(specifier(each.name, entry), projectFolder(lab, each), each.browserEntries.includes(entry));
    entries[entry] = { raw: bundle.byteLength, gzip: gzipSync(bundle, { level: 9 }).byteLength };
  }
  return { unpacked: bytesOf(folder), dependencies: dependenciesOf(folder).size, entries };
}

/** The budgets that a measured package exceeds, as sentences. */
export function overruns(name: string, measured: PackageSizes<number>, record: SizeRecord): string[] {
  const kept = record[name];
  const found: string[] = [];
  const hold = (what: string, size: number, measure: Measure | undefined, otherwise: number): void => {
    const budget = measure?.budget ?? otherwise;
    if (size > budget) found.push(`${what}: ${size}, the budget is ${budget}${measure === undefined ? ' for what is not recorded' : `, recorded were ${measure.size}`}`);
  };
  hold(`${name} unpacked`, measured.unpacked, kept?.unpacked, UNRECORDED.unpacked);
  hold(`${name} dependencies`, measured.dependencies, kept?.dependencies, UNRECORDED.dependencies);
  for (const [entry, { raw, gzip }] of Object.entries(measured.entries)) {
    hold(`${specifier(name, entry)} minified`, raw, kept?.entries[entry]?.raw, UNRECORDED.raw);
    hold(`${specifier(name, entry)} gzip`, gzip, kept?.entries[entry]?.gzip, UNRECORDED.gzip);
  }
  return found;
}

/** A budget for what is new: 15 % above its size, rounded up to whole units of 512 bytes; a count as it is. */
export const budgetFor = (size: number): number => Math.ceil((size * 1.15) / 512) * 512;

/** The new record of a package: sizes as measured; a budget stays as it was, unless it is new or `raise` is set. */
export function recordOf(measured: PackageSizes<number>, kept: PackageSizes | undefined, raise: boolean): PackageSizes {
  const keep = (size: number, old: Measure | undefined, fresh: number): Measure => ({ size, budget: old === undefined || raise ? fresh : old.budget });
  const bytes = (size: number, old: Measure | undefined): Measure => keep(size, old, budgetFor(size));
  return {
    unpacked: bytes(measured.unpacked, kept?.unpacked),
    dependencies: keep(measured.dependencies, kept?.dependencies, measured.dependencies),
    entries: Object.fromEntries(
      Object.entries(measured.entries).map(([entry, { raw, gzip }]) => {
        const old = kept?.entries[entry];
        return [entry, { raw: bytes(raw, old?.raw), gzip: bytes(gzip, old?.gzip) }];
      }),
    ),
  };
}
