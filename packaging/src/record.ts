// `npm run record` measures every package and writes the record of sizes. `--raise hub access` sets the budgets of these two
// anew, `--pins hub` writes what the hub offers to its test/pins.json; `all` names every package.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildLab } from './lab.js';
import { pinsFile, pinsOf } from './pins.js';
import { measure, overruns, type PackageSizes, readRecord, RECORD, recordOf } from './sizes.js';
import { publishedPackages } from './workspace.js';

const { values, positionals } = parseArgs({ options: { raise: { type: 'boolean', default: false }, pins: { type: 'boolean', default: false } }, allowPositionals: true });
const named = (short: string): boolean => positionals.includes('all') || positionals.includes(short);

const shorts = (await publishedPackages()).map(({ short }) => short);
const unknown = positionals.filter((name) => name !== 'all' && !shorts.includes(name));
if (unknown.length > 0) {
  console.error(`no package is named ${unknown.join(', ')}; there are: all, ${shorts.join(', ')}`);
  process.exit(2);
}
if ((positionals.length > 0) !== (values.raise || values.pins)) {
  console.error('--raise and --pins take names of packages, or all; without them no name is taken');
  process.exit(2);
}

const lab = realpathSync(mkdtempSync(join(tmpdir(), 'aepkit-lab-')));
try {
  const packages = await buildLab(lab);
  const before = readRecord();
  const after: Record<string, PackageSizes> = {};
  for (const each of packages) {
    let measured: PackageSizes<number>;
    try {
      measured = await measure(lab, each);
    } catch (error) {
      // Not built, or not whole yet: its record stays.
      console.error(`not measured: ${each.name}: ${error instanceof Error ? error.message : String(error)}`);
      const kept = before[each.name];
      if (kept !== undefined) after[each.name] = kept;
      process.exitCode = 1;
      continue;
    }
    after[each.name] = recordOf(measured, before[each.name], values.raise && named(each.short));
    for (const [entry, { raw, gzip }] of Object.entries(measured.entries)) {
      const was = before[each.name]?.entries[entry];
      console.log(`${(each.name + entry.slice(1)).padEnd(40)} ${String(raw).padStart(8)} ${String(gzip).padStart(8)} gzip ${was === undefined ? '  new' : `  was ${was.raw.size} ${was.gzip.size}`}`);
    }
    if (values.pins && named(each.short)) writeFileSync(pinsFile(each), `${JSON.stringify(await pinsOf(lab, each), undefined, 2)}\n`);
    for (const problem of overruns(each.name, measured, after)) console.error(`over budget: ${problem}; --raise ${each.short} sets it anew`);
  }
  writeFileSync(RECORD, `${JSON.stringify(after, undefined, 2)}\n`);
} finally {
  rmSync(lab, { recursive: true, force: true, maxRetries: 5 });
}
